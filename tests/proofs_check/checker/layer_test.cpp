#include "proofs_check/checker/layer.hpp"

#include <gtest/gtest.h>

namespace attest::checker {
namespace {

Layer layer(const std::string& text) {
    return parse_layer(text).value();
}

TEST(ParseLayer, ReadsKernelsInTheirOrder) {
    const Layer mixed = layer("decay=1,31/32 table=1:-1/6,3 window=4 decay=1/5");

    ASSERT_EQ(mixed.kernels.size(), 6U);
    EXPECT_EQ(mixed.kernels[1].rate, Rational(31, 32));
    EXPECT_EQ(mixed.kernels[2].values, (std::vector<Rational>{1, Rational(-1, 6)}));
    EXPECT_EQ(mixed.kernels[3].values, (std::vector<Rational>{3}));
    EXPECT_EQ(mixed.kernels[4].to, 4);
    EXPECT_EQ(mixed.kernels[5].rate, Rational(1, 5));
    EXPECT_EQ(mixed.rate_denominator, 160);
    EXPECT_EQ(mixed.table_denominator, 6);
}

TEST(ParseLayer, MakesOneKernelOfEachLagAndOneOfTheRest) {
    const Layer lags = layer("lags=2");

    ASSERT_EQ(lags.kernels.size(), 3U);
    EXPECT_EQ(lags.kernels[0].from, 0);
    EXPECT_EQ(lags.kernels[0].to, 1);
    EXPECT_EQ(lags.kernels[1].from, 1);
    EXPECT_EQ(lags.kernels[2].from, 2);
    EXPECT_EQ(lags.kernels[2].to, Kernel::kNever);
}

TEST(ParseLayer, TellsTheSimpleWordsApart) {
    EXPECT_TRUE(layer("moments").moments);
    EXPECT_TRUE(layer("mapped gates=vector").mapped);
    EXPECT_TRUE(layer("mapped gates=vector").vector_gates);
    EXPECT_TRUE(layer("delta gates=vector cross").delta);
    EXPECT_FALSE(layer("mapped gates=vector").delta);
    EXPECT_FALSE(layer("gates cross affine").vector_gates);
    EXPECT_TRUE(layer("gates cross affine").gated);
    EXPECT_TRUE(layer("cross affine").cross);
    EXPECT_TRUE(layer("affine").affine);
    EXPECT_FALSE(layer("cross").affine);
    EXPECT_EQ(layer("degree=3").first_degree, 3);
    EXPECT_EQ(layer("degree=0..12").first_degree, 0);
    EXPECT_EQ(layer("degree=0..12").last_degree, 12);
}

TEST(ParseLayer, TakesTheLargestParameters) {
    const std::string thousand_digits = "1" + std::string(999, '0');

    EXPECT_TRUE(parse_layer("window=1000000 lags=998"));
    EXPECT_FALSE(parse_layer("window=1000000 lags=999"));
    EXPECT_FALSE(parse_layer("window=1000001"));
    EXPECT_TRUE(parse_layer("lags=999"));
    EXPECT_FALSE(parse_layer("lags=1000"));
    EXPECT_TRUE(parse_layer("decay=1/" + thousand_digits));
    EXPECT_FALSE(parse_layer("decay=1/" + thousand_digits + "0"));
    EXPECT_FALSE(parse_layer("degree=13"));
}

/// Ones without end, up to this many characters.
std::string long_table(std::size_t size) {
    std::string text = "table=1";
    while (text.size() + 2 <= size) {
        text += ":1";
    }
    return text;
}

TEST(ParseLayer, TakesAMillionCharacters) {
    EXPECT_TRUE(parse_layer(long_table(1 << 20)));
    EXPECT_FALSE(parse_layer(long_table((1 << 20) + 2)));
}

TEST(ParseLayer, RefusesEveryOtherSpelling) {
    for (const char* text : {"",
                             "linear",
                             " affine",
                             "affine ",
                             "cross  affine",
                             "affine cross",
                             "cross cross",
                             "affine decay=1",
                             "decay=1 decay=1/2",
                             "window=1 window=2",
                             "decay=2/4",
                             "decay=1/1",
                             "decay=0",
                             "decay=-1/2",
                             "decay=3/2",
                             "decay=01",
                             "decay=0.5",
                             "decay=1,",
                             "decay=",
                             "table=1::1",
                             "table=-0",
                             "table=0/2",
                             "table=1/-2",
                             "window=0",
                             "window=-1",
                             "lags=0",
                             "lags=1,2",
                             "degree=2..2",
                             "degree=3..1",
                             "degree=1..",
                             "degree=-1",
                             "gates=scalar",
                             "gates decay=1",
                             "gates=vector affine",
                             "gates=vector cross",
                             "mapped affine",
                             "mapped gates cross",
                             "degree=1 affine",
                             "mapped degree=1",
                             "moments affine",
                             "moments decay=1",
                             "Affine"}) {
        EXPECT_FALSE(parse_layer(text)) << text;
    }
}

}  // namespace
}  // namespace attest::checker
