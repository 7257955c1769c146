#include "core/algebra/lapack.hpp"
#include "core/certify/numerical/spectrum.hpp"
#include "core/certify/rank/exact_rank.hpp"
#include "core/features/cubic.hpp"
#include "core/moments/population.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "tasks/iid_entries.hpp"

#include <array>
#include <cmath>

namespace attest::yau2024 {

namespace {

constexpr Index kDim = 2;

/// −log of the false-alarm level of one bound; the claim has eight of them at most.
const double kSampleTail = -std::log(1e-6 / 8.0);

IidEntriesOptions entries(EntryLaw law, Index n) {
    IidEntriesOptions options;
    options.d = kDim;
    options.n = {n, n};
    options.law = law;
    return options;
}

/// Λ of entries −1, 0, 1 with weights 1/4, 1/2, 1/4, two tokens, and what a matrix Bernstein
/// inequality needs of the whitened features g = Λ^(−1/2) H, for which E[g gᵀ] = I.
struct Population {
    double lambda_min = 0.0;
    double largest = 0.0;   ///< max ‖g‖², over all 81 matrices
    double variance = 0.0;  ///< ‖E[(g gᵀ − I)²]‖ = ‖E[‖g‖² g gᵀ] − I‖

    /// ‖(1/N) Σ g gᵀ − I‖ stays below this but for probability e^−t (Tropp 2012, theorem 1.4).
    [[nodiscard]] double deviation(Index N) const {
        const auto count = static_cast<double>(N);
        const double t = kSampleTail + std::log(2.0 * static_cast<double>(feature_dim(kDim)));
        const double third = t * std::max(largest - 1.0, 1.0) / (3.0 * count);
        return third + std::sqrt(third * third + 2.0 * t * variance / count);
    }
};

Population three_point_population() {
    const EntryMoments law = moments_of(entry_law(entries(EntryLaw::three_point, 2)));
    const MatrixOf<Rational> exact = population_second_moment(law, kDim, 2);
    const Matrix Lambda =
        exact.unaryExpr([](const Rational& entry) { return entry.convert_to<double>(); });
    const SymmetricEigen eigen = symmetric_eigen(Lambda);
    const Matrix whitening =
        eigen.values.cwiseSqrt().cwiseInverse().asDiagonal() * eigen.vectors.transpose();
    Population population{eigen.values(0)};
    Matrix fourth = -Matrix::Identity(Lambda.rows(), Lambda.cols());
    for (Index code = 0; code < 81; ++code) {
        Matrix Z(kDim, 2);
        double weight = 1.0;
        for (Index i = 0, rest = code; i < 4; ++i, rest /= 3) {
            Z(i) = static_cast<double>(rest % 3 - 1);
            weight *= rest % 3 == 1 ? 0.5 : 0.25;
        }
        const Vector g = whitening * cubic_features<double>(Z);
        population.largest = std::max(population.largest, g.squaredNorm());
        fourth += weight * g.squaredNorm() * g * g.transpose();
    }
    population.variance = symmetric_eigenvalues(fourth).cwiseAbs().maxCoeff();
    return population;
}

double sampled_lambda_min(Index N, const Stream& stream) {
    const std::unique_ptr<Task> task = iid_entries(entries(EntryLaw::three_point, 2), stream);
    return numerical_spectrum(triangular_factor(TaskSource(*task, 0, N))).lambda_min;
}

/// Accepted: the data's least eigenvalue is as near to this one as Bernstein's inequality says it
/// is to the population's.
Answer sample_is_near(const Population& population, double lambda_min, double sampled, Index N) {
    const double deviation = population.deviation(N);
    const double ratio = sampled / lambda_min;
    return {std::abs(ratio - 1.0) < deviation && deviation < 1.0,
            formatted("entries -1, 0, 1, d = n = 2, N = {}: lambda_min(Lambda_D) is {} times {}, "
                      "at most {} from 1 by Bernstein's inequality",
                      N,
                      ratio,
                      lambda_min,
                      deviation)};
}

void check_convergence(Evidence& evidence, const ClaimContext& context) {
    const Population population = three_point_population();
    const SharedTest near(evidence, sample_is_near, "double");
    const Index last = context.pick(Index{1} << 16, Index{1} << 20);
    for (Index N = Index{1} << 12; N <= last; N *= 4) {
        const double sampled = sampled_lambda_min(N, context.stream.child("three_point"));
        near.check(Form::tested, population, population.lambda_min, sampled, N);
        if (N == last) {
            near.control(population, population.lambda_min / 2.0, sampled, N);
            near.control(population, population.lambda_min * 2.0, sampled, N);
        }
    }
}

void check_deficient(Evidence& evidence, const ClaimContext& context) {
    struct Kind {
        EntryLaw law;
        Index n;
        Index rank;
        std::string_view name;
    };

    for (const Kind& kind : {Kind{EntryLaw::gaussian, 1, 4, "Gaussian entries, n = 1"},
                             Kind{EntryLaw::rademacher, 2, 4, "entries +-1, n = 2"},
                             Kind{EntryLaw::rademacher, 5, 4, "entries +-1, n = 5"}}) {
        const std::unique_ptr<Task> task =
            iid_entries(entries(kind.law, kind.n), context.stream.child(kind.name));
        const ExactRank rank = certify_rank(materialise(*task, 0, context.pick(2000, 20000), 1));
        evidence.check(Form::tested,
                       rank.rank_is_exact() && rank.rank_lower == kind.rank,
                       formatted("{}, d = 2, N = {}: rank {} of 6, so lambda_min(Lambda_D) = 0",
                                 kind.name,
                                 rank.num_examples,
                                 rank.rank_lower));
    }
}

Evidence test_lemma_a5_samples(const ClaimContext& context) {
    Evidence evidence;
    check_convergence(evidence, context);
    check_deficient(evidence, context);
    return evidence;
}

}  // namespace

Claim lemma_a5_samples() {
    return {
        .id = "yau2024/lemma_a5_samples",
        .place = "Lemma A.5, on samples",
        .tested =
            "lambda_min of the second moment of N samples comes as near to the population's as "
            "Bernstein's inequality says, like N^(-1/2); for one token, or entries +-1, it is 0 at "
            "every N",
        .deviation = "from the population, of which the lemma speaks, to the data at hand",
        .depends_on = "yau2024/lemma_a5",
        .method = Method::statistical,
        .false_alarm = kFalseAlarm,
        .explain =
            "For whitened features g the sample mean of g g' is I up to a matrix of norm at most "
            "e, so (1 - e) Lambda <= Lambda_D <= (1 + e) Lambda and the least eigenvalues differ "
            "by the same factor. With finitely many inputs the norm and the variance that the "
            "inequality needs are found by going through all of them.",
        .run = test_lemma_a5_samples,
    };
}

}  // namespace attest::yau2024
