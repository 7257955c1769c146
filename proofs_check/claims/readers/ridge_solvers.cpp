#include "proofs_check/claims/readers/ridge_solvers.hpp"

#include "core/base/text.hpp"
#include "core/data/sources/moments.hpp"
#include "core/solve/solvers.hpp"
#include "proofs_check/exact/example_sets.hpp"
#include "proofs_check/exact/ridge.hpp"

#include <limits>

namespace attest::readers {

namespace {

/// LAPACK's test ratio of least squares for [H; sqrt(N/8) I] and [Y; 0]: the ridge 1/8.
double ridge_ratio(const ExactProblem& exact, const RationalMatrix& P) {
    const RationalMatrix misfit = exact.Y - exact.H * P;
    const RationalMatrix residual =
        exact.H.transpose() * misfit - exact.num_examples() * Rational(1, 8) * P;
    const auto norm = [](const RationalMatrix& A) {
        return A.cast<double>().cwiseAbs().colwise().sum().maxCoeff();
    };
    const auto size = static_cast<double>(exact.num_examples() + exact.psi());
    return norm(residual) /
           (size * norm(exact.H) * norm(exact.Y) * std::numeric_limits<double>::epsilon());
}

}  // namespace

Dataset single_tokens() {
    return sequences({Matrix{{1}, {0}},
                      Matrix{{0}, {1}},
                      Matrix{{1}, {1}},
                      Matrix{{1}, {-1}},
                      Matrix{{2}, {1}}});
}

RationalParameters square_truth() {
    return {2, 1, {{RationalMatrix{{1, 0}}, unit_matrix(2, 1, 2)}}};
}

void check_ridge_solvers(Evidence& evidence) {
    constexpr double kRatioBound = 30.0;
    const ExactProblem exact = realisable_problem(exact_sequences(single_tokens()), square_truth());
    const Dataset data = with_labels(single_tokens(), exact.Y.transpose().cast<double>());
    const DatasetSource source(data);
    std::vector<RationalMatrix> found;
    for (const Solver& solver : solvers()) {
        const LeastSquaresFit fit = solver.fit(source, {.ridge = 0.125, .norm = Norm::packed});
        if (fit.status != SolveStatus::refused) {
            found.push_back(fit.P.cast<Rational>());
        }
    }
    const SharedTest minimises(
        evidence,
        [&](const std::string& whose, const std::vector<RationalMatrix>& each) {
            double largest = 0.0;
            for (const RationalMatrix& P : each) {
                largest = std::max(largest, ridge_ratio(exact, P));
            }
            const bool below = !each.empty() && largest < kRatioBound;
            return Answer{below,
                          formatted("lambda = 1/8, {}: normal equations {} to 30 roundings",
                                    whose,
                                    below ? "hold" : "do not hold")};
        },
        "double");
    minimises.check(Form::tested, formatted("{} solvers of attest learn", found.size()), found);
    minimises.control("equations with lambda I in place of N lambda I",
                      std::vector{ridge_minimiser(exact, Rational(1, 8 * 5))});
}

}  // namespace attest::readers
