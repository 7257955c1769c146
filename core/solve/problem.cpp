#include "core/solve/problem.hpp"

#include "core/base/choice.hpp"

#include <utility>

namespace attest {

namespace {

constexpr Choices<SolveStatus, 3> kSolveStatusNames{{{SolveStatus::unique, "unique"},
                                                     {SolveStatus::minimum_norm, "minimum_norm"},
                                                     {SolveStatus::refused, "refused"}}};

}  // namespace

std::string_view to_string(SolveStatus status) {
    return name_of(kSolveStatusNames, status);
}

LeastSquaresFit refusal(std::string_view solver, std::string note) {
    LeastSquaresFit fit;
    fit.solver = solver;
    fit.rank = -1;
    fit.note = std::move(note);
    return fit;
}

double total(const WorkByKind& flops) {
    return flops.gram64 + flops.gram32 + flops.product + flops.cholesky64 + flops.cholesky32 +
           flops.orthogonal + flops.multiprecision;
}

}  // namespace attest
