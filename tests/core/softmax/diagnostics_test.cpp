#include "core/softmax/diagnostics.hpp"

#include "core/base/error.hpp"
#include "core/data/archive/npz.hpp"
#include "core/softmax/examples.hpp"
#include "core/softmax/pipeline.hpp"
#include "tests/core/softmax/planted.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest::test {
namespace {

TEST(Agreement, CountsRowsOnWhichTwoLogisticPatternsAreClose) {
    // d = 1, x = (1, 0): row 0 has p_0 = 1/(1 + exp(−θ)), row 1 is uniform under every θ.
    const auto head = [](double theta) {
        return SoftmaxHead{theta * Matrix::Ones(1, 1), Matrix::Ones(1, 1)};
    };
    Matrix X(1, 2);
    X << 1.0, 0.0;
    const SoftmaxSource source = source_of({2, X, Matrix::Zero(1, 2)});
    const std::vector<double> epsilons{0.3, 0.2};

    // 0.731 and 0.5 differ by 0.231.
    const Rarity rarity = agreement({head(1.0), head(0.0)}, source, epsilons);
    const Rarity extreme = agreement({head(6.0), head(6.5)}, source, epsilons);

    EXPECT_EQ(rarity.rows, 2);
    EXPECT_EQ(rarity.agreeing, (std::vector<Index>{2, 1}));
    EXPECT_EQ(rarity.sparse, 0);
    // exp(−6) < 0.05: row 0 agrees, but its least probability is too small; it is 1-sparse.
    EXPECT_EQ(extreme.agreeing, (std::vector<Index>{1, 1}));
    EXPECT_EQ(extreme.sparse, 1);
}

TEST(RaritySlope, OfAPowerLawIsItsExponent) {
    const std::vector<double> epsilons{0.1, 0.01};
    // Logarithms up to 14, rounded, over a spread of log 10; the normal equations of the line
    // square that ratio: (14 / 2.3)² ≈ 37 roundings of 2⁻⁵³, a few times.
    EXPECT_LT(std::abs(rarity_slope({1000000, {40000, 400}, 0}, epsilons) - 2.0),
              8.0 * 37.0 * 0x1p-53);
    EXPECT_TRUE(std::isnan(rarity_slope({1000000, {40000, 4}, 0}, epsilons)));
}

TEST(RaritySlope, WeighsEveryPointByItsRows) {
    // log_10 of the shares −4, −2, −2 at log_10 ε = −2, −1, 0 with 100, 10⁴ and 10⁴ rows of 10⁶:
    // with equal weights the slope is 1; with these it is Σw(u − ū)(v − v̄)/Σw(u − ū)² = 2/35.
    const std::vector<double> epsilons{0.01, 0.1, 1.0};

    const double slope = rarity_slope({1000000, {100, 10000, 10000}, 0}, epsilons);

    // Sums of at most 2·10⁴·(2·2.3)·(2·2.3), of which the differences are a 40th: a few roundings
    // times 40, in numerator and denominator.
    EXPECT_LT(std::abs(slope * 35.0 / 2.0 - 1.0), 2.0 * 8.0 * 40.0 * 0x1p-52);
}

TEST(SoftmaxFile, HoldsExamplesAndHeads) {
    const TemporaryFolder folder;
    const Planted planted(setting(TokenLaw::gaussian, 3, 2, 2, 1.0), 7, 1);
    const SoftmaxData data{planted.source().draw(0, 7), planted.heads(), "{}"};

    write_softmax_data(folder.file("a.npz"), data);
    const SoftmaxData back = read_softmax_data(folder.file("a.npz"));

    EXPECT_EQ(back.examples.X, data.examples.X);
    EXPECT_EQ(back.examples.Y, data.examples.Y);
    ASSERT_TRUE(back.truth.has_value());
    EXPECT_EQ((*back.truth)[1].Theta, planted.heads()[1].Theta);
    EXPECT_EQ((*back.truth)[1].W, planted.heads()[1].W);
    write_softmax_data(folder.file("b.npz"), {data.examples, std::nullopt, ""});
    EXPECT_FALSE(read_softmax_data(folder.file("b.npz")).truth.has_value());
}

TEST(SoftmaxFile, RefusesATruthOfAnotherShapeOrHalfOfOne) {
    const TemporaryFolder folder;
    const std::string path = folder.file("a.npz");
    const auto write = [&](const std::vector<Index>& theta, const std::vector<std::string>& keys) {
        NpzWriter file;
        file.add("Z", {DType::float64, {1, 2, 2}, {1.0, 2.0, 3.0, 4.0}});
        file.add("y", {DType::float64, {1, 4}, {1.0, 2.0, 3.0, 4.0}});
        for (const std::string& key : keys) {
            file.add(key, {DType::float64, theta, std::vector<double>(4, 1.0)});
        }
        file.write(path);
    };
    write({2, 2, 1}, {"truth_Theta", "truth_W"});
    EXPECT_EQ(invalid_input_message([&] { return read_softmax_data(path).meta; }),
              path + ": truth_Theta has another shape, expected (m,2,2)");
    write({1, 2, 2}, {"truth_W"});
    EXPECT_EQ(invalid_input_message([&] { return read_softmax_data(path).meta; }),
              path + ": holds one of truth_Theta and truth_W, expected both or none");
}

double without_a_head(const Planted& planted, const SoftmaxHeads& heads) {
    return error_without_a_head(heads, planted.source().draw(0, 300), planted.held_out());
}

TEST(ErrorWithoutAHead, IsLargeForDistinctHeads) {
    const Planted planted(setting(TokenLaw::gaussian, 4, 2, 2, 3.0), 300, 1);

    EXPECT_GT(without_a_head(planted, planted.heads()), kNetSuccess);
}

TEST(ErrorWithoutAHead, IsRoundingWhereOneHasNoValues) {
    const Planted planted(setting(TokenLaw::gaussian, 4, 2, 2, 3.0), 300, 2);
    SoftmaxHeads heads = planted.heads();
    heads.push_back({Matrix::Identity(4, 4), Matrix::Zero(4, 4)});

    EXPECT_LT(without_a_head(planted, heads), kExactSuccess);
}

TEST(ErrorWithoutAHead, IsRoundingWhereTwoStandForOne) {
    const Planted planted(setting(TokenLaw::gaussian, 4, 2, 2, 3.0), 300, 3);
    SoftmaxHeads heads = planted.heads();
    // As far apart as a polished fit can leave them.
    const Matrix shift = 3e-7 * Matrix::Identity(4, 4);
    heads.push_back({heads[0].Theta + shift, 0.5 * heads[0].W});
    heads[0].Theta -= shift;
    heads[0].W *= 0.5;

    EXPECT_LT(without_a_head(planted, heads), kExactSuccess);
}

TEST(ErrorWithoutAHead, IsInfiniteForASingleHead) {
    const Planted planted(setting(TokenLaw::gaussian, 4, 2, 1, 3.0), 300, 4);

    EXPECT_TRUE(std::isinf(without_a_head(planted, planted.heads())));
}

TEST(OutcomeAgainst, PlantedHeadsIsNeverRecoveredInAnotherNumber) {
    const SoftmaxHeads one(1);
    const SoftmaxHeads two(2);

    EXPECT_EQ(outcome_against(SoftmaxOutcome::recovered, two, two), SoftmaxOutcome::recovered);
    EXPECT_EQ(outcome_against(SoftmaxOutcome::recovered, one, two), SoftmaxOutcome::predicts);
    EXPECT_EQ(outcome_against(SoftmaxOutcome::recovered_by_polish, one, two),
              SoftmaxOutcome::failed);
}

TEST(NonDegeneracy, OfOrthogonalUnitHeadsIsWhatOneComputesByHand) {
    // Θ_1 = E_11, Θ_2 = E_22, W_1 = I, W_2 = diag(1, −½): ΣW = diag(2, ½).
    SoftmaxHeads heads(2, {Matrix::Zero(2, 2), Matrix::Identity(2, 2)});
    heads[0].Theta(0, 0) = 1.0;
    heads[1].Theta(1, 1) = 1.0;
    heads[1].W(1, 1) = -0.5;

    const NonDegeneracy found = non_degeneracy(heads, 2);

    constexpr double kBound = 30.0 * 0x1p-52;
    EXPECT_LT(found.largest_cosine, kBound);
    EXPECT_LT(std::abs(found.theta_sigma - 1.0), kBound);
    EXPECT_LT(std::abs(found.theta_distance - std::sqrt(2.0)), kBound);
    EXPECT_LT(std::abs(found.proxy_norm - std::sqrt(0.5)), kBound);
    EXPECT_LT(std::abs(found.proxy_weight - 0.5), kBound);
    EXPECT_LT(std::abs(found.effective_rank - 1.0), kBound);
    EXPECT_LT(std::abs(found.sum_sigma - 0.5 * std::sqrt(2.0) / std::sqrt(4.25)), kBound);
    EXPECT_TRUE(found.rows_injective);
    EXPECT_FALSE(non_degeneracy(heads, 3).rows_injective);
}

TEST(NonDegeneracy, SeesParallelHeadsAndCancellingValues) {
    SoftmaxHeads heads(2, {Matrix::Identity(3, 3), Matrix::Identity(3, 3)});
    heads[1].Theta *= 2.0;
    heads[1].W *= -1.0;

    const NonDegeneracy found = non_degeneracy(heads, 2);

    EXPECT_LT(std::abs(found.largest_cosine - 1.0), 30.0 * 0x1p-52);
    EXPECT_LT(found.theta_sigma, 30.0 * 0x1p-52);
    EXPECT_LT(found.value_sigma, 30.0 * 0x1p-52);
    EXPECT_EQ(found.sum_sigma, 0.0);
    heads[0].W.setZero();
    EXPECT_REFUSED("non_degeneracy: got a head with Theta = 0 or W = 0", non_degeneracy(heads, 2));
}

TEST(HullError, IsRelativeToTheHead) {
    // One head Θ = (3, 0; 0, 4) of norm 5, and the hull {3Θ/2}, 5/2 away.
    const SoftmaxHeads planted{{Matrix{{3.0, 0.0}, {0.0, 4.0}}, Matrix::Identity(2, 2)}};
    ThetaHull hull;
    hull.x0 = 1.5 * flattened_thetas(planted).col(0);
    hull.directions = Matrix(4, 0);
    hull.found = true;

    EXPECT_EQ(hull_error(hull, planted).distance, 0.5);
    EXPECT_EQ(hull_error(hull, planted).angle_degrees, 0.0);
}

TEST(OutcomeAgainst, AnotherNumberOfHeadsIsNotRecoveredButMayPredict) {
    const SoftmaxHeads one(1, {Matrix::Identity(2, 2), Matrix::Identity(2, 2)});
    const SoftmaxHeads two(2, one.front());
    const auto against = [&](SoftmaxOutcome outcome) { return outcome_against(outcome, one, two); };

    EXPECT_EQ(against(SoftmaxOutcome::recovered), SoftmaxOutcome::predicts);
    EXPECT_EQ(against(SoftmaxOutcome::predicts), SoftmaxOutcome::predicts);
    EXPECT_EQ(against(SoftmaxOutcome::recovered_by_polish), SoftmaxOutcome::failed);
    EXPECT_EQ(against(SoftmaxOutcome::failed), SoftmaxOutcome::failed);
    EXPECT_EQ(outcome_against(SoftmaxOutcome::recovered, two, two), SoftmaxOutcome::recovered);
}

TEST(RecoveryError, MatchesHeadsInAnyOrder) {
    const SoftmaxHeads planted = Planted(setting(TokenLaw::gaussian, 3, 2, 3, 1.0), 1, 0).heads();
    SoftmaxHeads learned{planted[2], planted[0], planted[1]};

    EXPECT_EQ(recovery_error(learned, planted).worst(), 0.0);
    learned[1].W *= 1.5;
    EXPECT_LT(std::abs(recovery_error(learned, planted).value - 0.5), 0x1p-48);
    learned[0].Theta = planted[0].Theta;
    EXPECT_GT(recovery_error(learned, planted).theta, 0.1);
    EXPECT_REFUSED("recovery_error: got 1 learned and 3 planted heads",
                   recovery_error({planted[0]}, planted));
}

TEST(SoftmaxNotices, AreOneLineEach) {
    for (Index i = 0; i <= static_cast<Index>(SoftmaxNotice::redundant_head); ++i) {
        const auto notice = static_cast<SoftmaxNotice>(i);
        EXPECT_EQ(explanation(notice).find('\n'), std::string_view::npos);
        EXPECT_GT(explanation(notice).size(), to_string(notice).size());
    }
    EXPECT_EQ(to_string(SoftmaxOutcome::recovered_by_polish), "recovered_by_polish");
}

}  // namespace

}  // namespace attest::test
