#pragma once

#include "core/algebra/matrix.hpp"

#include <vector>

namespace attest {

/// Softmax attention of several heads over the prefixes of one sequence. Q, K, V are width×T; head
/// h has the rows h·width/heads … of each. Its outputs, of the same rows, are V A with column t of
/// A (T×T) the softmax of Kᵀq_t/√(width/heads) over the keys 0 … t.
template <class Scalar>
struct CausalAttention {
    MatrixOf<Scalar> Q;
    MatrixOf<Scalar> K;
    MatrixOf<Scalar> V;
    std::vector<MatrixOf<Scalar>> weights;  ///< A of each head
    MatrixOf<Scalar> outputs;               ///< width×T
};

/// Takes Q, K and V, computes the rest. 4T²·width flops. Throws InvalidInput unless the shapes
/// agree and the heads divide the width.
template <class Scalar>
[[nodiscard]] CausalAttention<Scalar> causal_attention(MatrixOf<Scalar> Q,
                                                       MatrixOf<Scalar> K,
                                                       MatrixOf<Scalar> V,
                                                       Index heads);

template <class Scalar>
struct AttentionCotangents {
    MatrixOf<Scalar> Q;
    MatrixOf<Scalar> K;
    MatrixOf<Scalar> V;
};

/// Cotangents of Q, K, V for a cotangent Ō of the outputs, head by head: V̄ = Ō Aᵀ, Ā = VᵀŌ, logits
/// L̄ = A∘(Ā − 1·colsum(A∘Ā))/√(width/heads), K̄ = Q L̄ᵀ, Q̄ = K L̄.
template <class Scalar>
[[nodiscard]] AttentionCotangents<Scalar> attention_backward(
    const CausalAttention<Scalar>& attention, const MatrixOf<Scalar>& outputs);

}  // namespace attest
