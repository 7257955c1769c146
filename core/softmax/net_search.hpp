#pragma once

#include "core/algebra/matrix.hpp"
#include "core/softmax/attention.hpp"
#include "core/softmax/examples.hpp"
#include "core/softmax/hull.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace attest {

struct NetOptions {
    Index points_per_axis = 0;  ///< 0: 41, 13, 6 for m = 2, 3, 4 and more
    Index keep = 5;             ///< tuples to return
    double most_tuples = 2e7;   ///< more are refused
    double largest_norm = 1.0;  ///< of any Θ_i, the top of the norm window
};

enum class NetStatus : std::uint8_t {
    searched,
    empty,   ///< the hull is farther from 0 than the window reaches, or holds fewer than m points
    budget,  ///< more tuples than allowed
};

/// A tuple of net points with the least-squares W for it.
struct NetTuple {
    SoftmaxHeads heads;
    double relative_error = 0.0;  ///< Σ‖Y − Ŷ‖²/Σ‖Y‖² on the training examples
};

struct NetSearch {
    NetStatus status = NetStatus::searched;
    Index points = 0;
    double tuples = 0.0;         ///< C(points, m)
    std::vector<NetTuple> best;  ///< ascending by error
};

/// The net points x0 + Σ α_l D_l, α on a grid of the ball that keeps ‖Θ‖ within the window: d²×M.
[[nodiscard]] Matrix net_points(const ThetaHull& hull, const NetOptions& options);

/// Every m-subset of points (d²×M), W by linear regression, least training error first. The Gram
/// blocks of all points are formed once; a subset then costs O(d³).
[[nodiscard]] NetSearch search_tuples(const Matrix& points,
                                      Index m,
                                      const SoftmaxExamples& training,
                                      const NetOptions& options);

/// Sixth phase: search_tuples over a net in the (m−1)-dimensional hull. C(M, m) = exp(O(m² log g))
/// subsets: the exponential part of the algorithm.
[[nodiscard]] NetSearch net_search(const ThetaHull& hull,
                                   const SoftmaxExamples& training,
                                   const NetOptions& options);

/// The heads with these Θ (a flattened one in each column) and the W of least squares on the
/// examples.
[[nodiscard]] NetTuple fit_values_to(const Matrix& thetas, const SoftmaxExamples& examples);

/// Σ‖Y − F(X)‖² / Σ‖Y‖² of heads on examples.
[[nodiscard]] double relative_error(const SoftmaxHeads& heads, const SoftmaxExamples& examples);

/// The `keep` subsets of m of the M blocks whose least-squares fit explains most, best first. G is
/// the (M·d)×(M·d) Gram matrix of the blocks, b their (M·d)×o products with the target; a subset
/// explains tr(b_Sᵀ G_S⁻¹ b_S). Choosing a block projects it out of the later ones, so a subset
/// costs about 3d³ flops beyond its parent. Ties go to the lexicographically first subset.
[[nodiscard]] std::vector<std::vector<Index>> best_tuples(
    const Matrix& G, const Matrix& b, Index d, Index m, Index keep);

}  // namespace attest
