#include "core/heads/head_starts.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/choice.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/closed_form.hpp"
#include "core/heads/iterations.hpp"
#include "core/rng/sample.hpp"

#include <algorithm>
#include <optional>

namespace attest {

namespace {

constexpr Choices<StartKind, 5> kStartKindNames{{{StartKind::closed_form, "closed_form"},
                                                 {StartKind::reflections, "reflections"},
                                                 {StartKind::svd, "svd"},
                                                 {StartKind::alternating, "alternating"},
                                                 {StartKind::random, "random"}}};

constexpr Index kReflections = 200;
constexpr Index kProjections = 50;
constexpr Index kClosedFormUnknowns = 4000;

bool closed_form_applies(const FitTarget& target, Index H) {
    const Index d = target.d;
    return d >= 2 && H >= 1 && H <= std::min(target.o, d) && target.o + d > 2 * H &&
           (d - 1) * H * H <= kClosedFormUnknowns;
}

Matrix svd_queries(const FitTarget& target, Index H) {
    return svd(symmetric_gauge<double>(target.P, target.d)).V.leftCols(H).transpose();
}

}  // namespace

std::string_view to_string(StartKind kind) {
    return name_of(kStartKindNames, kind);
}

std::vector<StartKind> first_starts(const FitTarget& target, Index num_heads) {
    if (closed_form_applies(target, num_heads)) {
        return {StartKind::closed_form, StartKind::reflections, StartKind::svd};
    }
    return {StartKind::reflections, StartKind::svd};
}

StartKind start_kind(const FitTarget& target, Index num_heads, Index index) {
    const std::vector<StartKind> first = first_starts(target, num_heads);
    const auto i = static_cast<std::size_t>(index);
    if (i < first.size()) {
        return first[i];
    }
    // Reflections pull every start towards the same minimum where that one attracts: at d = o = 2
    // there are generic targets on which they all end at a residual of 0.05 and a quarter of the
    // random starts at 0.
    return (i - first.size()) % 3 == 2 ? StartKind::random : StartKind::reflections;
}

Matrix start_queries(const FitTarget& target,
                     Index num_heads,
                     StartKind kind,
                     const Stream& stream) {
    const Index d = target.d;
    require(num_heads >= 1 && num_heads <= std::min(target.o * d, d * d),
            "start_queries: got {} heads, expected 1 to {}",
            num_heads,
            std::min(target.o * d, d * d));
    if (kind == StartKind::random) {
        return grid_matrix(grid_normal(), num_heads, d * d, stream);
    }
    if (kind == StartKind::reflections) {
        const Matrix W = random_gauge(target.P, d, stream);
        return averaged_reflections(W, target.P, d, num_heads, kReflections);
    }
    if (kind == StartKind::alternating) {
        const Matrix W = random_gauge(target.P, d, stream);
        return alternating_projections(W, target.P, d, num_heads, kProjections);
    }
    if (kind == StartKind::closed_form) {
        const std::optional<ClosedForm> closed = closed_form_heads(target.P, d, num_heads, stream);
        if (closed) {
            return closed->factors.Q;
        }
    }
    return svd_queries(target, num_heads);
}

}  // namespace attest
