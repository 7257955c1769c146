#include "core/base/text.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/gauge.hpp"
#include "core/heads/counting.hpp"
#include "core/heads/minimal_heads.hpp"
#include "core/heads/tangent_condition.hpp"
#include "core/rng/sample.hpp"
#include "proofs_check/claims/fewest_heads/statements.hpp"

#include <algorithm>

namespace attest::fewest_heads {

namespace {

// The acceptance bars; the bounds below are derived and must not exceed them.
constexpr double kFunctionBar = 1e-12;
constexpr double kTensorBar = 1e-8;

/// What a backward stable SVD of the d²×d² tensor may leave of ‖P‖: 30 n ε, LAPACK's ratio bound.
double function_bound(Index d) {
    return 30.0 * static_cast<double>(d * d) * 0x1p-52;
}

Parameters dense_heads(Index d, Index H, const Stream& stream) {
    Parameters theta{d, d, {}};
    for (Index h = 0; h < H; ++h) {
        theta.heads.push_back({grid_matrix(grid_normal(), d, d, stream.child("V").child(h)),
                               grid_matrix(grid_normal(), d, d, stream.child("Q").child(h))});
    }
    return theta;
}

/// What the search knows about one plant, stopped where it has as few heads.
struct Recovery {
    Index num_heads = 0;
    double function_error = 0.0;
    double tensor_error = 0.0;
    double tensor_bound = 0.0;  ///< function_bound times the condition of P -> W at the plant
};

Recovery recover(Index d, Index H, const Stream& stream) {
    const Parameters planted = dense_heads(d, H, stream.child("heads"));
    const Matrix W = head_tensor(planted);
    const FitTarget target = frobenius_target(coefficients(planted), d);
    HeadSearchOptions options;
    options.stream = stream.child("search");
    Index best = d * d;
    options.progress = [&](const HeadSearchProgress& at) { best = at.best_heads; };
    options.control.interrupt = [&] { return best <= H; };
    const MinimalHeads found = minimal_heads(target, options);
    return {found.heads.num_heads(),
            relative_residual(target, found.heads),
            (head_tensor(found.heads) - W).norm() / W.norm(),
            function_bound(d) * tangent_condition(W, d, H)};
}

void check_size(Evidence& evidence, Index d, Index seeds, const Stream& stream) {
    const Index most = 3 * counting_bound(d, d) / 4;
    Index recovered = 0;
    double function_error = 0.0;
    double tensor_error = 0.0;
    double tensor_bound = 0.0;
    for (Index H = 1; H <= most; ++H) {
        for (Index seed = 0; seed < seeds; ++seed) {
            const Recovery found = recover(d, H, stream.child(d).child(H).child(seed));
            const bool exact = found.num_heads == H && found.function_error <= function_bound(d) &&
                               found.tensor_error <= found.tensor_bound &&
                               found.tensor_bound <= kTensorBar;
            recovered += exact ? 1 : 0;
            function_error = std::max(function_error, found.function_error);
            tensor_error = std::max(tensor_error, found.tensor_error);
            tensor_bound = std::max(tensor_bound, found.tensor_bound);
        }
    }
    evidence.check(Form::tested,
                   recovered == most * seeds && function_bound(d) <= kFunctionBar,
                   formatted("d = {}: {} of {} plants of 1 to {} heads recovered; largest relative "
                             "distance of coefficients {}, of W {} where rounding may make it {}",
                             d,
                             recovered,
                             most * seeds,
                             most,
                             function_error,
                             tensor_error,
                             tensor_bound),
                   "double");
}

/// Another plant's tensor is not near, so that nearness says something.
void check_control(Evidence& evidence, const Stream& stream) {
    const Matrix W = head_tensor(dense_heads(3, 2, stream.child("one")));
    const Matrix other = head_tensor(dense_heads(3, 2, stream.child("other")));
    const Matrix symmetric = symmetric_gauge<double>(coefficients_of_tensor<double>(W, 3), 3);
    const double unrelated = (W - other).norm() / W.norm();
    const double gauge = (W - symmetric).norm() / W.norm();
    evidence.check(
        Form::control,
        unrelated > kTensorBar && gauge > kTensorBar,
        formatted(
            "relative distance of W to another plant {}, to its own Sym W {}", unrelated, gauge),
        "double");
}

Evidence run(const ClaimContext& context) {
    Evidence evidence;
    for (Index d = 3; d <= context.pick(4, 6); ++d) {
        check_size(evidence, d, context.pick(2, 10), context.stream.child("plant"));
    }
    check_control(evidence, context.stream.child("control"));
    return evidence;
}

}  // namespace

Claim planted_recovery() {
    return {
        .id = "fewest_heads/planted_recovery",
        .paper = "docs/heads.md",
        .place = "section 9",
        .printed = kOurs,
        .tested =
            "up to 3/4 of the counting bound, dense heads are recovered from the coefficients: as "
            "few heads, coefficients within 1e-12, and W itself within 1e-8",
        .deviation = "",
        .depends_on = "fewest_heads/identifiable",
        .method = Method::property,
        .documented = Outcome::holds,
        .explain =
            "Measured, not proved: closed form, averaged reflections and variable projection on "
            "span{Q_h} from several starts.",
        .run = run,
    };
}

}  // namespace attest::fewest_heads
