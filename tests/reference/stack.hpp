#pragma once

#include "tests/reference/rational.hpp"

namespace attest::reference {

/// K and Q a×d, V v×d, O d×v, γ.
struct StackHead {
    Rows K, Q, V, O;
    Rational decay = 1;
};

struct StackLayer {
    std::vector<StackHead> heads;
    bool residual = false;
    bool causal = false;
};

/// What a stack of linear layers makes of Z, d×t: y_j = [x_j +] Σ_h O_h Σ_i γ_h^|j−i| V_h x_i
/// (K_h x_i · Q_h x_j), i ≤ j where a layer is causal.
[[nodiscard]] Rows reference_stack(const std::vector<StackLayer>& layers, Rows Z);

/// f'(0) of a polynomial from f(0), f(1), …, f(n), n at least its degree: Newton's forward
/// differences, Σ_k (−1)^(k−1) Δᵏf(0)/k.
[[nodiscard]] Rational reference_slope(Row values);

}  // namespace attest::reference
