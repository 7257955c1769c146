#include "core/softmax/sign_cone.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/text.hpp"
#include "core/rng/sample.hpp"
#include "core/softmax/linear_program.hpp"
#include "core/softmax/sculpt.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace attest {

namespace {

constexpr Index kFirstTight = 1500;  // columns of least product with the axis, for a start
constexpr Index kFirstSpread = 3000;
constexpr Index kAdded = 1000;  // cutting columns added at a time
constexpr Index kMostCuts = 30;
constexpr double kViolation = 1e-6;
constexpr double kShift = 10.0;  // makes the slice, not the apex, the maximiser
constexpr std::uint64_t kDirections = 20240207;

/// The cone with the columns that have cut so far. An extreme ray touches d² − 1 columns, so most
/// never enter a program.
class CuttingCone {
public:
    explicit CuttingCone(const Matrix& v)
        : v_(v), axis_(v.rowwise().mean().normalized()), in_(v.cols(), false) {
        std::vector<Index> order(static_cast<std::size_t>(v.cols()));
        std::iota(order.begin(), order.end(), Index{0});
        const Vector along = v.transpose() * axis_;
        add(least(along, kFirstTight));
        order.resize(static_cast<std::size_t>(std::min(kFirstSpread, v.cols())));
        add(order);
    }

    /// The unit ray that maximises ⟨g, Θ⟩ on the slice ⟨axis, Θ⟩ = 1; nothing if a program does not
    /// finish: the columns leave the cone unbounded or only its apex.
    std::optional<Vector> ray(const Vector& g) {
        for (Index cut = 0; cut < kMostCuts; ++cut) {
            throw_if_interrupted("sign_cone");
            const std::optional<Vector> theta = maximiser(g);
            if (!theta) {
                return std::nullopt;
            }
            const Vector margins = v_.transpose() * *theta;
            std::vector<Index> cutting = least(margins, kAdded);
            const auto kept = std::remove_if(cutting.begin(), cutting.end(), [&](Index t) {
                return margins(t) >= -kViolation * theta->norm() ||
                       in_[static_cast<std::size_t>(t)];
            });
            cutting.erase(kept, cutting.end());
            if (cutting.empty()) {
                return theta->normalized();
            }
            add(cutting);
        }
        return std::nullopt;
    }

private:
    static std::vector<Index> least(const Vector& values, Index count) {
        std::vector<Index> order(static_cast<std::size_t>(values.size()));
        std::iota(order.begin(), order.end(), Index{0});
        const auto middle =
            order.begin() + static_cast<std::ptrdiff_t>(std::min(count, values.size()));
        std::partial_sort(order.begin(), middle, order.end(), [&](Index a, Index b) {
            return std::pair(values(a), a) < std::pair(values(b), b);
        });
        order.erase(middle, order.end());
        return order;
    }

    void add(const std::vector<Index>& columns) {
        for (const Index t : columns) {
            if (!in_[static_cast<std::size_t>(t)]) {
                in_[static_cast<std::size_t>(t)] = true;
                active_.push_back(t);
            }
        }
    }

    /// max ⟨g + kShift·axis, Θ⟩ with vᵀΘ ≥ 0 and ⟨axis, Θ⟩ ≤ 1, through its dual.
    [[nodiscard]] std::optional<Vector> maximiser(const Vector& g) const {
        const auto T = static_cast<Index>(active_.size());
        LinearProgram program{
            Matrix(v_.rows(), T + 1), g + kShift * axis_, Vector::Unit(T + 1, T), {}};
        program.A.leftCols(T) = -v_(Eigen::all, active_);
        program.A.col(T) = axis_;
        program.u = Vector::Constant(T + 1, std::numeric_limits<double>::infinity());
        const ProgramSolution solution = solve(program);
        if (solution.status != ProgramStatus::optimal || !(solution.lambda.dot(axis_) > 0.5)) {
            return std::nullopt;
        }
        return solution.lambda;
    }

    const Matrix& v_;
    Vector axis_;
    std::vector<bool> in_;
    std::vector<Index> active_;
};

/// The constraints seen from the span of the orthonormal columns of B.
AffineConstraints within(const AffineConstraints& constraints, const Matrix& B) {
    return {B.transpose() * constraints.v, constraints.c, constraints.s};
}

/// Where the rays meet the hull, as far as they do within the window.
Matrix meeting_points(const Matrix& rays, const ThetaHull& hull, double largest_norm) {
    std::vector<Index> kept;
    Matrix points(rays.rows(), rays.cols());
    Index count = 0;
    for (Index i = 0; i < rays.cols(); ++i) {
        const double towards = hull.x0.dot(rays.col(i));
        if (!(towards > 0.0)) {
            continue;
        }
        // In the span the hull is the hyperplane through x0 across x0.
        Vector in_span = hull.x0 * (towards / hull.x0.squaredNorm()) +
                         hull.directions * (hull.directions.transpose() * rays.col(i));
        in_span *= hull.x0.squaredNorm() / towards;
        if (largest_norm <= 0.0 || in_span.norm() <= largest_norm) {
            points.col(count++) = in_span;
        }
    }
    return points.leftCols(count);
}

/// σ_j/σ_{j+1}.
double fall(const Vector& sigma, Index j) {
    return sigma(j - 1) / std::max(sigma(j), 1e-300);
}

Index widest_fall(const Vector& sigma, Index most) {
    Index widest = 1;
    for (Index j = 2; j <= most; ++j) {
        widest = fall(sigma, j) > fall(sigma, widest) ? j : widest;
    }
    return widest;
}

struct SaturatingSum {
    Matrix W;
    SaturatedRows rows;
};

SaturatingSum most_saturating(const SoftmaxSource& source,
                              const std::vector<HullCandidate>& candidates) {
    SaturatingSum best;
    for (const HullCandidate& candidate : candidates) {
        const SaturatedOptions options;
        Matrix W = refine_by_saturation(source, candidate.sum.W, options);
        SaturatedRows rows = saturated_rows(source, W, options);
        if (rows.count > best.rows.count) {
            best = {std::move(W), std::move(rows)};
        }
    }
    return best;
}

}  // namespace

Matrix extreme_rays(const Matrix& v, Index count) {
    require(v.cols() >= 1 && count >= 1, "extreme_rays: expected a column and a ray to look for");
    CuttingCone cone(v);
    const Matrix directions =
        grid_matrix(grid_normal(), v.rows(), count, Stream(kDirections).child("extreme rays"));
    Matrix rays(v.rows(), count);
    Index found = 0;
    for (Index i = 0; i < count; ++i) {
        if (const std::optional<Vector> ray = cone.ray(directions.col(i).normalized())) {
            rays.col(found++) = *ray;
        }
    }
    return rays.leftCols(found);
}

SignCone sign_cone(const Matrix& v, const SculptedRows& rows, const SignConeOptions& options) {
    const Index n = rows.d * rows.d;
    require(options.m >= 0 && options.m <= n && v.rows() == n,
            "sign_cone: got m = {} and {} coordinates, expected {}",
            options.m,
            v.rows(),
            n);
    const Index most = options.m > 0 ? options.m : options.most_heads;
    SignCone cone;
    cone.constraints = v.cols();
    if (v.cols() < n) {
        return cone;
    }
    cone.rays = extreme_rays(v, options.rays > 0 ? options.rays : 16 * most);
    if (std::min(cone.rays.cols(), n) <= most) {
        return cone;
    }
    const Svd decomposition = svd(cone.rays);
    cone.sigma = decomposition.sigma;
    cone.m = options.m > 0 ? options.m : widest_fall(cone.sigma, most);
    cone.gap = fall(cone.sigma, cone.m);
    const Matrix B = decomposition.U.leftCols(cone.m);
    cone.hull = spectral_hull(within(constraints_of(rows), B), cone.m);
    if (!cone.hull.found) {
        return cone;
    }
    cone.hull.x0 = B * cone.hull.x0;
    cone.hull.directions = B * cone.hull.directions;
    cone.points = meeting_points(cone.rays, cone.hull, options.largest_norm);
    cone.found = cone.points.cols() >= cone.m;
    return cone;
}

SignSearch search_by_signs(const SoftmaxSource& source,
                           const std::vector<HullCandidate>& candidates,
                           const SoftmaxExamples& training,
                           const SignSearchOptions& options) {
    SignSearch search;
    const SaturatingSum sum = most_saturating(source, candidates);
    if (sum.rows.count == 0) {
        return search;
    }
    SculptOptions sculpting;
    sculpting.mode = sculpt_modes(source.d, source.k).front();
    sculpting.rows = options.rows;
    search.cone = sign_cone(sum.rows.v, sculpt(source, sum.W, sculpting), options.cone);
    if (search.cone.found) {
        search.net = search_tuples(search.cone.points, search.cone.m, training, options.net);
    }
    return search;
}

}  // namespace attest
