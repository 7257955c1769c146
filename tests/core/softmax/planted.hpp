#pragma once

#include "core/softmax/pipeline.hpp"
#include "core/softmax/polish.hpp"
#include "tasks/softmax_attention.hpp"

#include <cmath>

namespace attest::test {

/// How the outputs answer to the heads, both measured relative to their size: moving the heads by e
/// moves the outputs by at least kLeastSlope·e and at most kMostSlope·e. Held by the test
/// Planted.OutputsAnswerToTheHeadsWithinTheSlopesThatTheTolerancesPresume.
inline constexpr double kLeastSlope = 1e-2;
inline constexpr double kMostSlope = 10.0;

/// How far polished heads may be off: the polish stops at a relative residual of the root of its
/// target, which the least slope magnifies.
inline const double kPolishedHeads = std::sqrt(polish_control().target) / kLeastSlope;

/// The relative squared error on fresh examples of heads as far off as that.
inline const double kPolishedOutputs = std::pow(kMostSlope * kPolishedHeads, 2.0);

/// What the phases before the polish must reach with the examples that these tests give them: two
/// heads of norm up to 6, bars of the acceptance runs.
inline constexpr double kNetBar = 0.05;
inline constexpr double kSumBar = 1e-3;
inline constexpr double kHullBar = 3e-3;
inline constexpr double kGapBar = 100.0;

/// A planted layer with its examples and 2000 held-out ones.
class Planted {
public:
    Planted(const SoftmaxAttentionOptions& options, Index count, Index seed)
        : task_(options, Stream(20240207).child("softmax").child(seed)), count_(count) {}

    [[nodiscard]] const SoftmaxHeads& heads() const { return task_.heads(); }

    [[nodiscard]] SoftmaxSource source() const { return softmax_source(task_, 0, count_); }

    [[nodiscard]] SoftmaxExamples held_out() const {
        return softmax_source(task_, count_, 2000).draw(0, 2000);
    }

    /// The pipeline with m and the norm window known.
    [[nodiscard]] SoftmaxResult learn() const {
        SoftmaxLearnOptions options;
        options.m = static_cast<Index>(heads().size());
        options.largest_norm = 1.5 * largest_theta(heads());
        return learn_softmax(source(), held_out(), options);
    }

private:
    SoftmaxAttention task_;
    Index count_;
};

/// d, k, m, ‖Θ‖ and the law of the tokens.
[[nodiscard]] inline SoftmaxAttentionOptions setting(
    TokenLaw law, Index d, Index k, Index m, double norm) {
    SoftmaxAttentionOptions options;
    options.law = law;
    options.k = k;
    options.teacher.d = d;
    options.teacher.heads = m;
    options.teacher.norm = norm;
    return options;
}

}  // namespace attest::test
