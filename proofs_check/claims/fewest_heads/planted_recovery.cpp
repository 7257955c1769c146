#include "core/base/text.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/lower_bound.hpp"
#include "core/heads/minimal_heads.hpp"
#include "core/rng/sample.hpp"
#include "proofs_check/claims/fewest_heads/statements.hpp"

#include <algorithm>
#include <utility>
#include <vector>

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

struct Plant {
    Parameters planted;
    Parameters found;
};

/// The search, stopped where it has as few heads as were planted.
Plant search(Index d, Index H, const Stream& stream) {
    Parameters planted = dense_heads(d, H, stream.child("heads"));
    HeadSearchOptions options;
    options.stream = stream.child("search");
    Index best = d * d;
    options.progress = [&](const HeadSearchProgress& at) { best = at.best_heads; };
    options.control.interrupt = [&] { return best <= H; };
    const MinimalHeads found = minimal_heads(frobenius_target(coefficients(planted), d), options);
    return {std::move(planted), found.heads};
}

/// Plants of 1 head up to 3/4 of the counting bound.
std::vector<Plant> plants_of(Index d, Index seeds, const Stream& stream) {
    std::vector<Plant> plants;
    for (Index H = 1; H <= 3 * counting_bound(d, d) / 4; ++H) {
        for (Index seed = 0; seed < seeds; ++seed) {
            plants.push_back(search(d, H, stream.child(d).child(H).child(seed)));
        }
    }
    return plants;
}

/// The tensor that is looked for: Sym W has the plant's coefficients as well.
enum class Wanted : std::uint8_t { planted, symmetric };

/// Accepted: as few heads, the plant's coefficients to rounding, and the tensor to rounding times
/// the condition of P -> W at the plant.
Answer are_recovered(Index d, const std::vector<Plant>& plants, Wanted wanted) {
    Index recovered = 0;
    Index most = 0;
    double function_error = 0.0;
    double tensor_error = 0.0;
    double tensor_bound = 0.0;
    for (const Plant& plant : plants) {
        const Index H = plant.planted.num_heads();
        const Matrix W = head_tensor(plant.planted);
        const Matrix P = coefficients(plant.planted);
        const Matrix tensor = wanted == Wanted::planted ? W : symmetric_gauge<double>(P, d);
        const double off_function = relative_residual(frobenius_target(P, d), plant.found);
        const double off_tensor = (head_tensor(plant.found) - tensor).norm() / W.norm();
        const double bound = function_bound(d) * tangent_condition(W, d, H);
        const bool exact = plant.found.num_heads() == H && off_function <= function_bound(d) &&
                           off_tensor <= bound && bound <= kTensorBar;
        recovered += exact ? 1 : 0;
        most = std::max(most, H);
        function_error = std::max(function_error, off_function);
        tensor_error = std::max(tensor_error, off_tensor);
        tensor_bound = std::max(tensor_bound, bound);
    }
    const auto count = static_cast<Index>(plants.size());
    return {recovered == count && function_bound(d) <= kFunctionBar,
            formatted("d = {}: {} of {} plants of 1 to {} heads recovered; largest relative "
                      "distance of coefficients {}, of {} {} where rounding may make it {}",
                      d,
                      recovered,
                      count,
                      most,
                      function_error,
                      wanted == Wanted::planted ? "W" : "Sym W",
                      tensor_error,
                      tensor_bound)};
}

Evidence test_planted_recovery(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest recovered(evidence, are_recovered, "double");
    for (Index d = 3; d <= context.pick(4, 6); ++d) {
        const std::vector<Plant> plants =
            plants_of(d, context.pick(2, 10), context.stream.child("plant"));
        recovered.check(Form::tested, d, plants, Wanted::planted);
        if (d == 3) {
            recovered.control(d, plants, Wanted::symmetric);
            const Parameters other = dense_heads(d, 1, context.stream.child("other"));
            recovered.control(
                d, std::vector<Plant>{{other, plants.front().found}}, Wanted::planted);
        }
    }
    return evidence;
}

}  // namespace

Claim planted_recovery() {
    return {
        .id = "fewest_heads/planted_recovery",
        .paper = "docs/heads.md",
        .place = "section 9",
        .tested =
            "up to 3/4 of the counting bound, dense heads are recovered from the coefficients: as "
            "few heads, coefficients within 1e-12, and W itself within 1e-8",
        .depends_on = "fewest_heads/identifiable",
        .method = Method::property,
        .explain =
            "Measured, not proved: closed form, averaged reflections and variable projection on "
            "span{Q_h} from several starts.",
        .run = test_planted_recovery,
    };
}

}  // namespace attest::fewest_heads
