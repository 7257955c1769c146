#include "core/audit/margin.hpp"

#include "tests/core/audit/audit_examples.hpp"
#include "tests/support/counted_source.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

TEST(Margin, IsWithheldWhereItCostsMoreThanTheProof) {
    // d = 1, ψ = 1: the spectrum is cheap up to 1e10 examples, the enclosure up to 1e7.
    const Dataset data = test::one_sign_wrong();
    const ExactRank rank = certify_rank(data);
    const DatasetSource source(data);

    const std::optional<Margin> margin = margin_where_cheap(FactoredSource(source), rank);

    ASSERT_TRUE(margin && margin->enclosure);
    EXPECT_LE(to_double(margin->enclosure->lo), 1.0) << "the second moment of z = 1";
    EXPECT_GE(to_double(margin->enclosure->hi), 1.0);
}

/// A source that says it is large; nobody may read it.
class Large final : public MomentSource {
public:
    explicit Large(Index num_examples) : num_examples_(num_examples) {}

    [[nodiscard]] SourceShape shape() const override { return {1, 0, num_examples_, 1}; }

    [[nodiscard]] MomentBatch block(Index /*b*/) const override { throw std::logic_error("read"); }

private:
    Index num_examples_;
};

TEST(Margin, OfLargeDataIsNotEvenBegun) {
    const ExactRank rank;
    const Large beyond(20'000'000'000);
    const Large within(5'000'000'000);

    EXPECT_FALSE(margin_where_cheap(FactoredSource(beyond), rank));
    EXPECT_ANY_THROW((void)margin_where_cheap(FactoredSource(within), rank));
}

TEST(Margin, OfAProvedDeficiencyHasNoEnclosure) {
    const Dataset data = test::planted(40, 1);
    const test::CountedSource source(data);

    const std::optional<Margin> margin =
        margin_where_cheap(FactoredSource(source), certify_rank(data));

    ASSERT_TRUE(margin);
    EXPECT_EQ(margin->spectrum.nullity(), 2);
    EXPECT_FALSE(margin->enclosure);
    EXPECT_EQ(source.passes(), 1);
}

}  // namespace
}  // namespace attest
