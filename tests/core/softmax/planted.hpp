#pragma once

#include "core/softmax/pipeline.hpp"
#include "tasks/softmax_attention.hpp"

namespace attest::test {

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
