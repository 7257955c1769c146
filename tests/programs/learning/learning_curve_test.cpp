#include "programs/learning/learning_curve.hpp"

#include "core/algebra/symmetric_pack.hpp"
#include "core/base/bitwise.hpp"
#include "programs/machines/utm2.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace attest::test {
namespace {

std::vector<std::size_t> blocks_of_rows(const Schema& schema) {
    std::vector<std::size_t> block;
    for (std::size_t i = 0; i < schema.blocks().size(); ++i) {
        block.resize(block.size() + static_cast<std::size_t>(schema.blocks()[i].size), i);
    }
    return block;
}

TEST(TypedFeatures, HoldEveryCoefficientOfTheProgramAndNotAllOthers) {
    const Utm2 program({2, 1, 2, 2, Moves::left_right});
    const FeatureMask mask = typed_features(program.program());
    const Index d = program.program().schema.dim();
    for (const Coefficient& c : sparse_coefficients(program.program()).entries) {
        EXPECT_EQ(mask[static_cast<std::size_t>(pack_index(d, c.b, c.k) * d + c.e)], 1);
    }
    EXPECT_LT(std::count(mask.begin(), mask.end(), 1), feature_dim(d) * 3 / 4);
    EXPECT_EQ(static_cast<Index>(mask.size()), feature_dim(d));
    EXPECT_EQ(invalid_input_message([] {
                  const FeatureMask shorter(7, 1);
                  TraceRows(18, &shorter);
              }),
              "TraceRows: the mask does not have one flag a feature");
}

TEST(TypedFeatures, AreThoseWhoseBlocksAHeadReads) {
    const Utm2 program({2, 1, 2, 2, Moves::left_right});
    const std::vector<std::size_t> block = blocks_of_rows(program.program().schema);
    const auto alike = [&](Index a, Index b) {
        return block[static_cast<std::size_t>(a)] == block[static_cast<std::size_t>(b)];
    };
    const auto reads = [&](const ProgramHead& head, Index b, Index k, Index e) {
        return std::any_of(head.V.begin(), head.V.end(), [&](const MatrixTerm& v) {
            return std::any_of(head.Q.begin(), head.Q.end(), [&](const MatrixTerm& q) {
                const bool in_order = alike(b, v.from) && alike(k, q.to);
                const bool crosswise = alike(k, v.from) && alike(b, q.to);
                return alike(e, q.from) && (in_order || crosswise);
            });
        });
    };
    const std::vector<ProgramHead>& heads = program.program().heads;
    const FeatureMask mask = typed_features(program.program());
    const Index d = program.program().schema.dim();
    for (Index feature = 0; feature < feature_dim(d); ++feature) {
        const auto [b, k] = packed_pair(d, feature / d);
        const Index row = b;
        const Index column = k;
        const bool read = std::any_of(heads.begin(), heads.end(), [&](const ProgramHead& head) {
            return reads(head, row, column, feature % d);
        });
        EXPECT_EQ(mask[static_cast<std::size_t>(feature)] != 0, read) << feature;
    }
}

TEST(TypedFeatures, LearnTheSameMachineFromFewerTokens) {
    const Dfa2 program({2, 2, 2});
    const Index d = program.program().schema.dim();
    const FeatureMask mask = typed_features(program.program());
    const TraceSource train = random_dfa_traces(program, Stream(8).child("train"));
    const TraceSource test = random_dfa_traces(program, Stream(8).child("test"));

    const LearningCurve all = learning_curve(train, test, d, {400, 60, 1.2});
    const LearningCurve typed = learning_curve(train, test, d, {400, 60, 1.2, &mask});

    ASSERT_NE(first_certified(typed), nullptr);
    EXPECT_LT(typed.active_features, all.active_features);
    EXPECT_LT(typed.points.back().rank, all.points.back().rank);
    EXPECT_LE(first_certified(typed)->tokens, first_certified(all)->tokens);
    EXPECT_EQ(typed.points.back().wrong_certified, 0);
}

TEST(LearningCurve, CountsCertifiedTokensThatAreWrong) {
    const Dfa2 program({2, 2, 2});
    const Index d = program.program().schema.dim();
    const TraceSource right = random_dfa_traces(program, Stream(8).child("test"));
    const TraceSource wrong = [&](Index i) {
        Trace trace = right(i);
        trace.generated.back() = make_token({{0, 1}});
        return trace;
    };
    const LearningCurve curve = learning_curve(
        random_dfa_traces(program, Stream(8).child("train")), wrong, d, {400, 60, 1.2});

    EXPECT_EQ(curve.points.back().wrong_certified, 60);
    EXPECT_LT(curve.points.back().accuracy, 0.7);
}

TEST(LearningCurve, RefusesTrainingTokensThatContradictEachOther) {
    const Dfa2 program({2, 2, 2});
    const TraceSource right = random_dfa_traces(program, Stream(8).child("train"));
    const TraceSource wrong = [&](Index i) {
        Trace trace = right(i);
        if (i == 30) {
            trace.generated.back() = make_token({{0, 1}});
        }
        return trace;
    };
    const std::string message = invalid_input_message([&] {
        (void)learning_curve(wrong,
                             random_dfa_traces(program, Stream(8).child("other")),
                             program.program().schema.dim(),
                             {400, 60, 1.2});
    });
    EXPECT_SAYS(message, "labels contradict the others; nothing is certified");
}

TEST(LearningCurve, EndsWithEveryTestTokenCertifiedAndRight) {
    const Dfa2 program({2, 2, 2});
    const LearningCurve curve = learning_curve(random_dfa_traces(program, Stream(8).child("train")),
                                               random_dfa_traces(program, Stream(8).child("test")),
                                               program.program().schema.dim(),
                                               {400, 60, 1.2});

    ASSERT_NE(first_certified(curve), nullptr);
    EXPECT_EQ(first_certified(curve), &curve.points.back());
    EXPECT_TRUE(bitwise_equal(curve.points.back().accuracy, 1.0));
    ASSERT_NE(first_accurate(curve, 0.99), nullptr);
    EXPECT_LE(first_accurate(curve, 0.99)->tokens, first_certified(curve)->tokens);
    // The first point after 8 traces, each next one after 1.2 times as many, at least one more.
    Index traces = 8;
    for (const LearningPoint& point : curve.points) {
        EXPECT_EQ(point.traces, traces);
        traces = std::max(traces + 1, static_cast<Index>(1.2 * static_cast<double>(traces)));
    }
    for (std::size_t i = 1; i < curve.points.size(); ++i) {
        EXPECT_GE(curve.points[i].rank, curve.points[i - 1].rank);
        EXPECT_GE(curve.points[i].certified, curve.points[i - 1].certified);
        EXPECT_EQ(curve.points[i].wrong_certified, 0);
    }
}

}  // namespace
}  // namespace attest::test
