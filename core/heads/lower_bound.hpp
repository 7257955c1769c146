#pragma once

#include "core/algebra/matrix.hpp"
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

}  // namespace attest
