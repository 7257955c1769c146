#include "core/heads/linear_construction.hpp"

#include "core/base/memory.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/explicit_heads.hpp"
#include "core/heads/isometric.hpp"
#include "core/heads/least_squares.hpp"
#include "core/heads/lower_bound.hpp"
#include "core/rng/sample.hpp"

#include <cmath>
#include <utility>

namespace attest {

namespace {

constexpr Index kMaxDraws = 5;
constexpr double kGoodCondition = 1e-4;

/// Right-hand sides of query_design, one column per l: row (a, pair) holds p[(pair, l), a].
Matrix query_goal(const Matrix& P, Index d) {
    const Matrix p = isometric(P, d);
    Matrix goal(P.cols() * packed_dim(d), d);
    for (Index a = 0; a < P.cols(); ++a) {
        goal.middleRows(a * packed_dim(d), packed_dim(d)) =
            p.col(a).reshaped(d, packed_dim(d)).transpose();
    }
    return goal;
}

/// Q (H×d²) from the columns of the query system: solution[(h,c), l] = Q_h[c,l].
Matrix queries_of_solution(const Matrix& solution, Index d) {
    Matrix Q(solution.rows() / d, d * d);
    for (Index h = 0; h < Q.rows(); ++h) {
        Q.row(h) = flatten<double>(solution.middleRows(h * d, d)).transpose();
    }
    return Q;
}

LinearConstruction attempt(const FitTarget& target, Index H, const Stream& stream) {
    const Index d = target.d;
    LinearConstruction result;
    result.factors.V = grid_matrix(grid_normal(), target.o * d, H, stream);
    const LeastSquares solve =
        least_squares(query_design(result.factors.V, d), query_goal(target.P, d));
    result.rcond = solve.rcond;
    result.factors.Q = queries_of_solution(solve.solution, d);
    return result;
}

LinearConstruction best_attempt(const FitTarget& target, Index H, const Stream& stream) {
    const auto unknowns = static_cast<double>(H * target.d);
    require_memory(32.0 * unknowns * unknowns,
                   formatted("the linear construction of {} heads at d = {}", H, target.d),
                   "use symmetric_query_heads, which solves nothing");
    LinearConstruction best;
    for (Index i = 0; i < kMaxDraws && best.rcond < kGoodCondition; ++i) {
        LinearConstruction next = attempt(target, H, stream.child("values").child(i));
        if (i == 0 || next.rcond > best.rcond) {
            best = std::move(next);
        }
        best.draws = i + 1;
    }
    return best;
}

}  // namespace

LinearConstruction linear_construction(const Matrix& P, Index d, const Stream& stream) {
    const FitTarget target = frobenius_target(P, d);
    const Index H = linear_head_count(d, target.o);
    LinearConstruction best{{}, 1.0, 0.0, 0};
    if (H == packed_dim(d)) {
        best.factors = head_factors(symmetric_query_heads<double>(P, d));
    } else if (target.o == 1) {
        best.factors = head_factors(unit_value_heads<double>(P, d));
    } else {
        best = best_attempt(target, H, stream);
    }
    const Matrix W = best.factors.V * best.factors.Q;
    best.residual = relative_residual(target, coefficients_of_tensor<double>(W, d));
    return best;
}

Matrix query_design(const Matrix& V, Index d) {
    require(V.rows() % d == 0, "query_design: V does not have o·d rows");
    const Index o = V.rows() / d;
    const Index q = packed_dim(d);
    const double pair_weight = std::sqrt(0.5);
    Matrix D = Matrix::Zero(o * q, V.cols() * d);
    for (Index h = 0; h < V.cols(); ++h) {
        for (Index c = 0; c < d; ++c) {
            for (Index a = 0; a < o; ++a) {
                for (Index b = 0; b < d; ++b) {
                    const double weight = b == c ? 1.0 : pair_weight;
                    D(a * q + pack_index(d, b, c), h * d + c) = weight * V(a * d + b, h);
                }
            }
        }
    }
    return D;
}

}  // namespace attest
