#pragma once

#include "core/softmax/examples.hpp"
#include "tasks/parameters.hpp"
#include "tasks/softmax_teacher.hpp"
#include "tasks/task.hpp"

#include <memory>

namespace attest {

/// The law of a token's entries; each has mean 0 and covariance I.
enum class TokenLaw : std::uint8_t {
    boolean,   ///< independent signs
    gaussian,  ///< grid_normal
    sphere,    ///< uniform on the sphere of radius √d
};

inline constexpr Choices<TokenLaw, 3> kTokenLaws{{{TokenLaw::boolean, "boolean"},
                                                  {TokenLaw::gaussian, "gaussian"},
                                                  {TokenLaw::sphere, "sphere"}}};

struct SoftmaxAttentionOptions {
    SoftmaxTeacherOptions teacher;
    Index k = 2;  ///< tokens of a sequence
    TokenLaw law = TokenLaw::gaussian;
};

/// Sequences of k tokens labelled by a layer of softmax heads at every token (arXiv 2402.04084): y
/// has k·d entries, row a of F(X) after row a−1. No truth in the form of linear attention.
class SoftmaxAttention final : public Task {
public:
    SoftmaxAttention(const SoftmaxAttentionOptions& options, const Stream& stream);
    /// The same inputs labelled by other heads.
    SoftmaxAttention(const SoftmaxAttentionOptions& options,
                     SoftmaxHeads heads,
                     const Stream& stream);

    [[nodiscard]] TaskTraits traits() const override;
    [[nodiscard]] TaskDescription description() const override;

    [[nodiscard]] Index length(Index /*i*/) const override { return options_.k; }

    [[nodiscard]] Sequence draw(Index i) const override;

    [[nodiscard]] GroundTruth truth() const override { return {}; }

    [[nodiscard]] const SoftmaxHeads& heads() const { return heads_; }

private:
    SoftmaxAttentionOptions options_;
    Stream stream_;
    SoftmaxHeads heads_;
};

/// Examples first … first+count−1 of a task whose labels are F(X), such as SoftmaxAttention or one
/// with noise on its labels. The task must outlive the source. Throws InvalidInput unless the task
/// gives sequences of one length k with k·d labels.
[[nodiscard]] SoftmaxSource softmax_source(const Task& task, Index first, Index count);

/// The task's row in the registry.
[[nodiscard]] std::vector<TaskParameter> softmax_attention_parameters();
[[nodiscard]] SoftmaxAttentionOptions softmax_attention_options(const ParameterReader& reader);
[[nodiscard]] std::unique_ptr<Task> read_softmax_attention(const ParameterReader& reader,
                                                           const Stream& stream);

}  // namespace attest
