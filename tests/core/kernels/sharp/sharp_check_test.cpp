#include "core/kernels/sharp/sharp_check.hpp"

#include "core/kernels/follow_head.hpp"
#include "core/kernels/kernel_findings.hpp"
#include "core/kernels/sharp/spread.hpp"
#include "tests/core/kernels/chunked_kernels.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>

namespace attest {
namespace {

using test::chunked_dump;
using test::ChunkFault;

/// A call with the arrays of a dump in float32.
KernelCall call_of(const KernelDump& dump) {
    Weights arrays{"f", "", {}};
    const Index T = dump.tokens;
    const Index H = dump.heads;
    arrays.tensors["q"] = {{T, H, dump.key_dim}, dump.q};
    arrays.tensors["k"] = {{T, H, dump.key_dim}, dump.k};
    arrays.tensors["v"] = {{T, H, dump.value_dim}, dump.v};
    arrays.tensors["o"] = {{T, H, dump.value_dim}, dump.o};
    arrays.tensors["g"] = {{T, H}, dump.gates};
    if (is_delta(dump.recurrence)) {
        arrays.tensors["beta"] = {{T, H}, dump.beta};
    }
    arrays.tensors["scale"] = {{}, {dump.scale}};
    DumpFormat format;
    format.recurrence = dump.recurrence;
    return kernel_call(arrays, format);
}

constexpr Index kTokens = 333;
constexpr Index kWidth = 24;

class BothKinds : public ::testing::TestWithParam<Recurrence> {
protected:
    /// The spread of right kernels on the inputs of chunked_dump(kind, kTokens): no fault changes
    /// them, so the replicas run once a kind.
    static const std::vector<ResultSpread>& spreads() {
        static std::map<Recurrence, std::vector<ResultSpread>> known;
        std::vector<ResultSpread>& mine = known[GetParam()];
        if (mine.empty()) {
            const KernelCall call = call_of(chunked_dump(GetParam(), kTokens, ChunkFault::none));
            mine = sharp_check(call, {}, 2).spreads;
        }
        return mine;
    }

    static SharpCheck checked(const KernelCall& call) {
        return sharp_check(call, {}, 2, {}, spreads());
    }

    static KernelFindings found(const KernelCall& call) {
        return check_call(call, {}, SharpLevel::on, 2, spreads());
    }

    /// The names of what a call is said to look like, of both levels.
    static std::vector<std::string> likenesses(const KernelCall& call) {
        const KernelFindings findings = found(call);
        std::vector<std::string> names;
        if (!findings.bound.holds()) {
            for (const Likeness& like : diagnose_call({}, findings)) {
                names.push_back(like.name);
            }
        }
        for (const SharpLikeness& like : findings.sharp->alike) {
            names.push_back(like.name);
        }
        return names;
    }

    static bool looks_coarse(const KernelCall& call) {
        const std::vector<std::string> names = likenesses(call);
        return std::any_of(names.begin(), names.end(), [](const std::string& name) {
            return name.find("_in_low_precision") != std::string::npos;
        });
    }
};

TEST_P(BothKinds, AFloatKernelThatSharesNoCodeIsRight) {
    const KernelCall call = call_of(chunked_dump(GetParam(), kTokens, ChunkFault::none));
    const SharpCheck check = sharp_check(call, {}, 2);
    ASSERT_EQ(check.results.size(), 2U);
    EXPECT_EQ(check.verdict(), SharpVerdict::right);
    for (const SharpResult& result : check.results) {
        EXPECT_GT(result.largest, 0.5) << "the spread is no wider than rounding needs";
    }
}

TEST_P(BothKinds, OneRowTooLargeByTwoInAHundredThousandIsSuspicious) {
    KernelDump dump = chunked_dump(GetParam(), kTokens, ChunkFault::none);
    for (Index c = 0; c < kWidth; ++c) {
        dump.o[dump.row(0, 200, 1) * kWidth + static_cast<std::size_t>(c)] *= 1.0 + 2e-5;
    }
    const KernelCall call = call_of(dump);
    EXPECT_TRUE(check_kernel(dump, {}, 1).holds()) << "the worst case lets it pass";
    const KernelFindings findings = found(call);
    EXPECT_EQ(findings.verdict, KernelVerdict::suspicious);
    const auto worst = std::max_element(
        findings.sharp->results.begin(),
        findings.sharp->results.end(),
        [](const SharpResult& x, const SharpResult& y) { return x.largest < y.largest; });
    EXPECT_TRUE(gain_sentences(call, *findings.sharp).empty()) << "one row is no factor of all";
    EXPECT_EQ(worst->row, 200);
    EXPECT_EQ(worst->name.head, 1);
    EXPECT_EQ(check_call(call, {}, SharpLevel::off, 2).verdict,
              check_kernel(dump, {}, 1).rows_undecided == 0 ? KernelVerdict::right
                                                            : KernelVerdict::undecided);
}

TEST_P(BothKinds, AFactorOfAllOutputsOfAHeadIsSaid) {
    KernelDump dump = chunked_dump(GetParam(), kTokens, ChunkFault::none);
    for (Index t = 0; t < kTokens; ++t) {
        for (Index c = 0; c < kWidth; ++c) {
            dump.o[dump.row(0, t, 1) * kWidth + static_cast<std::size_t>(c)] *= 1.00031;
        }
    }
    const KernelCall call = call_of(dump);
    const SharpCheck check = checked(call);
    EXPECT_GE(check.verdict(), SharpVerdict::suspicious);
    const std::vector<std::string> sentences = gain_sentences(call, check);
    ASSERT_EQ(sentences.size(), 1U);
    EXPECT_EQ(sentences.front().rfind("o is 1.00031", 0), 0U) << sentences.front();
    EXPECT_NE(sentences.front().find(" times what it should be in head 1"), std::string::npos);
}

TEST_P(BothKinds, OneNumberFarOffIsNoFactor) {
    KernelDump dump = chunked_dump(GetParam(), 40, ChunkFault::none);
    dump.o[77] += 100.0;
    const KernelCall call = call_of(dump);
    const SharpCheck check = sharp_check(call, {}, 2);
    EXPECT_EQ(check.verdict(), SharpVerdict::wrong);
    EXPECT_TRUE(gain_sentences(call, check).empty());
}

TEST_P(BothKinds, WhatIsWrongInsideChunksIsNamed) {
    std::map<ChunkFault, std::string> names{{ChunkFault::decay_in_scores, "scores_without_decay"},
                                            {ChunkFault::own_scores, "own_token_masked"},
                                            {ChunkFault::outputs_from_250, "rows_not_written"}};
    if (is_delta(GetParam())) {
        names[ChunkFault::decay_in_matrix] = "matrix_without_decay";
        names[ChunkFault::beta_in_matrix] = "matrix_without_beta";
        names[ChunkFault::sign_of_matrix] = "matrix_sign";
    }
    for (const auto& [fault, name] : names) {
        const SharpCheck check = checked(call_of(chunked_dump(GetParam(), kTokens, fault)));
        EXPECT_EQ(check.verdict(), SharpVerdict::wrong) << name;
        ASSERT_EQ(check.alike.size(), 1U) << name << " and no other";
        EXPECT_EQ(check.alike.front().name, name);
    }
}

TEST_P(BothKinds, RowsOfZerosAreCountedAndNotCalledARange) {
    KernelDump dump = chunked_dump(GetParam(), kTokens, ChunkFault::none);
    for (const Index t : {7, 200, 201}) {
        const auto row = dump.o.begin() + static_cast<Index>(dump.row(0, t, 1)) * kWidth;
        std::fill(row, row + kWidth, 0.0);
    }
    const SharpCheck check = checked(call_of(dump));
    ASSERT_EQ(check.alike.size(), 1U);
    EXPECT_EQ(check.alike.front().sentence,
              "o is 0 in 3 rows of head 1, the first 7, the last 201");
}

TEST_P(BothKinds, RowsOfZerosBesideOtherFaultsAreNotCalledNotWritten) {
    KernelDump dump = chunked_dump(GetParam(), kTokens, ChunkFault::outputs_from_250);
    dump.o[dump.row(0, 100, 1) * kWidth] += 1.0;
    const SharpCheck check = checked(call_of(dump));
    EXPECT_EQ(check.verdict(), SharpVerdict::wrong);
    EXPECT_TRUE(check.alike.empty());
}

TEST_P(BothKinds, FaultsThatRoundingDoesNotMakeAreNotTakenForTf32) {
    const KernelDump right = chunked_dump(GetParam(), kTokens, ChunkFault::none);
    const auto scaled = [&](std::size_t from, double factor) {
        KernelDump dump = right;
        std::transform(dump.o.begin() + static_cast<Index>(from),
                       dump.o.end(),
                       dump.o.begin() + static_cast<Index>(from),
                       [&](double value) { return factor * value; });
        return call_of(dump);
    };
    const std::size_t last = right.o.size() - static_cast<std::size_t>(2 * kWidth);
    EXPECT_FALSE(looks_coarse(scaled(last, 1.0001))) << "the last token alone";
    EXPECT_FALSE(looks_coarse(scaled(last, 1.001))) << "the last token alone";
    EXPECT_FALSE(looks_coarse(scaled(0, 1.0 + 2e-6)));
    EXPECT_FALSE(looks_coarse(scaled(0, 1.0003)));
    EXPECT_FALSE(looks_coarse(scaled(0, 1.001))) << "a factor explains it better";
    KernelDump one = right;
    one.o[2080] += 1e-3;
    EXPECT_FALSE(looks_coarse(call_of(one)));
}

TEST_P(BothKinds, FactorsInTf32AreNamed) {
    KernelDump dump = chunked_dump(GetParam(), kTokens, ChunkFault::none);
    KernelDump coarse = dump;
    for (std::vector<double>* factors : {&coarse.q, &coarse.k, &coarse.v}) {
        for (double& factor : *factors) {
            factor = rounded(Precision::tf32, factor);
        }
    }
    std::fill(dump.o.begin(), dump.o.end(), 0.0);
    for (Index h = 0; h < dump.heads; ++h) {
        (void)follow_head(coarse, 0, h, {}, [&](Index t, const Enclosed& expected) {
            std::transform(expected.value.begin(),
                           expected.value.end(),
                           dump.o.begin() + static_cast<Index>(dump.row(0, t, h)) * kWidth,
                           [](long double value) {
                               return rounded(Precision::fp32, static_cast<double>(value));
                           });
            return true;
        });
    }
    const std::vector<std::string> names = likenesses(call_of(dump));
    EXPECT_NE(std::find(names.begin(), names.end(), "operands_in_low_precision"), names.end());
}

TEST_P(BothKinds, TheVerdictIsAFunctionOfTheCallWhateverTheThreads) {
    const KernelCall call = call_of(chunked_dump(GetParam(), 90, ChunkFault::none));
    const SharpCheck one = sharp_check(call, {}, 1);
    const SharpCheck three = sharp_check(call, {}, 3);
    ASSERT_EQ(one.results.size(), three.results.size());
    for (std::size_t at = 0; at < one.results.size(); ++at) {
        EXPECT_EQ(one.results[at].largest, three.results[at].largest);
        EXPECT_EQ(one.results[at].gain, three.results[at].gain);
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels,
                         BothKinds,
                         ::testing::Values(Recurrence::gated_delta, Recurrence::simple_gla));

TEST(SharpCheck, ANanIsWrong) {
    KernelDump dump = chunked_dump(Recurrence::simple_gla, 40, ChunkFault::none);
    dump.o[7] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(sharp_check(call_of(dump), {}, 1).verdict(), SharpVerdict::wrong);
}

// A gate of wrong sign in the last head.
TEST(SharpCheck, AHeadWhoseStateOverflowsIsLeftUndecided) {
    KernelDump dump = chunked_dump(Recurrence::simple_gla, kTokens, ChunkFault::none);
    ASSERT_GE(dump.heads, 2);
    for (Index t = 0; t < kTokens; ++t) {
        dump.gates[static_cast<std::size_t>((t + 1) * dump.heads - 1)] = 30.0;
    }
    const KernelCall call = call_of(dump);
    const SharpCheck check = sharp_check(call, {}, 1);
    EXPECT_EQ(check.verdict(), SharpVerdict::undecided);
    EXPECT_EQ(check.results.back().rows_undecided, kTokens);
    EXPECT_NE(check_call(call, {}, SharpLevel::on, 1).verdict, KernelVerdict::right);
}

TEST(SharpCheck, AScaleThatIsNoNumberIsRefused) {
    KernelDump dump = chunked_dump(Recurrence::simple_gla, 40, ChunkFault::none);
    dump.scale = std::numeric_limits<double>::quiet_NaN();
    EXPECT_REFUSED("f: scale: holds nan, expected a finite number", call_of(dump));
}

TEST(SharpCheck, ADeltaRuleWithCoarseFactorsIsDecidedWhereItsBoundIsNot) {
    const KernelDump dump = chunked_dump(Recurrence::gated_delta, kTokens, ChunkFault::none);
    KernelArithmetic coarse;
    coarse.operands = Precision::bf16;
    const KernelFindings findings = check_call(call_of(dump), coarse, SharpLevel::on, 2);
    EXPECT_GT(10 * findings.bound.rows_undecided, 9 * kTokens * dump.heads);
    Index undecided = 0;
    for (const SharpResult& result : findings.sharp->results) {
        undecided += result.rows_undecided;
    }
    EXPECT_LT(100 * undecided, kTokens * dump.heads);
    EXPECT_EQ(findings.verdict, KernelVerdict::right);
}

TEST(SharpCheck, GatesWithoutLogarithmsAreLeftToTheBound) {
    Weights arrays{"f", "", {}};
    for (const char* name : {"q", "k", "v", "o"}) {
        arrays.tensors[name] = {{2, 1}, {1.0, 1.0}};
    }
    arrays.tensors["o"].values = {1.0, 1.0};
    arrays.tensors["gates"] = {{2}, {1.0, 0.0}};
    DumpFormat format;
    format.recurrence = Recurrence::simple_gla;
    const KernelFindings findings = check_call(kernel_call(arrays, format), {}, SharpLevel::on, 1);
    EXPECT_EQ(findings.sharp->silent, "gates of 0 or below have no logarithms");
    EXPECT_EQ(findings.verdict, KernelVerdict::right);
}

TEST_P(BothKinds, WhatIsKnownOfTheSpreadGivesTheSameCheck) {
    KernelDump dump = chunked_dump(GetParam(), 70, ChunkFault::none);
    dump.o[7] *= 1.0 + 2e-5;
    const KernelCall call = call_of(dump);
    const SharpCheck first = sharp_check(call, {}, 2);
    const SharpCheck again = sharp_check(call, {}, 1, {}, first.spreads);
    ASSERT_EQ(again.results.size(), first.results.size());
    EXPECT_TRUE(again.spreads.empty()) << "no replica ran";
    for (std::size_t at = 0; at < first.results.size(); ++at) {
        EXPECT_EQ(again.results[at].largest, first.results[at].largest);
        EXPECT_EQ(again.results[at].gain_of_replicas, first.results[at].gain_of_replicas);
        EXPECT_EQ(again.results[at].verdict, first.results[at].verdict);
    }
    std::vector<ResultSpread> of_another = first.spreads;
    of_another.front().families[0].rows.conservativeResize(3);
    EXPECT_REFUSED("sharp_check: got a spread of o that is 3x24, expected 70x24",
                   (void)sharp_check(call, {}, 1, {}, of_another));
    EXPECT_REFUSED("sharp_check: got no spread of o",
                   (void)sharp_check(call, {}, 1, {}, {first.spreads.front()}));
}

TEST(Spread, IsPooledOverRowsAndColumns) {
    Eigen::MatrixXf error(2, 2);
    error << 1.0F, 3.0F, 1.0F, 3.0F;
    const Matrix sigma = sigma_of(family_spread({error}), family_spread({0.5F * error}));
    EXPECT_EQ(sigma(0, 0), 1.0);
    EXPECT_EQ(sigma(1, 1), 3.0);
    Matrix expected(1, 2);
    expected << 2.0, 4.0;
    EXPECT_EQ(regression_gain(0.25 * expected, expected, Matrix::Ones(1, 2)), 0.25);
}

/// Two sequences, the first without tokens; states and their gradients are handed on as they came.
Weights with_an_empty_sequence() {
    Weights arrays{"f", "", {}};
    for (const char* name : {"q", "k", "v", "o", "do"}) {
        arrays.tensors[name] = {{3, 1, 2}, {0.5, -1.0, 0.25, 2.0, 1.0, -0.5}};
    }
    for (const char* name : {"initial_state", "final_state", "dfinal_state", "dinitial_state"}) {
        arrays.tensors[name] = {{2, 1, 2, 2}, {1.0, 2.0, 3.0, 4.0, 0.0, 0.0, 0.0, 0.0}};
    }
    arrays.tensors["cu_seqlens"] = {{3}, {0, 0, 3}};
    return arrays;
}

/// Of the results of the first sequence, by array.
std::map<std::string, SharpVerdict> verdicts_of_first(const Weights& arrays) {
    std::map<std::string, SharpVerdict> verdicts;
    for (const SharpResult& result : sharp_check(kernel_call(arrays, {}), {}, 1).results) {
        if (result.name.sequence == 0) {
            verdicts[result.name.array] = result.verdict;
        }
    }
    return verdicts;
}

TEST(SharpCheck, ASequenceWithoutTokensHandsOnItsStateAndTheGradient) {
    using Verdicts = std::map<std::string, SharpVerdict>;
    const Weights right = with_an_empty_sequence();
    EXPECT_EQ(
        verdicts_of_first(right),
        (Verdicts{{"final_state", SharpVerdict::right}, {"dinitial_state", SharpVerdict::right}}));
    for (const double number : {1.5, std::numeric_limits<double>::quiet_NaN()}) {
        for (const char* name : {"final_state", "dinitial_state"}) {
            Weights wrong = right;
            wrong.tensors[name].values.front() = number;
            EXPECT_EQ(verdicts_of_first(wrong).at(name), SharpVerdict::wrong) << name << number;
        }
    }
    Weights from_nothing = right;
    from_nothing.tensors.erase("initial_state");
    from_nothing.tensors.erase("dinitial_state");
    EXPECT_EQ(verdicts_of_first(from_nothing).at("final_state"), SharpVerdict::wrong);
}

}  // namespace
}  // namespace attest
