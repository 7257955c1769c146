#include "core/softmax/rarity.hpp"

#include "core/base/error.hpp"
#include "core/data/npz.hpp"
#include "core/softmax/softmax_file.hpp"
#include "tests/core/softmax/planted.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

using test::Planted;
using test::setting;

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
    const test::TemporaryFolder folder;
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
    const test::TemporaryFolder folder;
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
    EXPECT_EQ(test::invalid_input_message([&] { return read_softmax_data(path).meta; }),
              path + ": truth_Theta has another shape, expected (m,2,2)");
    write({1, 2, 2}, {"truth_W"});
    EXPECT_EQ(test::invalid_input_message([&] { return read_softmax_data(path).meta; }),
              path + ": holds one of truth_Theta and truth_W, expected both or none");
}

}  // namespace
}  // namespace attest
