#include "core/kernels/kernel_check.hpp"

#include "tests/core/kernels/chunked_kernels.hpp"
#include "tests/core/kernels/small_dumps.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace attest {
namespace {

using test::every_recurrence;
using test::small_dump;
using test::with_exact_outputs;

constexpr KernelArithmetic kDouble{
    .accumulator = Precision::fp64, .operands = Precision::fp64, .output = Precision::fp64};

/// S = (1, then 1 + 2·3), o = 2 S q.
KernelDump by_hand() {
    return {.batch = 1,
            .tokens = 2,
            .heads = 1,
            .key_dim = 1,
            .value_dim = 1,
            .q = {1.0, 5.0},
            .k = {1.0, 2.0},
            .v = {1.0, 3.0},
            .o = {2.0, 70.0},
            .final_state = {7.0},
            .scale = 2.0};
}

TEST(KernelCheck, ARightDumpByHandIsRight) {
    const KernelCheck check = check_kernel(by_hand(), kDouble, 1);
    EXPECT_TRUE(check.holds());
    EXPECT_EQ(check.rows_undecided, 0);
    EXPECT_EQ(check.largest_ratio, 0.0);
    EXPECT_TRUE(diagnose_kernel(by_hand(), kDouble, check).empty());
}

TEST(KernelCheck, NamesTheFirstWrongPlace) {
    KernelDump dump = by_hand();
    dump.o[1] = 71.0;
    const KernelCheck check = check_kernel(dump, kDouble, 1);
    EXPECT_EQ(check.rows_outside, 1);
    ASSERT_TRUE(check.first.has_value());
    EXPECT_EQ(check.first->token, 1);
    EXPECT_EQ(check.first->found, 71.0);
    EXPECT_EQ(check.first->expected, 70.0);
    EXPECT_LT(check.first->tolerance, 1e-11);
    EXPECT_EQ(check.ratios[0], 0.0);
    EXPECT_GT(check.ratios[1], 1.0);
}

TEST(KernelCheck, ADifferenceOfTwiceTheToleranceIsOutsideAndOfHalfIsWithin) {
    KernelDump dump = by_hand();
    dump.o[1] = 71.0;
    const double tolerance = check_kernel(dump, kDouble, 1).first->tolerance;
    dump.o[1] = 70.0 + tolerance / 2.0;
    EXPECT_TRUE(check_kernel(dump, kDouble, 1).holds());
    dump.o[1] = 70.0 - 2.0 * tolerance;
    EXPECT_FALSE(check_kernel(dump, kDouble, 1).holds());
}

TEST(KernelCheck, ANanIsOutside) {
    KernelDump dump = by_hand();
    dump.o[0] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(check_kernel(dump, kDouble, 1).first->token, 0);
}

TEST(KernelCheck, AWrongFinalStateIsFoundBehindRightOutputs) {
    KernelDump dump = by_hand();
    dump.final_state[0] = 7.5;
    const KernelCheck check = check_kernel(dump, kDouble, 1);
    EXPECT_EQ(check.rows_outside, 0);
    EXPECT_EQ(check.states_outside, 1);
    EXPECT_EQ(check.first->token, 2);
    EXPECT_FALSE(check.holds());
}

TEST(KernelCheck, ABoundThatZerosWouldPassDecidesNothing) {
    KernelDump dump = by_hand();
    dump.q = {1.0, 1.0};
    dump.k = {1.0, -1.0};
    dump.v = {1.0, 1.0 - 0x1p-7};
    dump.o = {2.0, 0x1p-6};
    dump.final_state.clear();
    KernelArithmetic coarse;
    coarse.accumulator = coarse.operands = coarse.output = Precision::bf16;
    const KernelCheck check = check_kernel(dump, coarse, 1);
    EXPECT_TRUE(check.holds());
    EXPECT_EQ(check.rows_undecided, 1) << "2 − 2(1 − 2^−7), of which bf16 knows nothing";
    EXPECT_EQ(check_kernel(dump, kDouble, 1).rows_undecided, 0);
}

TEST(KernelCheck, ANormaliserThatMayBeZeroDecidesNothing) {
    KernelDump dump = by_hand();
    dump.recurrence = Recurrence::normalised;
    dump.final_state.clear();
    dump.k = {1.0, -1.0};
    dump.o = {1.0, 12345.0};
    const KernelCheck check = check_kernel(dump, kDouble, 1);
    EXPECT_TRUE(check.holds());
    EXPECT_EQ(check.rows_undecided, 1);
}

TEST(KernelCheck, ABoundThatOverflowsDecidesNothing) {
    KernelDump dump = by_hand();
    dump.recurrence = Recurrence::simple_gla;
    dump.gates = {1.0, std::numeric_limits<double>::max()};
    dump.k = {0.0, 2.0};
    dump.final_state.clear();
    dump.scale = std::numeric_limits<double>::max();
    dump.o = {0.0, 12345.0};
    const KernelCheck check = check_kernel(dump, kDouble, 1);
    EXPECT_TRUE(check.holds());
    EXPECT_GT(check.rows_undecided, 0);
}

class RightDumps : public ::testing::TestWithParam<Recurrence> {};

TEST_P(RightDumps, AreRightAndWithOneOutputChangedTheyAreNot) {
    KernelDump dump = with_exact_outputs(small_dump(GetParam(), 30, 2, 3, 4));
    const KernelCheck check = check_kernel(dump, kDouble, 2);
    EXPECT_TRUE(check.holds()) << check.first->token;
    dump.o[61] += 1e-9;
    const KernelCheck changed = check_kernel(dump, kDouble, 2);
    EXPECT_EQ(changed.rows_outside, 1);
    EXPECT_EQ(changed.first->token, 61 / 8);
    EXPECT_EQ(changed.first->head, 61 / 4 % 2);
    const std::vector<Likeness> alike = diagnose_kernel(dump, kDouble, changed);
    EXPECT_TRUE(alike.empty()) << "no fault is like that, least of all " << alike.front().name;
}

struct GrossFault {
    Recurrence recurrence;
    test::ChunkFault fault;
};

class GrossFaults : public ::testing::TestWithParam<GrossFault> {};

/// Errors as large as the outputs: the bounds of bf16 say nothing of most rows of a delta rule, and
/// nothing is left that "--operands bf16" could account for.
TEST_P(GrossFaults, AreNotTakenForRounding) {
    const KernelDump dump = chunked_dump(GetParam().recurrence, 333, GetParam().fault);
    const KernelCheck check = check_kernel(dump, {}, 2);
    ASSERT_FALSE(check.holds());
    for (const Likeness& like : diagnose_kernel(dump, {}, check)) {
        EXPECT_EQ(like.name.find("low_precision"), std::string::npos) << like.sentence;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Kernels,
    GrossFaults,
    ::testing::Values(GrossFault{Recurrence::gated_delta, test::ChunkFault::decay_in_matrix},
                      GrossFault{Recurrence::gated_delta, test::ChunkFault::beta_in_matrix},
                      GrossFault{Recurrence::gated_delta, test::ChunkFault::decay_in_scores},
                      GrossFault{Recurrence::simple_gla, test::ChunkFault::decay_in_scores},
                      GrossFault{Recurrence::simple_gla, test::ChunkFault::outputs_from_250}));

TEST(KernelCheck, AChunkedKernelInFloatIsRight) {
    for (const Recurrence recurrence : {Recurrence::gated_delta, Recurrence::simple_gla}) {
        const KernelDump dump = test::chunked_dump(recurrence, 333, test::ChunkFault::none);
        EXPECT_TRUE(check_kernel(dump, {}, 2).holds()) << to_string(recurrence);
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, RightDumps, ::testing::ValuesIn(every_recurrence()));

}  // namespace
}  // namespace attest
