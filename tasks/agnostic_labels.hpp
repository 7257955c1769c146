#pragma once

#include "core/base/choice.hpp"
#include "core/rng/stream.hpp"
#include "tasks/task.hpp"

#include <array>
#include <cstdint>
#include <memory>

namespace attest {

/// A function that is not planted attention heads, for labels of any task's sequences.
enum class AgnosticKind : std::uint8_t {
    softmax,       ///< V Z softmax(Zᵀ Q z / √d): one softmax head
    coefficients,  ///< Pᵀ H(Z) with random P: realisable by enough heads, rarely by few. Truth: P
    token_cubic,  ///< Σ_t (u_a·z_t)(v_a·z_t)(w_a·z_t): cubic, yet for n ≥ 2 no function of H(Z)
};

inline constexpr Choices<AgnosticKind, 3> kAgnosticKinds{
    {{AgnosticKind::softmax, "softmax"},
     {AgnosticKind::coefficients, "coefficients"},
     {AgnosticKind::token_cubic, "token_cubic"}}};

/// Another task's sequences with labels of a random function of that kind; a task without labels
/// gets o = d labels, one for each sequence. Every kind uses + − × ÷ and √ only, so labels are
/// bit-identical on every machine.
class AgnosticLabels final : public Task {
public:
    AgnosticLabels(std::unique_ptr<Task> inner, AgnosticKind kind, const Stream& stream);

    [[nodiscard]] TaskTraits traits() const override;
    [[nodiscard]] TaskDescription description() const override;

    [[nodiscard]] Index length(Index i) const override { return inner_->length(i); }

    [[nodiscard]] Sequence draw(Index i) const override;
    [[nodiscard]] GroundTruth truth() const override;

private:
    [[nodiscard]] Vector label(const Matrix& Z, Index n) const;

    std::unique_ptr<Task> inner_;
    AgnosticKind kind_;
    TaskTraits traits_;
    Matrix first_;   ///< softmax: V (o×d); coefficients: P (ψ×o); token_cubic: rows u_a
    Matrix second_;  ///< softmax: Q (d×d); token_cubic: rows v_a
    Matrix third_;   ///< token_cubic: rows w_a
};

/// The rows u_a, v_a, w_a of token_cubic labels drawn from `stream`: three o×d matrices.
[[nodiscard]] std::array<Matrix, 3> token_cubic_factors(Index o, Index d, const Stream& stream);

/// V Z softmax(Zᵀ Q z / √d), z the last column of Z (d×n, n ≥ 1): one softmax attention head. o
/// entries.
[[nodiscard]] Vector softmax_label(const Matrix& V, const Matrix& Q, const Matrix& Z);

}  // namespace attest
