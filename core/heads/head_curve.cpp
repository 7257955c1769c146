#include "core/heads/head_curve.hpp"

#include "core/algebra/lapack.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/lower_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace attest {

namespace {

constexpr double kSharpFall = 4.0;

HeadCurvePoint curve_point(const FitTarget& target, Index H, HeadFit fit) {
    HeadCurvePoint point;
    point.num_heads = H;
    point.parameters = std::min(head_dimension(target.d, target.o, H), target.goal.size());
    point.entries = target.goal.size();
    point.loss = fit.residual * fit.residual;
    const auto free = static_cast<double>(point.entries - point.parameters);
    point.variance = free > 0.0 ? point.loss * target.scale * target.scale / free
                                : std::numeric_limits<double>::infinity();
    point.fit = std::move(fit);
    return point;
}

/// Q of the fit with one more row: the strongest right singular vector of what it leaves.
Matrix extended_queries(const FitTarget& target, const HeadFit& fit) {
    Matrix rest = symmetric_gauge<double>(target.P, target.d);
    if (fit.factors.Q.rows() > 0) {
        const Matrix W = fit.factors.V * fit.factors.Q;
        const Matrix P = coefficients_of_tensor<double>(W, target.d);
        rest -= symmetric_gauge<double>(P, target.d);
    }
    Matrix Q(fit.factors.Q.rows() + 1, rest.cols());
    Q << fit.factors.Q, svd(rest).V.col(0).transpose();
    return Q;
}

}  // namespace

HeadCurve head_curve(const FitTarget& target,
                     Index last,
                     const HeadFitOptions& options,
                     const std::function<void(const HeadCurvePoint&)>& progress) {
    require(last >= 0 && last <= std::min(target.o * target.d, target.d * target.d),
            "head_curve: got {} heads, expected 0 to {}",
            last,
            std::min(target.o * target.d, target.d * target.d));
    HeadCurve curve;
    const FitControl& control = options.control;
    for (Index H = 0; H <= last; ++H) {
        HeadFit fit;
        if (H == 0) {
            fit = variable_projection(target, Matrix(0, target.d * target.d), control);
        } else {
            fit = variable_projection(target, extended_queries(target, curve.back().fit), control);
            if (fit.residual > control.target && fit.end != FitEnd::interrupted) {
                HeadFit fresh = fit_heads(target, H, options);
                if (fresh.residual < fit.residual) {
                    fit = std::move(fresh);
                }
            }
        }
        const bool stop = fit.end == FitEnd::interrupted || (H > 0 && fit.end == FitEnd::target);
        curve.push_back(curve_point(target, H, std::move(fit)));
        if (progress) {
            progress(curve.back());
        }
        if (stop) {
            break;
        }
    }
    return curve;
}

std::optional<Index> elbow(const HeadCurve& curve) {
    std::optional<Index> at;
    for (std::size_t i = 1; i < curve.size(); ++i) {
        if (10 * (curve[i].entries - curve[i].parameters) < curve[i].entries) {
            break;
        }
        if (curve[i - 1].variance > kSharpFall * curve[i].variance) {
            at = curve[i].num_heads;
        }
    }
    return at;
}

}  // namespace attest
