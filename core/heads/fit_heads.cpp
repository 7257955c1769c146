#include "core/heads/fit_heads.hpp"

#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/split_heads.hpp"

#include <algorithm>
#include <utility>

namespace attest {

HeadFit fit_heads(const FitTarget& target, Index num_heads, const HeadFitOptions& options) {
    require(options.starts >= 1, "fit_heads: got no start, expected at least one");
    const Index needed = static_cast<Index>(first_starts(target, num_heads).size());
    const IterationCost cost = variable_projection_cost(target, num_heads);
    require_memory(cost.bytes,
                   formatted("fit_heads: a fit with {} heads", num_heads),
                   "ask for fewer heads, or keep those of the SVD");
    HeadFit best;
    bool stopped = false;
    for (Index s = 0; s < std::max(options.starts, needed); ++s) {
        const StartKind kind = start_kind(target, num_heads, s);
        if (stopped && kind != StartKind::svd) {
            continue;
        }
        HeadFit fit = variable_projection(
            target,
            start_queries(target, num_heads, kind, options.stream.child(num_heads).child(s)),
            options.control);
        const FitEnd end = fit.end;
        if (s == 0 || fit.residual < best.residual) {
            best = std::move(fit);
        }
        if (end == FitEnd::target) {
            break;
        }
        stopped = stopped || end == FitEnd::interrupted;
    }
    return best;
}

Parameters truncated_heads(const FitTarget& target, Index num_heads) {
    return split_tensor(symmetric_gauge<double>(target.P, target.d), target.d, num_heads).heads;
}

Parameters refit_values(const FitTarget& target, const Parameters& heads) {
    require(heads.d == target.d && heads.o == target.o,
            "refit_values: the heads do not have the target's shape");
    const Matrix Q = head_factors(heads).Q;
    return balanced_heads({fit_values(target, Q).V, Q}, target.d);
}

Parameters heads_of(const HeadFit& fit, Index d) {
    return balanced_heads(fit.factors, d);
}

}  // namespace attest
