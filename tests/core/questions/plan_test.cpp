#include "core/questions/plan.hpp"

#include "core/certify/coverage/coverage.hpp"
#include "core/certify/numerical/spectrum.hpp"
#include "core/certify/rank/exact_rank.hpp"
#include "core/features/predict.hpp"
#include "core/questions/factored_source.hpp"
#include "core/rng/sample.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace attest {
namespace {

/// Sequences of n tokens, each drawn by `draw` from the words of one example.
using Law = std::function<Matrix(Draws&)>;

Dataset draw_from(const Law& law, Index count, std::uint64_t repetition) {
    Draws draws(Stream(repetition).child("law"));
    Dataset data;
    data.offsets.push_back(0);
    std::vector<Matrix> sequences;
    Index tokens = 0;
    for (Index i = 0; i < count; ++i) {
        sequences.push_back(law(draws));
        tokens += sequences.back().cols();
        data.offsets.push_back(tokens);
    }
    data.tokens.own().resize(sequences.front().rows(), tokens);
    for (Index i = 0; i < count; ++i) {
        data.tokens.own().middleCols(data.first_token(i), data.length(i)) =
            sequences[static_cast<std::size_t>(i)];
    }
    return data;
}

double entry(Draws& draws) {
    return static_cast<double>(draws.below(2001)) / 256.0 - 4.0;
}

/// Three tokens of independent entries, d = 3: full rank 18 after 18 draws.
Matrix generic(Draws& draws) {
    Matrix Z(3, 3);
    for (Index t = 0; t < 9; ++t) {
        Z(t / 3, t % 3) = entry(draws);
    }
    return Z;
}

constexpr Index kCoordinates = 5;

/// One token with a single 1: in coordinate 1 with probability 1/2, in each later one with half of
/// that, the last two alike. Rank 5, since the S_kk z_k are all that does not vanish.
Matrix rare_coordinates(Draws& draws) {
    Index k = 0;
    while (k + 1 < kCoordinates && draws.below(2) == 1) {
        ++k;
    }
    Matrix Z = Matrix::Zero(kCoordinates, 1);
    Z(k, 0) = 1.0;
    return Z;
}

constexpr int kRepetitions = 200;

/// In how many of `kRepetitions` a statement is true.
int count_true(const std::function<bool(std::uint64_t)>& statement) {
    int count = 0;
    for (std::uint64_t repetition = 1; repetition <= kRepetitions; ++repetition) {
        count += statement(repetition) ? 1 : 0;
    }
    return count;
}

/// Of 200 that are true with probability 0.95 each, fewer are with a probability below 1e-8: 33
/// failures or more where 10 are expected.
constexpr int kAtLeast95Percent = 168;

TEST(Plan, OfAGenericLawIsItsRank) {
    const Plan plan = plan_rank(draw_from(generic, 40, 1), Stream(1));
    EXPECT_EQ(plan.draws, 18);
    EXPECT_EQ(plan.at_least, 18);
    EXPECT_EQ(plan.at_most, 18);
    EXPECT_EQ(certify_rank(draw_from(generic, 18, 77)).rank_lower, 18);
}

/// Three one-hot tokens of 6 entries: rank 36, reached by 53 to 127 draws, the median 79 (60 runs).
Matrix one_hot(Draws& draws) {
    Matrix Z = Matrix::Zero(6, 3);
    for (Index t = 0; t < 3; ++t) {
        Z(static_cast<Index>(draws.below(6)), t) = 1.0;
    }
    return Z;
}

TEST(Plan, OfAPilotOfFullRankIsThatNoMoreAreNeeded) {
    for (const Index count : {18, 19, 25}) {
        const Plan plan = plan_rank(draw_from(generic, count, 1), Stream(1));
        EXPECT_TRUE(plan.is_complete);
        EXPECT_EQ(decision(plan), Decision::yes);
        EXPECT_EQ(plan.draws, 18);
        EXPECT_EQ(plan.at_most, 18);
        EXPECT_SAYS(describe({}, {}, plan).text(), "no more examples are needed");
    }
    EXPECT_FALSE(plan_rank(draw_from(generic, 17, 1), Stream(1)).is_complete);
}

TEST(Plan, OfAPilotThatHasAllRankOfItsLengthsIsTheSame) {
    const auto single = [](Draws& draws) { return Matrix(generic(draws).leftCols(1)); };
    const Plan plan = plan_rank(draw_from(single, 10, 1), Stream(1));
    EXPECT_EQ(plan.rank, 10) << "18 − d(d² − 1)/3";
    EXPECT_TRUE(plan.is_complete);
    EXPECT_EQ(plan.at_most, 10);
    EXPECT_SAYS(plan.assumes, "sequences of the pilot's lengths");
}

TEST(Plan, OfAPilotThatShowsAllOfItsLawStaysWithinIt) {
    for (std::uint64_t repetition = 1; repetition <= 20; ++repetition) {
        const Plan plan = plan_rank(draw_from(one_hot, 200, repetition), Stream(repetition));
        ASSERT_TRUE(plan.draws);
        EXPECT_LE(plan.at_least, 127);
        EXPECT_GE(plan.at_most, 79);
        EXPECT_LE(plan.at_most, 400);
    }
}

TEST(Plan, IsUndecidedWhereTheRatesHaveNotSettled) {
    int undecided = 0;
    for (std::uint64_t repetition = 1; repetition <= 20; ++repetition) {
        const Plan plan = plan_rank(draw_from(one_hot, 60, repetition), Stream(repetition));
        if (!plan.draws) {
            ++undecided;
            EXPECT_EQ(decision(plan), Decision::undecided);
            EXPECT_SAYS(plan.too_small, "record as many draws again");
        } else {
            EXPECT_LE(*plan.at_most, 10 * plan.at_least);
            EXPECT_LE(plan.at_least, 127);
        }
    }
    EXPECT_GE(undecided, 10) << "a lower end of 92 and an upper one of 41296, and the like";
}

TEST(Plan, SaysThatFewerThanEightDrawsAreTooFew) {
    const Dataset pilot = draw_from(generic, 7, 1);
    for (const Plan& plan : {plan_rank(pilot, Stream(1)),
                             plan_coverage(pilot, 0.9, Stream(1)),
                             plan_error(pilot, 0.1, 1.0, Stream(1))}) {
        EXPECT_EQ(decision(plan), Decision::undecided);
        EXPECT_SAYS(plan.too_small, "it has 7 sequences, expected at least 8");
    }
    EXPECT_TRUE(plan_rank(draw_from(generic, 8, 1), Stream(1)).too_small.find("expected") ==
                std::string::npos);
}

TEST(Plan, SaysThatAPilotIsTooSmall) {
    const Plan plan = plan_rank(draw_from(generic, 12, 1), Stream(1));
    EXPECT_FALSE(plan.draws || plan.at_most);
    EXPECT_EQ(plan.at_least, 13);
    EXPECT_SAYS(plan.too_small, "full rank would take 6 more directions");
    const Plan coverage = plan_coverage(draw_from(generic, 12, 1), 0.9, Stream(1));
    EXPECT_FALSE(coverage.draws);
    EXPECT_TRUE(coverage.at_most) << "proved for every law";
    EXPECT_FALSE(plan_error(draw_from(generic, 30, 1), 0.1, 1.0, Stream(1)).draws)
        << "halves of 15 draws do not span what is left out";
}

TEST(Plan, ForTheRankReachesItOnFreshDraws) {
    int planned = 0;
    const int reached = count_true([&](std::uint64_t repetition) {
        const Plan plan =
            plan_rank(draw_from(rare_coordinates, 800, repetition), Stream(repetition));
        if (!plan.draws || plan.rank < kCoordinates) {
            return true;
        }
        ++planned;
        return certify_rank(draw_from(rare_coordinates, *plan.at_most, repetition + 1000))
                   .rank_lower == kCoordinates;
    });
    EXPECT_GE(planned, 150) << "most pilots say something";
    EXPECT_GE(reached, kAtLeast95Percent);
}

/// Negative control: the least of the interval does not suffice as often.
TEST(Plan, ForTheRankNeedsMoreThanItsLeast) {
    const int reached = count_true([&](std::uint64_t repetition) {
        const Plan plan =
            plan_rank(draw_from(rare_coordinates, 800, repetition), Stream(repetition));
        return certify_rank(draw_from(rare_coordinates, plan.at_least, repetition + 1000))
                   .rank_lower == kCoordinates;
    });
    EXPECT_LT(reached, kAtLeast95Percent);
}

/// Draws of a law of which `data` leave out at most `open`: coordinates that data do not show, by
/// their probabilities.
bool leaves_open_at_most(const Dataset& data, double open) {
    double unseen = 0.0;
    double left = 1.0;
    for (Index k = 0; k < kCoordinates; ++k) {
        const double probability = k + 1 == kCoordinates ? left : left / 2.0;
        left -= probability;
        unseen += data.tokens.view().row(k).maxCoeff() > 0.0 ? 0.0 : probability;
    }
    return unseen <= open;
}

TEST(Plan, ForTheCoverageReachesItInTheMeanAndForSureAtMost) {
    double mean = 0.0;
    const int covered = count_true([&](std::uint64_t repetition) {
        const Plan plan =
            plan_coverage(draw_from(rare_coordinates, 400, repetition), 0.9, Stream(repetition));
        const std::uint64_t fresh = repetition + 5000;
        mean += leaves_open_at_most(draw_from(rare_coordinates, *plan.draws, fresh), 0.15) ? 1 : 0;
        return leaves_open_at_most(draw_from(rare_coordinates, *plan.at_most, fresh), 0.1);
    });
    EXPECT_EQ(covered, kRepetitions) << "proved at 95 %, and this law is easy";
    EXPECT_GE(mean, kRepetitions / 2.0);
}

/// Excess risk of least squares on fresh draws of the law, in the mean over the noise: exactly
/// σ²·o·tr(Λ Λ_N⁻¹)/N, by 4000 draws for Λ.
double excess_of(const Law& law, Index count, double sigma, std::uint64_t repetition) {
    const Dataset data = draw_from(law, count, repetition);
    const Dataset fresh = draw_from(law, 4000, repetition + 1);
    const TriangularFactor factor = triangular_factor(DatasetSource(data));
    return sigma * sigma * NumericalLeverage(factor).mean(DatasetSource(fresh)) /
           static_cast<double>(count);
}

TEST(Plan, ForTheErrorReachesItInTheMeanOverTheNoise) {
    constexpr double kSigma = 0.5;
    constexpr double kError = 0.02;
    const Plan plan = plan_error(draw_from(generic, 400, 1), kError, kSigma, Stream(1));
    ASSERT_TRUE(plan.draws);
    EXPECT_EQ(plan.at_least, static_cast<Index>(std::ceil(kSigma * kSigma * 18 / kError)));
    double mean = 0.0;
    for (std::uint64_t repetition = 0; repetition < 20; ++repetition) {
        mean += excess_of(generic, *plan.draws, kSigma, 100 + 2 * repetition) / 20.0;
    }
    // c is known to about 10 % of c/N ≈ 0.1 and the mean of 20 designs to 1 %.
    EXPECT_NEAR(mean / kError, 1.0, 0.05);
    EXPECT_GT(excess_of(generic, plan.at_least, kSigma, 100), kError) << "no design undercuts it";
    EXPECT_GT(*plan.at_most, *plan.draws);
}

/// Excess risk of the minimiser of pure noise: the truth is 0.
double realised_excess(Index count, double sigma, std::uint64_t repetition) {
    Dataset data = draw_from(generic, count, repetition);
    data.labels = LabelKind::per_sequence;
    data.y = sigma * grid_matrix(grid_normal(), 1, count, Stream(repetition).child("noise"));
    const Dataset fresh = draw_from(generic, 2000, repetition + 100000);
    const DatasetSource source(data);
    const Matrix outputs = predict(FactoredSource(source).minimiser().P, DatasetSource(fresh));
    return outputs.squaredNorm() / 2000.0;
}

TEST(Plan, ForTheErrorReachesItAtMostWithProbability95Percent) {
    constexpr double kSigma = 0.5;
    constexpr double kError = 0.02;
    const Plan plan = plan_error(draw_from(generic, 400, 1), kError, kSigma, Stream(1));
    const auto reached_with = [&](Index draws) {
        return count_true([&](std::uint64_t repetition) {
            return realised_excess(draws, kSigma, repetition) <= kError;
        });
    };
    EXPECT_GE(reached_with(*plan.at_most), kAtLeast95Percent);
    EXPECT_LT(reached_with(plan.at_least), kAtLeast95Percent) << "negative control";
}

TEST(Plan, CountsAllLabelsOfASequenceWherePrefixesHaveThem) {
    Dataset pilot = draw_from(generic, 400, 1);
    pilot.labels = LabelKind::per_prefix;
    pilot.y = Matrix::Zero(1, pilot.offsets.back());
    const Plan plan = plan_error(pilot, 0.02, 0.5, Stream(1));
    EXPECT_EQ(plan.at_least, 75) << "0.25*18/0.02 labels, three a sequence";
}

TEST(Plan, RefusesWhatIsNoTarget) {
    const Dataset pilot = draw_from(generic, 40, 1);
    EXPECT_REFUSED("plan: got the coverage 1", plan_coverage(pilot, 1.0, Stream(1)));
    EXPECT_REFUSED("plan: got the error 0", plan_error(pilot, 0.0, 1.0, Stream(1)));
    EXPECT_REFUSED("noise: got -1", plan_error(pilot, 0.1, -1.0, Stream(1)));
}

}  // namespace
}  // namespace attest
