#include "core/base/text.hpp"
#include "core/certify/least_risk.hpp"
#include "proofs_check/claims/certificates/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"
#include "tasks/finite_tasks.hpp"

#include <array>

namespace attest::certificates {

namespace {

/// A row of the table in docs/expressible.md, for the paper's layer.
struct Entry {
    FiniteCase task;
    Rational risk;
};

RationalMatrix labels_of(const Dataset& data) {
    return data.y.transpose().unaryExpr([](double y) { return Rational(y); });
}

/// Σ over outputs of (λᵀy)²/‖λ‖², divided by N, if λᵀH = 0: no P has a smaller risk. 0 if not.
Rational proved_risk(const ExactProblem& problem, const std::vector<IntegerVector>& duals) {
    Rational sum = 0;
    for (std::size_t a = 0; a < duals.size(); ++a) {
        const RationalVector lambda = duals[a].cast<Rational>();
        if (!(problem.H.transpose() * lambda).isZero(Rational(0))) {
            return 0;
        }
        const Rational square = lambda.squaredNorm();
        const Rational product = lambda.dot(problem.Y.col(static_cast<Index>(a)));
        sum += square == 0 ? Rational(0) : Rational(product * product / square);
    }
    return sum / problem.num_examples();
}

/// Accepted: attest's dual vectors, with `added` to the first entry of each, prove that no layer
/// has a risk below the entry's, and attest's coefficients have it.
Answer shows(const Entry& entry, Index added) {
    const Dataset data = enumerate_task(entry.task.task, entry.task.parameters, {});
    const LeastRisk found = least_risk(data);
    const ExactProblem problem{feature_rows(exact_sequences(data)), labels_of(data)};
    std::vector<IntegerVector> duals = found.duals;
    for (IntegerVector& lambda : duals) {
        lambda(0) += added;
    }
    const Rational below = proved_risk(problem, duals);
    const Rational above = risk(problem, found.P);
    std::string name = entry.task.task;
    for (const auto& [key, value] : entry.task.parameters) {
        name += formatted(" {}={}", key, value);
    }
    return {below == entry.risk && above == entry.risk,
            formatted("{}, {} inputs, psi = {}: {} is to be the least risk; the dual vectors prove "
                      "at least {}, the coefficients have {}",
                      name,
                      data.num_examples(),
                      problem.psi(),
                      entry.risk.str(),
                      below.str(),
                      above.str())};
}

Evidence test_inexpressible(const ClaimContext& /*context*/) {
    Evidence evidence;
    const SharedTest test(evidence, shows);
    const std::array entries{
        Entry{{"parity", {{"length", "3"}}, "linear"}, Rational(1)},
        Entry{{"majority", {{"length", "5"}}, "linear"}, Rational(19, 64)},
        Entry{{"word-problem", {{"group", "Z3"}, {"length", "3"}}, "linear"}, Rational(2, 3)},
        Entry{{"recall", {{"form", "split"}, {"pairs", "2"}}, "linear"}, Rational(1, 4)},
        Entry{{"recall", {{"form", "joined"}, {"pairs", "2"}}, "linear"}, Rational(0)},
        Entry{{"last-write", {{"length", "4"}}, "linear"}, Rational(14, 27)}};
    for (const Entry& entry : entries) {
        test.check(Form::tested, entry, Index{0});
    }
    test.control(entries.front(), Index{1});
    Entry wrong = entries[1];
    wrong.risk = Rational(18, 64);
    test.control(wrong, Index{0});
    return evidence;
}

}  // namespace

Claim inexpressible() {
    return {
        .id = "certificates/inexpressible",
        .paper = "docs/expressible.md",
        .place = "Least errors",
        .tested =
            "least errors of the table of tasks: for each output a vector lambda with lambda'H = 0 "
            "shows that no heads, however many, have a smaller risk, and coefficients attain it",
        .depends_on = "yau2024/surjectivity_d2",
        .method = Method::exact,
        .explain =
            "By Cauchy-Schwarz |y - HP|^2 >= (lambda'y)^2/|lambda|^2 for every P if lambda'H = 0. "
            "Dual vectors and coefficients are attest's; features, products and risks are computed "
            "over Q from the definition. One entry of lambda changed, or another number claimed, "
            "is refused. The proof files of attest express hold the same vectors.",
        .run = test_inexpressible,
    };
}

}  // namespace attest::certificates
