#include "core/algebra/residual_ratio.hpp"
#include "core/features/cubic.hpp"
#include "core/model/forward.hpp"
#include "core/moments/population.hpp"
#include "core/rng/sample.hpp"
#include "tasks/agnostic_labels.hpp"
#include "tasks/associative_memory.hpp"
#include "tasks/gaussian_population.hpp"
#include "tasks/icl_regression.hpp"
#include "tasks/iid_entries.hpp"
#include "tasks/registry.hpp"
#include "tests/support/statistics.hpp"

#include <boost/math/distributions/normal.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace attest::test {

namespace {

constexpr Index kSequences = Index{1} << 16;

TEST(TaskStatistics, MixtureIsTheShareOfUnitarySequences) {
    AssociativeMemoryOptions options;
    options.mixture = 0.95;
    const AssociativeMemory task(options, Stream(2024));

    double unitary = 0.0;
    for (Index i = 0; i < kSequences; ++i) {
        unitary += task.unitary(i) ? 1.0 : 0.0;
    }

    const auto N = static_cast<double>(kSequences);
    EXPECT_LT(chi_square({unitary, N - unitary}, {0.95 * N, 0.05 * N}), chi_square_critical(1));
    EXPECT_GT(chi_square({unitary, N - unitary}, {0.94 * N, 0.06 * N}), chi_square_critical(1));
}

TEST(TaskStatistics, EveryKeyIsAskedForEquallyOften) {
    AssociativeMemoryOptions options;
    options.mixture = 1.0;
    options.orthogonal = OrthogonalKind::signed_permutation;
    const AssociativeMemory task(options, Stream(2024));
    const Index trials = 8000;

    std::vector<double> observed(4, 0.0);
    for (Index i = 0; i < trials; ++i) {
        const Matrix Z = task.draw(i).Z;
        for (Index j = 0; j < 4; ++j) {
            observed[static_cast<std::size_t>(j)] +=
                Z.col(j).head(4) == Z.col(4).head(4) ? 1.0 : 0.0;
        }
    }

    EXPECT_LT(chi_square(observed, std::vector<double>(4, 2000.0)), chi_square_critical(3));
}

TEST(TaskStatistics, LengthsAreUniform) {
    const std::unique_ptr<Task> task = make_task("random-linear-attention", {{"n", "4..13"}}, 2024);

    std::vector<double> observed(10, 0.0);
    for (Index i = 0; i < kSequences; ++i) {
        observed[static_cast<std::size_t>(task->length(i) - 4)] += 1.0;
    }

    EXPECT_LT(chi_square(observed, std::vector<double>(10, static_cast<double>(kSequences) / 10.0)),
              chi_square_critical(9));
}

/// How far the mean squared error of `heads` on fresh sequences is from `risk`, in standard errors:
/// a normal number, by the central limit theorem, if `risk` is its expectation.
double deviation(const Task& task, const Parameters& heads, double risk) {
    const Index sequences = Index{1} << 16;
    double sum = 0.0;
    double squares = 0.0;
    for (Index i = 0; i < sequences; ++i) {
        const Sequence sequence = task.draw(i);
        const Vector z = sequence.Z.col(sequence.Z.cols() - 1);
        const double error = sequence.y(0, 0) - attend<double>(heads, sequence.Z, z)(0);
        sum += error * error;
        squares += error * error * error * error;
    }
    const auto N = static_cast<double>(sequences);
    const double mean = sum / N;
    return std::abs(mean - risk) / std::sqrt((squares / N - mean * mean) / N);
}

TEST(IclRegressionStatistics, TheTruthsRiskIsTheLeastOneAndATwiceAsLongStepsIsNot) {
    const double critical =
        boost::math::quantile(boost::math::complement(boost::math::normal(), kAlpha / 2.0));
    const std::vector<IclRegressionOptions> settings{
        {}, {.d = 3, .n = {5, 5}, .prompt_noise = 0.5, .halvings = 1}};
    for (const IclRegressionOptions& options : settings) {
        const std::unique_ptr<Task> task = icl_regression(options, Stream(2024));
        Parameters heads = *task->truth().heads;

        EXPECT_LT(deviation(*task, heads, least_icl_risk(options)), critical);
        heads.heads.front().Q *= 2.0;
        EXPECT_GT(deviation(*task, heads, least_icl_risk(options)), critical);
    }
}

constexpr Index kRows = 2;
constexpr Index kTokens = 3;
constexpr Index kSamples = 40000;

/// Six standard errors: below 1e-8 each for a mean of so many terms.
constexpr double kCritical = 6.0;

/// Mean and standard error of every entry of what is added.
struct Means {
    Matrix sum;
    Matrix squares;

    void add(const Matrix& value) {
        if (sum.size() == 0) {
            sum = Matrix::Zero(value.rows(), value.cols());
            squares = sum;
        }
        sum += value;
        squares += value.cwiseAbs2();
    }

    /// The largest |mean| in standard errors.
    [[nodiscard]] double largest_score() const {
        const Matrix mean = sum / kSamples;
        const Matrix variance = squares / kSamples - mean.cwiseAbs2();
        return (mean.cwiseAbs().array() / (variance.array() / kSamples).sqrt()).maxCoeff();
    }
};

/// Scores of E[H (y − bestᵀH)ᵀ] = 0 and of E‖y − bestᵀH‖² = floor.
std::pair<double, double> scores(const CubicPopulation& population, const Stream& stream) {
    IidEntriesOptions options;
    options.d = kRows;
    options.n = {kTokens, kTokens};
    const AgnosticLabels task(
        iid_entries(options, stream), AgnosticKind::token_cubic, stream.child("labels"));
    Means gradient;
    Means risk;
    for (Index i = 0; i < kSamples; ++i) {
        const Sequence sequence = task.draw(i);
        const Vector h = cubic_features<double>(sequence.Z);
        const Vector residual = sequence.y - population.best.transpose() * h;
        gradient.add(h * residual.transpose());
        risk.add(Matrix::Constant(1, 1, residual.squaredNorm() - population.floor));
    }
    return {gradient.largest_score(), risk.largest_score()};
}

TEST(GaussianPopulation, SecondMomentOfOneRowByHand) {
    // d = 1, n = 2: E[(x² + z²)² z²] = 3 m2 m4 + m6, over the rationals and rounded once.
    const std::vector<Rational> m = moments_of(grid_normal()).m;
    const Rational exact = 3 * m[2] * m[4] + m[6];

    EXPECT_EQ(gaussian_second_moment(1, 2)(0, 0), exact.convert_to<double>());
    EXPECT_LT(std::abs(gaussian_second_moment(1, 2)(0, 0) - 24.0), 24.0 * 0x1p-32)
        << "a normal law's";
}

TEST(GaussianPopulation, CubicLabelsOfOneRowByHand) {
    // y = Σ z_t³, H = (Σ z_t²) z: E[H y] = m6 + (n−1) m2 m4, E[y²] = n m6.
    const std::vector<Rational> m = moments_of(grid_normal()).m;
    const Rational cross = m[6] + m[2] * m[4];
    const Rational best = cross / (3 * m[2] * m[4] + m[6]);
    const Rational floor = 2 * m[6] - cross * best;
    const Matrix one = Matrix::Constant(1, 1, 1.0);

    const CubicPopulation population = cubic_population({one, one, one}, 1, 2);

    // A dozen roundings each, of numbers up to 30.
    const double rounding = 30.0 * gamma_bound(12);
    EXPECT_LT(std::abs(population.best(0, 0) - best.convert_to<double>()), rounding);
    EXPECT_LT(std::abs(population.power - Rational(2 * m[6]).convert_to<double>()), rounding);
    EXPECT_LT(std::abs(population.floor - floor.convert_to<double>()), rounding);
}

TEST(GaussianPopulation, CubicLabelsAreBestExplainedByThisLayer) {
    const Stream stream = Stream(3).child("cubic");
    const std::array<Matrix, 3> factors = token_cubic_factors(kRows, kRows, stream.child("labels"));

    const auto [gradient, risk] = scores(cubic_population(factors, kRows, kTokens), stream);
    const auto [shorter, other] = scores(cubic_population(factors, kRows, kTokens - 1), stream);

    EXPECT_LT(gradient, kCritical);
    EXPECT_LT(risk, kCritical);
    EXPECT_GT(shorter, kCritical) << "the population of another length";
}

}  // namespace

}  // namespace attest::test
