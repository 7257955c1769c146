#include "core/base/text.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/fit_heads.hpp"
#include "core/heads/lower_bound.hpp"
#include "core/rng/sample.hpp"
#include "proofs_check/claims/fewest_heads/statements.hpp"
#include "proofs_check/claims/fewest_heads/tangents.hpp"

#include <algorithm>

namespace attest::fewest_heads {

namespace {

/// The smallest H with H >= d²(1 − √((1 − 1/d)/2)), without roots: 2(d² − H)² <= d³(d − 1).
Index printed_bound(Index d) {
    Index H = 0;
    while (2 * (d * d - H) * (d * d - H) > d * d * d * (d - 1)) {
        ++H;
    }
    return H;
}

void check_table(Evidence& evidence) {
    std::string table;
    bool equal = true;
    for (Index d = 2; d <= 10; ++d) {
        equal = equal && counting_bound(d, d) == printed_bound(d);
        table += formatted("{}{}", table.empty() ? "" : ", ", counting_bound(d, d));
    }
    evidence.check(Form::tested,
                   equal,
                   formatted("least H with 2 H d^2 - H^2 >= d^3 (d+1)/2 for d = 2..10: {}, which "
                             "is ceil(d^2 (1 - sqrt((1 - 1/d)/2)))",
                             table));
}

/// Accepted: the functions with H heads have the dimension 2Hd² − lost·H², as far as there is room.
/// The count bounds the rank from above, a rank at one point bounds the dimension from below.
Answer has_counted_dimension(Index largest, Index lost, const Stream& stream) {
    bool equal = true;
    std::string text;
    for (Index d = 2; d <= largest; ++d) {
        for (Index H = 1; H <= counting_bound(d, d); ++H) {
            const Index counted = std::min(2 * H * d * d - lost * H * H, d * feature_dim(d));
            const Index rank =
                tangents(random_heads(d, d, H, 99, stream.child(d).child(H))).coefficients;
            equal = equal && rank == counted;
            text += formatted("{}{} (d = {}, H = {})", text.empty() ? "" : ", ", rank, d, H);
        }
    }
    return {equal,
            formatted("the functions with H heads have exactly the dimension {}: rank of the "
                      "Jacobian at integer heads {}",
                      lost == 0 ? "2Hd^2" : "2Hd^2 - H^2, at most d psi",
                      text)};
}

void check_dimension(Evidence& evidence, const ClaimContext& context) {
    const SharedTest dimension(evidence, has_counted_dimension);
    dimension.check(Form::tested, context.pick(2, 3), Index{1}, context.stream.child("J"));
    dimension.control(Index{2}, Index{0}, context.stream.child("J"));
}

/// Coefficients that are independent normals in the norm of Sym W.
Matrix generic_coefficients(Index d, const Stream& stream) {
    return norm_weights(d, Norm::sym).cwiseInverse().asDiagonal() *
           grid_matrix(grid_normal(), feature_dim(d), d, stream);
}

/// Accepted: r_min(d) heads, `less` of them left out, are a generic function, up to rounding.
Answer are_generic(Index d, Index less, const Stream& stream) {
    const FitTarget target = frobenius_target(generic_coefficients(d, stream), d);
    HeadFitOptions options;
    options.starts = 30;
    options.stream = stream.child("starts");
    const Index heads = counting_bound(d, d) - less;
    const double distance =
        relative_residual(target, heads_of(fit_heads(target, heads, options), d));
    return {distance < kSameFunction,
            formatted("d = {}: the best of 30 fits of {} real heads to a generic function has the "
                      "relative distance {}; r_min(d) = {}",
                      d,
                      heads,
                      distance,
                      heads + less)};
}

void check_fits(Evidence& evidence, const ClaimContext& context) {
    const SharedTest fits(evidence, are_generic, "double");
    for (Index d = 2; d <= context.pick(4, 6); ++d) {
        const Index draws = d <= 4 ? context.pick(2, 10) : 2;
        for (Index draw = 0; draw < draws; ++draw) {
            const Stream stream = context.stream.child("generic").child(d).child(draw);
            fits.check(Form::tested, d, Index{0}, stream);
            if (d <= 3) {
                fits.control(d, Index{1}, stream);
            }
        }
    }
}

Evidence test_counting_bound(const ClaimContext& context) {
    Evidence evidence;
    check_table(evidence);
    check_dimension(evidence, context);
    check_fits(evidence, context);
    return evidence;
}

}  // namespace

Claim counting_bound_table() {
    return {
        .id = "fewest_heads/counting_bound",
        .paper = "docs/heads.md",
        .place = "section 4",
        .tested =
            "a generic function (o = d) has no fewer than r_min(d) = least H with 2Hd^2 - H^2 >= "
            "d^3(d+1)/2 heads, which is about 0.293 d^2; and generic functions that were tried "
            "have "
            "so many",
        .method = Method::property,
        .explain =
            "GL(H) acts on the heads without changing W, so the functions with H heads are a "
            "smooth image of a set of dimension 2Hd^2 - H^2; below d^3(d+1)/2 it has measure zero "
            "(Sard). "
            "That this many real heads reach a generic function is measured, not proved.",
        .run = test_counting_bound,
    };
}

}  // namespace attest::fewest_heads
