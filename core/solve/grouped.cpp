#include "core/solve/grouped.hpp"

#include "core/algebra/lapack.hpp"
#include "core/moments/query_groups.hpp"
#include "core/solve/accuracy.hpp"
#include "core/solve/orthogonal.hpp"
#include "core/solve/preconditioned.hpp"

#include <Eigen/QR>

#include <algorithm>
#include <limits>
#include <utility>

namespace attest {

namespace {

using QueryGroups = std::vector<std::vector<Index>>;

/// Why the source has no groups to solve by; empty if it has.
std::string ungrouped(const MomentSource& source, const SolveOptions& options) {
    const Dataset* const data = source.dataset();
    if (data == nullptr || !data->layer.is_linear() || data->labels != LabelKind::per_sequence) {
        return "needs sequences of the paper's layer with one label each";
    }
    return options.ridge > 0.0 ? "a ridge joins the groups again" : "";
}

LeastSquaresFit fit_group(const Dataset& states, const SolveOptions& options) {
    const DatasetSource source(states);
    LeastSquaresFit fit = fit_gram64(source, options);
    return fit.status == SolveStatus::refused
               ? fit_qr(triangular_factor(source), source.shape().layout, options)
               : fit;
}

/// P of the groups' c_g: q×o matrices, one for each column of U.
Matrix joined_groups(const std::vector<Matrix>& groups,
                     const Matrix& U,
                     const FeatureLayout& layout) {
    const Index o = groups.front().cols();
    const Eigen::HouseholderQR<Matrix> factor(U.transpose());
    Matrix P(layout.psi(), o);
    for (Index a = 0; a < o; ++a) {
        Matrix C(U.cols(), layout.q());  // row g: c_g of output a
        for (Index g = 0; g < C.rows(); ++g) {
            C.row(g) = groups[static_cast<std::size_t>(g)].col(a).transpose();
        }
        const Matrix M = factor.solve(C);
        P.col(a) = layout.from_factors(M);
    }
    return P;
}

}  // namespace

LeastSquaresFit fit_grouped(const MomentSource& source, const SolveOptions& options) {
    if (const std::string reason = ungrouped(source, options); !reason.empty()) {
        return refusal("grouped", reason);
    }
    const Dataset& data = *source.dataset();
    const Index d = data.d();
    const QueryGroups groups = query_groups(data);
    if (std::ssize(groups) != d) {
        return refusal("grouped",
                       formatted("{} distinct query tokens, expected d = {}", groups.size(), d));
    }
    const Matrix U = group_queries(data, groups);
    const Vector sigma = singular_values(U);
    const double share = sigma(0) > 0.0 ? sigma(d - 1) / sigma(0) : 0.0;
    const double unit = std::numeric_limits<double>::epsilon() / 2.0;
    if (share < static_cast<double>(d * d) * unit) {
        return refusal("grouped", "the query tokens are linearly dependent to rounding");
    }
    std::vector<Matrix> found;
    double bound = 0.0;
    double rcond = 1.0;
    for (const auto& group : groups) {
        LeastSquaresFit fit = fit_group(group_states(data, group), options);
        if (fit.status != SolveStatus::unique) {
            return refusal("grouped",
                           formatted("the group of example {}, {} examples: {}",
                                     group.front(),
                                     group.size(),
                                     fit.note));
        }
        bound = std::max(bound, fit.error_bound);
        rcond = std::min(rcond, fit.rcond);
        found.push_back(std::move(fit.P));
    }
    LeastSquaresFit fit;
    fit.solver = "grouped";
    fit.status = SolveStatus::unique;
    fit.rank = source.shape().psi();
    fit.rcond = rcond * share;
    fit.P = joined_groups(found, U, source.shape().layout);
    fit.note = formatted("{} groups of the same query", d);
    // [c_g] = P U: an error of a share b in it is one of b·cond(U) in P at most; Householder QR
    // adds a backward error of about d²u (Higham 2002, theorem 19.5).
    return with_error_bound(std::move(fit), (bound + static_cast<double>(d * d) * unit) / share);
}

}  // namespace attest
