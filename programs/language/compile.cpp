#include "programs/language/compile.hpp"

#include "core/base/memory.hpp"

#include <algorithm>
#include <tuple>

namespace attest {

namespace {

auto position(const Coefficient& c) {
    return std::tuple(c.e, c.b, c.k, c.output);
}

void check_terms(const Program& program, const ProgramHead& head) {
    const Index d = program.schema.dim();
    for (const std::vector<MatrixTerm>* terms : {&head.V, &head.Q}) {
        for (const MatrixTerm& term : *terms) {
            require(0 <= term.to && term.to < d && 0 <= term.from && term.from < d,
                    "head {}: a term lies outside the {} rows",
                    head.name,
                    d);
        }
    }
}

Matrix to_matrix(const std::vector<MatrixTerm>& terms, Index d) {
    Matrix M = Matrix::Zero(d, d);
    for (const MatrixTerm& term : terms) {
        M(term.to, term.from) += static_cast<double>(term.coefficient);
    }
    return M;
}

}  // namespace

Parameters dense_parameters(const Program& program) {
    const Index d = program.schema.dim();
    Parameters theta{d, d, {}};
    for (const ProgramHead& head : program.heads) {
        check_terms(program, head);
        theta.heads.push_back({to_matrix(head.V, d), to_matrix(head.Q, d)});
    }
    return theta;
}

SparseCoefficients sparse_coefficients(const Program& program) {
    double terms = 0.0;
    for (const ProgramHead& head : program.heads) {
        check_terms(program, head);
        terms += static_cast<double>(head.V.size()) * static_cast<double>(head.Q.size());
    }
    require_memory(
        2.0 * sizeof(Coefficient) * terms, "compiling the program", "use smaller blocks");
    std::vector<Coefficient> entries;
    for (const ProgramHead& head : program.heads) {
        for (const MatrixTerm& v : head.V) {
            for (const MatrixTerm& q : head.Q) {
                // S(b,k) is one feature of the pair {b,k}: b = k enters once (equation 42).
                entries.push_back({v.to,
                                   std::min(v.from, q.to),
                                   std::max(v.from, q.to),
                                   q.from,
                                   v.coefficient * q.coefficient});
            }
        }
    }
    return {program.schema.dim(), 1, collect(std::move(entries))};
}

std::vector<Coefficient> collect(std::vector<Coefficient> entries) {
    std::sort(entries.begin(), entries.end(), [](const Coefficient& a, const Coefficient& b) {
        return position(a) < position(b);
    });
    std::vector<Coefficient> collected;
    for (const Coefficient& entry : entries) {
        if (!collected.empty() && position(collected.back()) == position(entry)) {
            collected.back().value += entry.value;
        } else {
            collected.push_back(entry);
        }
    }
    std::erase_if(collected, [](const Coefficient& entry) { return entry.value == 0; });
    return collected;
}

}  // namespace attest
