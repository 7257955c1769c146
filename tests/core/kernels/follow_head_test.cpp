#include "core/kernels/follow_head.hpp"

#include "core/algebra/matrix.hpp"
#include "core/exact/dyadic.hpp"
#include "tests/core/kernels/small_dumps.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace attest {
namespace {

using test::every_recurrence;
using test::exact_head;
using test::small_dump;

Rational exactly(long double value) {
    const auto high = static_cast<double>(value);
    return Rational(to_rational(high) +
                    to_rational(static_cast<double>(value - static_cast<long double>(high))));
}

/// |exact − value| ≤ radius ≤ bound, and how large the radius is beside the value.
double expect_enclosed(const Enclosed& found, const VectorOf<Rational>& exact) {
    double largest = 0.0;
    for (std::size_t c = 0; c < found.value.size(); ++c) {
        const Rational error =
            abs(Rational(exactly(found.value[c]) - exact(static_cast<Index>(c))));
        EXPECT_LE(error, to_rational(found.radius[c]));
        EXPECT_LE(found.radius[c], found.bound[c]);
        largest = std::max(largest, found.radius[c]);
    }
    return largest;
}

/// The same with numbers of 53 bits, or 24, so that products are rounded.
KernelDump with_full_mantissas(KernelDump dump, Precision precision) {
    for (std::vector<double>* array : {&dump.q, &dump.k, &dump.v, &dump.gates, &dump.beta}) {
        for (double& entry : *array) {
            entry = rounded(precision, entry * 0.97);
        }
    }
    return dump;
}

class EveryRecurrence : public ::testing::TestWithParam<Recurrence> {};

TEST_P(EveryRecurrence, EnclosesTheExactOutputsAndStates) {
    const KernelDump dump =
        with_full_mantissas(small_dump(GetParam(), 20, 2, 3, 4), Precision::fp64);
    for (Index h = 0; h < dump.heads; ++h) {
        const test::ExactHead exact = exact_head(dump, h);
        const auto state = follow_head(dump, 0, h, {}, [&](Index t, const Enclosed& output) {
            EXPECT_LT(expect_enclosed(output, exact.outputs.col(t)), 1e-12);
            return true;
        });
        ASSERT_EQ(state.has_value(), GetParam() != Recurrence::normalised);
        if (state) {
            expect_enclosed(*state, flatten<Rational>(exact.state));
        }
    }
}

/// What a state carried in float gives.
TEST_P(EveryRecurrence, BoundsWhatAStateInFloatGives) {
    const KernelDump dump =
        with_full_mantissas(small_dump(GetParam(), 40, 1, 4, 3), Precision::fp32);
    bool differs = false;
    std::vector<Enclosed> right;
    (void)follow_head(dump, 0, 0, {}, [&](Index, const Enclosed& output) {
        right.push_back(output);
        return true;
    });
    const FollowOptions in_float{{}, StateRounding{Precision::fp32, 1}};
    std::size_t at = 0;
    (void)follow_head(dump, 0, 0, in_float, [&](Index, const Enclosed& output) {
        for (std::size_t c = 0; c < output.value.size(); ++c) {
            const auto error = static_cast<double>(std::abs(output.value[c] - right[at].value[c]));
            EXPECT_LE(error, right[at].bound[c]);
            differs = differs || error > 0.0;
        }
        ++at;
        return true;
    });
    EXPECT_TRUE(differs) << "nothing was rounded";
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryRecurrence, ::testing::ValuesIn(every_recurrence()));

TEST(FollowHead, StopsWhenAsked) {
    const KernelDump dump = small_dump(Recurrence::gla, 5, 1, 2, 2);
    Index seen = 0;
    const auto state =
        follow_head(dump, 0, 0, {}, [&](Index, const Enclosed&) { return ++seen < 3; });
    EXPECT_EQ(seen, 3);
    EXPECT_FALSE(state.has_value());
}

/// What the radii take for granted: exp of a long double within 4 units.
TEST(FollowHead, LogarithmsOfGatesAreRaisedWithinFourUnits) {
    using Wide = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>>;
    for (int i = 0; i < 3000; ++i) {
        const double g = -std::ldexp(1.0 + 0.37 * (i % 17), i % 40 - 34);
        const long double value = std::exp(static_cast<long double>(g));
        const Wide exact = exp(Wide(g));
        const Wide units = abs(Wide(Wide(value) - exact)) / exact /
                           Wide(std::numeric_limits<long double>::epsilon() / 2);
        EXPECT_LE(units, 4) << g;
    }
}

}  // namespace
}  // namespace attest
