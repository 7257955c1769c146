#include "tasks/noisy_labels.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/rng/sample.hpp"

#include <cmath>
#include <utility>

namespace attest {

NoisyLabels::NoisyLabels(std::unique_ptr<Task> inner, double sigma, Stream stream)
    : inner_(std::move(inner)), sigma_(sigma), noise_(std::move(stream)) {
    require(sigma >= 0.0 && std::isfinite(sigma),
            "noisy labels: got sigma {}, expected 0 or more",
            round_trip(sigma));
    require(inner_->traits().labels != LabelKind::none,
            "noisy labels: task {} has no labels, expected a task with labels",
            inner_->description().name);
}

TaskTraits NoisyLabels::traits() const {
    TaskTraits traits = inner_->traits();
    traits.realisable = traits.realisable && is_zero(sigma_);
    return traits;
}

TaskDescription NoisyLabels::description() const {
    TaskDescription description = inner_->description();
    description.parameters.emplace_back("noise", round_trip(sigma_));
    return description;
}

Sequence NoisyLabels::draw(Index i) const {
    Sequence sequence = inner_->draw(i);
    const Matrix g =
        grid_matrix(grid_normal(), sequence.y.rows(), sequence.y.cols(), noise_.child(i));
    for (Index j = 0; j < sequence.y.size(); ++j) {
        sequence.y(j) += sigma_ * g(j);
    }
    return sequence;
}

}  // namespace attest
