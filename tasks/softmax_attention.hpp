#pragma once

#include "core/base/choice.hpp"
#include "core/rng/stream.hpp"
#include "core/softmax/attention.hpp"
#include "core/softmax/examples.hpp"
#include "tasks/task.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace attest {

/// How the Θ_i of a softmax layer are drawn; all but transformer_init are scaled to one norm.
enum class ThetaKind : std::uint8_t {
    dense,             ///< grid_normal entries
    diagonal,          ///< grid_normal on the diagonal
    block,             ///< blocks of 2 on the diagonal
    low_rank,          ///< a product d×r by r×d, r = `rank`
    symmetric,         ///< A + Aᵀ
    transformer_init,  ///< W_Q W_Kᵀ/√r with r = d/m and entries of variance 1/d, then scaled too
};

inline constexpr Choices<ThetaKind, 6> kThetaKinds{
    {{ThetaKind::dense, "dense"},
     {ThetaKind::diagonal, "diagonal"},
     {ThetaKind::block, "block"},
     {ThetaKind::low_rank, "low_rank"},
     {ThetaKind::symmetric, "symmetric"},
     {ThetaKind::transformer_init, "transformer_init"}}};

/// How the W_i are drawn.
enum class ValueKind : std::uint8_t {
    orthogonal,   ///< Haar
    conditioned,  ///< Haar, all redrawn until σ_min(Σ W) ≥ ¼‖Σ W‖_F/√d
    singular,     ///< two heads, Haar with det(W_1ᵀ W_2) = −1: then Σ W is exactly singular
    transformer_init,  ///< W_V W_O with inner dimension d/m, entries of variance 1/d
};

inline constexpr Choices<ValueKind, 4> kValueKinds{
    {{ValueKind::orthogonal, "orthogonal"},
     {ValueKind::conditioned, "conditioned"},
     {ValueKind::singular, "singular"},
     {ValueKind::transformer_init, "transformer_init"}}};

struct SoftmaxTeacherOptions {
    Index d = 6;
    Index heads = 2;
    ThetaKind theta = ThetaKind::dense;
    ValueKind value = ValueKind::conditioned;
    double norm = 3.0;  ///< ‖Θ_i‖_F
    Index rank = 1;     ///< of low_rank
};

/// Planted heads. Throws InvalidInput unless d, heads ≥ 1, norm > 0, 1 ≤ rank ≤ d, and heads = 2
/// for singular values; the same where 2000 draws are not conditioned.
[[nodiscard]] SoftmaxHeads softmax_teacher(const SoftmaxTeacherOptions& options,
                                           const Stream& stream);

/// 2n heads that together compute a parity on the coordinates S (0-based, without 0), n = |S|, on
/// sequences of 2 tokens: Θ_t = (β/2)(Σ_{v∈S} e_0 e_vᵀ − θ_t e_0 e_0ᵀ), θ_t = −n + ½ + t, W_t =
/// (−1)^t e_0 e_0ᵀ. Ours, to make the lower bound's exponential dependence on m executable: Σ W =
/// 0. Throws InvalidInput unless S ascends within 1 … d−1 and β > 0.
[[nodiscard]] SoftmaxHeads parity_heads(Index d, const std::vector<Index>& S, double beta);

/// What parity_heads compute as β → ∞, up to 4·exp(−β/2): Y_a0 = (x_a0 − x_b0)/2 · (1 − (−1)^n
/// Π_{v∈S} x_av x_bv), b the other token, and 0 elsewhere. X is d×2.
[[nodiscard]] Matrix parity_target(const Matrix& X, const std::vector<Index>& S);

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
    SoftmaxAttention(const SoftmaxAttentionOptions& options, SoftmaxHeads heads, Stream stream);

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
