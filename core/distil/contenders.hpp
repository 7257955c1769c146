#pragma once

#include "core/data/dataset.hpp"
#include "core/train/train.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// What is trained in place of the closed form.
enum class ContenderForm : std::uint8_t {
    heads,         ///< V and Q of as many heads as give every function: `linear`, one length
    coefficients,  ///< P, every other layer
};
[[nodiscard]] std::string_view to_string(ContenderForm form);

struct ContenderRequest {
    Index starts = 3;  ///< of each optimiser; 0: none is trained
    Index updates = 3000;
    Index batch_size = 32;
    std::uint64_t seed = 0;
};

/// One training from one random start, on the loss that least squares minimises.
struct Contender {
    ContenderForm form = ContenderForm::coefficients;
    OptimiserKind optimiser = OptimiserKind::adam;
    Index start = 0;
    TrainStatus status = TrainStatus::finished;
    std::string note = {};
    std::optional<double> relative_risk = {};      ///< on the training data; absent if it diverged
    std::optional<double> held_out_relative = {};  ///< absent without held-out data
};

/// Adam (rate 0.01) and SGD with momentum, cosine schedules, from `starts` random starts each, on
/// labelled data of any layer; `held_out` may be null. SGD's rate is a fifth of the inverse trace
/// of the second moment where P is trained, 0.001 where heads are. Throws InvalidInput where all
/// labels are zero, Interrupted as train.
[[nodiscard]] std::vector<Contender> train_contenders(const Dataset& data,
                                                      const Dataset* held_out,
                                                      const ContenderRequest& request);

}  // namespace attest
