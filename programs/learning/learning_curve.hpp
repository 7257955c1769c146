#pragma once

#include "programs/learning/learn_traces.hpp"
#include "programs/machines/dfa.hpp"

#include <vector>

namespace attest {

/// What was learned after some traces, judged on test traces.
struct LearningPoint {
    Index traces = 0;
    Index tokens = 0;  ///< printed tokens in them
    Index rank = 0;
    double accuracy = 0.0;   ///< share of test tokens printed right after the right prefix
    double certified = 0.0;  ///< share of test tokens that the training rows determine
    Index wrong_certified = 0;
};

struct CurveOptions {
    Index most_traces = 4096;
    Index test_traces = 256;
    double growth = 1.15;               ///< ratio of the training sizes of successive points
    const FeatureMask* mask = nullptr;  ///< features to learn with; null: all
};

/// Learns from traces of the source, more and more of them, until every test token is certified or
/// `most_traces` are used. The exact basic minimiser and its certificates are taken modulo
/// 2²² − 3: see ExactLearner. Throws InvalidInput when labels are inconsistent.
struct LearningCurve {
    std::vector<LearningPoint> points;
    Index d = 0;
    Index active_features = 0;
    Index classes = 0;
};

[[nodiscard]] LearningCurve learning_curve(const TraceSource& training,
                                           const TraceSource& test,
                                           Index d,
                                           const CurveOptions& options);

/// The first point where a share reaches `level`, or null.
[[nodiscard]] const LearningPoint* first_accurate(const LearningCurve& curve, double level);
[[nodiscard]] const LearningPoint* first_certified(const LearningCurve& curve);

/// Traces of uniform complete automata of the shape's size from a uniform start, on uniform words
/// of the full length: trace i belongs to stream.child(i). The program must outlive it.
[[nodiscard]] TraceSource random_dfa_traces(const DfaProgram& program, const Stream& stream);

}  // namespace attest
