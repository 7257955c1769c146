#pragma once

#include "core/algebra/matrix.hpp"
#include "core/base/shape.hpp"
#include "core/exact/scalars.hpp"
#include "core/rng/stream.hpp"

#include <cstdint>
#include <string_view>

namespace attest {

/// What shows that fewer heads do not suffice.
enum class LowerBoundProof : std::uint8_t {
    rank,     ///< M(x) = A(x) B(x)ᵀ has rank at most H at every x
    inertia,  ///< uᵀM(x)w is a sum of H products of linear forms: at most H positive, H negative
              ///< eigenvalues
};

[[nodiscard]] std::string_view to_string(LowerBoundProof proof);

/// A certified lower bound with its evidence.
struct HeadLowerBound {
    Index num_heads = 0;
    LowerBoundProof proof = LowerBoundProof::rank;
    Vector left;   ///< x of M(x), or u
    Vector right;  ///< empty, or w
    double margin =
        0.0;  ///< the deciding singular value or |eigenvalue| over ‖P‖; 0 in the exact version
};

/// Fewest heads of any P' with ‖P' − P‖ ≤ tolerance·‖P‖ (norm ‖Sym W‖): a singular value of M(x),
/// or an eigenvalue of a contracted form, at unit vectors moves by at most ‖P' − P‖, so those above
/// tolerance·‖P‖ plus rounding count. Best of `draws` random points of each kind; at most d.
/// O(draws·ψ·o + draws·d³). P is ψ×o.
[[nodiscard]] HeadLowerBound head_lower_bound(
    const Matrix& P, Index d, double tolerance, Index draws, const Stream& stream);

/// The same for exactly this P, by elimination over the rationals at random small integer points.
[[nodiscard]] HeadLowerBound exact_head_lower_bound(const MatrixOf<Rational>& P,
                                                    Index d,
                                                    Index draws,
                                                    const Stream& stream);

/// Upper bound on the dimension of {P : P has H heads}, H ≤ min(o·d, d²), capped at o·ψ(d): H(od +
/// d²) − H² parameters modulo GL(H); for o = 1 less the Koszul relations, H(d − H) + d(q(d) − q(d −
/// H)).
[[nodiscard]] Index head_dimension(Index d, Index o, Index num_heads);

/// r_min(d, o): the fewest heads whose dimension count reaches o·ψ(d). Fewer heads cannot represent
/// a generic P (a smooth image of smaller dimension has measure zero). For o = d: ⌈d²(1 − √((1 −
/// 1/d)/2))⌉.
[[nodiscard]] Index counting_bound(Index d, Index o);

/// Heads that represent every P by one linear solve: min(d(d+1)/2, ⌈o(d+1)/2⌉), and d for o = 1.
[[nodiscard]] Index linear_head_count(Index d, Index o);

/// Rank of a rational matrix, by elimination.
[[nodiscard]] Index elimination_rank(MatrixOf<Rational> A);

/// Numbers of positive and negative squares of a rational symmetric matrix (Sylvester), by
/// congruence.
struct Inertia {
    Index positive = 0;
    Index negative = 0;
};

[[nodiscard]] Inertia rational_inertia(MatrixOf<Rational> S);

/// 1/σ_min of W ↦ p(W) (isometric coefficients) restricted to the tangent space of the rank-H
/// tensors at W, (o·d)×d²: a relative error of η in p moves a locally unique W by at most η times
/// this, to first order. Infinite where W is not locally unique. One SVD of (o·ψ)×(H(od + d²) −
/// H²).
[[nodiscard]] double tangent_condition(const Matrix& W, Index d, Index num_heads);

}  // namespace attest
