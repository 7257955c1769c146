#pragma once

#include "core/softmax/attention.hpp"
#include "core/softmax/hull.hpp"
#include "core/softmax/notices.hpp"

namespace attest {

/// Errors of learned heads against planted ones, under the best matching of the two.
struct RecoveryError {
    double theta = 0.0;  ///< max_i ‖Θ̂_i − Θ_i‖_F/‖Θ_i‖_F
    double value = 0.0;  ///< max_i ‖Ŵ_i − W_i‖_F/‖W_i‖_F

    [[nodiscard]] double worst() const { return theta > value ? theta : value; }
};

/// The matching minimises the worst relative error. O(m! m d²). Throws InvalidInput unless both
/// have the same number of heads, from 1 to 8.
[[nodiscard]] RecoveryError recovery_error(const SoftmaxHeads& learned,
                                           const SoftmaxHeads& planted);

/// A run's outcome where the truth is known: heads in another number than the planted ones are not
/// recovered, however well they predict.
[[nodiscard]] SoftmaxOutcome outcome_against(SoftmaxOutcome outcome,
                                             const SoftmaxHeads& learned,
                                             const SoftmaxHeads& planted);

/// How far an estimated hull is from the planted heads' own.
struct HullError {
    double distance = 0.0;       ///< max_i dist(Θ_i, hull)/‖Θ_i‖
    double angle_degrees = 0.0;  ///< largest principal angle to span{Θ_i − Θ_m}
};

[[nodiscard]] HullError hull_error(const ThetaHull& hull, const SoftmaxHeads& planted);

/// ‖W − Σ_i W_i‖_F/‖Σ_i W_i‖_F.
[[nodiscard]] double sum_error(const Matrix& W, const SoftmaxHeads& planted);

/// The flattened Θ_i, a column each: d²×m.
[[nodiscard]] Matrix flattened_thetas(const SoftmaxHeads& heads);

}  // namespace attest
