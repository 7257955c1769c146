#pragma once

#include "core/rng/stream.hpp"
#include "tasks/task.hpp"

#include <memory>

namespace attest {

/// Another task with labels y + sigma·g, g independent grid_normal draws. Sequences and truth stay
/// the same, and so do the draws g for every sigma. No longer realisable unless sigma = 0.
class NoisyLabels final : public Task {
public:
    /// Throws InvalidInput unless sigma ≥ 0 is finite and the task has labels.
    NoisyLabels(std::unique_ptr<Task> inner, double sigma, Stream stream);

    [[nodiscard]] TaskTraits traits() const override;
    [[nodiscard]] TaskDescription description() const override;

    [[nodiscard]] Index length(Index i) const override { return inner_->length(i); }

    [[nodiscard]] Sequence draw(Index i) const override;

    [[nodiscard]] GroundTruth truth() const override { return inner_->truth(); }

private:
    std::unique_ptr<Task> inner_;
    double sigma_;
    Stream noise_;
};

}  // namespace attest
