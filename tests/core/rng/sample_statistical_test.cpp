#include "core/exact/scalars.hpp"
#include "core/rng/orthogonal.hpp"
#include "core/rng/sample.hpp"
#include "core/rng/stream.hpp"
#include "tests/support/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace attest::test {

namespace {

constexpr Index kDraws = Index{1} << 20;

struct Case {
    const char* label;
    GridLaw law;
};

std::vector<Case> all_laws() {
    return {{"gaussian", grid_normal()},
            {"laplace", grid_laplace()},
            {"uniform", grid_uniform()},
            {"three-point", three_point(probability_weight(0.375))},
            {"rademacher", rademacher()},
            {"bernoulli", bernoulli(probability_weight(0.3))},
            {"shifted", grid_normal().shifted(0.5)}};
}

/// Neighbouring atoms joined into cells of probability 2⁻⁸ or more: numerator → cell.
struct Cells {
    std::map<double, std::size_t> of_value;
    std::vector<double> expected;
};

Cells cells_of(const GridLaw& law) {
    const double unit = 1.0 / static_cast<double>(Index{1} << law.bits());
    Cells cells;
    double mass = 0.0;
    for (const GridLaw::Atom& atom : law.atoms()) {
        cells.of_value[static_cast<double>(atom.numerator) * unit] = cells.expected.size();
        mass += static_cast<double>(atom.weight) * 0x1p-64;
        if (mass >= 0x1p-8) {
            cells.expected.push_back(mass * static_cast<double>(kDraws));
            mass = 0.0;
        }
    }
    if (mass * static_cast<double>(kDraws) >= 20.0) {
        cells.expected.push_back(mass * static_cast<double>(kDraws));
    } else {
        cells.expected.back() += mass * static_cast<double>(kDraws);
    }
    return cells;
}

double statistic(const GridLaw& drawn, const Cells& cells) {
    const Stream stream = Stream(2024).child("chi-square").child(drawn.name());
    const Matrix z = grid_matrix(drawn, kDraws, 1, stream);
    std::vector<double> observed(cells.expected.size(), 0.0);
    for (Index i = 0; i < kDraws; ++i) {
        const std::size_t cell = cells.of_value.at(z(i, 0));
        observed[std::min(cell, observed.size() - 1)] += 1.0;
    }
    return chi_square(observed, cells.expected);
}

TEST(SampleStatistics, DrawsMatchTheExactProbabilities) {
    for (const Case& c : all_laws()) {
        const Cells cells = cells_of(c.law);
        const auto degrees = static_cast<Index>(cells.expected.size()) - 1;

        EXPECT_LT(statistic(c.law, cells), chi_square_critical(degrees)) << c.label;
    }
}

TEST(SampleStatistics, DrawsOfASlightlyDifferentLawAreCaught) {
    const Cells cells = cells_of(bernoulli(probability_weight(0.3)));

    EXPECT_GT(statistic(bernoulli(probability_weight(0.31)), cells), chi_square_critical(1));
}

TEST(SampleStatistics, SampleMomentsMatchTheExactMoments) {
    for (const Case& c : all_laws()) {
        const Matrix z =
            grid_matrix(c.law, kDraws, 1, Stream(2024).child("moments").child(c.label));
        const double reach =
            static_cast<double>(c.law.largest()) / static_cast<double>(Index{1} << c.law.bits());
        for (Index order = 1; order <= 6; ++order) {
            const auto expected = static_cast<double>(c.law.moment<Rational>(order));
            const auto square = static_cast<double>(c.law.moment<Rational>(2 * order));
            const double mean = z.array().pow(static_cast<double>(order)).mean();

            const double bound = 2.0 * std::pow(reach, static_cast<double>(order));
            EXPECT_LT(std::abs(mean - expected),
                      bernstein_deviation(square - expected * expected, bound, kDraws))
                << c.label << ", moment " << order;
        }
    }
}

TEST(SampleStatistics, BelowIsUniform) {
    const std::uint64_t n = 100;
    Draws draws(Stream(2024).child("below"));
    std::vector<double> observed(n, 0.0);

    for (Index i = 0; i < kDraws; ++i) {
        observed[draws.below(n)] += 1.0;
    }

    const std::vector<double> expected(n, static_cast<double>(kDraws) / static_cast<double>(n));
    EXPECT_LT(chi_square(observed, expected), chi_square_critical(static_cast<Index>(n) - 1));
}

TEST(SampleStatistics, AllPermutationsOfFourAreEquallyFrequent) {
    const Index trials = 24000;
    std::map<std::vector<Index>, double> count;

    for (Index i = 0; i < trials; ++i) {
        count[random_permutation(4, Stream(2024).child("permutation").child(i))] += 1.0;
    }

    std::vector<double> observed;
    observed.reserve(count.size());
    for (const auto& [order, times] : count) {
        observed.push_back(times);
    }
    ASSERT_EQ(observed.size(), 24U);
    EXPECT_LT(chi_square(observed, std::vector<double>(24, 1000.0)), chi_square_critical(23));
}

constexpr Index kMatrices = 40000;

// Under Haar measure on O(d): E[Q_ij] = 0, E[Q_ij²] = 1/d, E[Q_ij⁴] = 3/(d(d+2)), E[tr Q] = 0,
// E[(tr Q)²] = 1 (Diaconis and Shahshahani 1994).
TEST(OrthogonalStatistics, EntriesAndTraceHaveHaarMoments) {
    for (const Index d : {2, 4}) {
        const Stream stream = Stream(2024).child("haar").child(d);
        double first = 0.0;
        double square = 0.0;
        double fourth = 0.0;
        double trace_square = 0.0;
        for (Index i = 0; i < kMatrices; ++i) {
            const Matrix Q = random_orthogonal(d, stream.child(i));
            const double x = Q(d - 1, 0);
            first += x;
            square += x * x;
            fourth += x * x * x * x;
            trace_square += Q.trace() * Q.trace();
        }
        const auto n = static_cast<double>(kMatrices);
        const auto D = static_cast<double>(d);

        // Variances: at most 1/d, E[x⁴], E[x⁸] ≤ E[x⁴], and E[(tr Q)⁴] ≤ d²·1.
        const double m4 = 3.0 / (D * (D + 2.0));
        EXPECT_LT(std::abs(first / n), bernstein_deviation(1.0 / D, 1.0, kMatrices)) << d;
        EXPECT_LT(std::abs(square / n - 1.0 / D), bernstein_deviation(m4, 1.0, kMatrices)) << d;
        EXPECT_LT(std::abs(fourth / n - m4), bernstein_deviation(m4, 1.0, kMatrices)) << d;
        EXPECT_LT(std::abs(trace_square / n - 1.0), bernstein_deviation(D * D, D * D, kMatrices))
            << d;
    }
}

constexpr Index kPairs = Index{1} << 18;

/// Chi-square of the joint law of four bits of one word and four of another over many pairs.
template <class Pair>
double joint_statistic(const Pair& pair, unsigned shift) {
    std::vector<double> observed(256, 0.0);
    for (Index i = 0; i < kPairs; ++i) {
        const auto [a, b] = pair(i);
        observed[(a >> shift & 15U) * 16 + (b >> shift & 15U)] += 1.0;
    }
    return chi_square(observed, std::vector<double>(256, static_cast<double>(kPairs) / 256.0));
}

TEST(StreamStatistics, SiblingsAreIndependent) {
    const Stream root = Stream(1).child("siblings");
    for (const unsigned shift : {0U, 30U, 60U}) {
        const auto pair = [&](Index i) {
            return std::pair{root.child(i).at(0), root.child(i + 1).at(0)};
        };

        EXPECT_LT(joint_statistic(pair, shift), chi_square_critical(255)) << shift;
    }
}

TEST(StreamStatistics, ParentAndChildAreIndependent) {
    const auto pair = [](Index i) {
        const Stream parent(static_cast<std::uint64_t>(i));
        return std::pair{parent.at(0), parent.child(0).at(0)};
    };

    EXPECT_LT(joint_statistic(pair, 60), chi_square_critical(255));
}

TEST(StreamStatistics, NeighbouringWordsAreIndependent) {
    const Stream stream = Stream(1).child("words");
    for (const unsigned shift : {0U, 60U}) {
        const auto pair = [&](Index i) { return std::pair{stream.at(i), stream.at(i + 1)}; };

        EXPECT_LT(joint_statistic(pair, shift), chi_square_critical(255)) << shift;
    }
}

TEST(StreamStatistics, AStreamPairedWithItselfIsCaught) {
    const Stream stream = Stream(1).child("words");
    const auto pair = [&](Index i) { return std::pair{stream.at(i), stream.at(i)}; };

    EXPECT_GT(joint_statistic(pair, 60), chi_square_critical(255));
}

}  // namespace

}  // namespace attest::test
