#pragma once

#include "core/data/model_file.hpp"
#include "core/distil/contenders.hpp"
#include "core/distil/floor.hpp"
#include "core/distil/normalised_layer.hpp"
#include "core/features/predict.hpp"
#include "core/questions/verdict.hpp"
#include "core/solve/problem.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attest {

/// A penalty tried beside least squares: a number, or the one that data held back choose.
enum class RidgeBy : std::uint8_t { none, number, held_back };

struct DistilRequest {
    std::string solver = "auto";
    int threads = 1;
    RidgeBy ridge_by = RidgeBy::none;
    double ridge = 0.0;  ///< by number
    FloorEffort floor = FloorEffort::automatic;
    ContenderRequest contenders;
};

/// What a penalty makes of the same data: worse on them, perhaps better elsewhere.
struct RidgeFit {
    double ridge = 0.0;
    Model model;
    Risk train;
    std::optional<Risk> held_out;
};

/// The best layer of a linear family in place of another, on inputs labelled by that one.
struct Distilled {
    LeastSquaresFit fit;
    Model model;
    Risk train;
    std::optional<Risk> held_out;
    RiskFloor floor;                                  ///< of the training risk
    DataVerdict uniqueness = DataVerdict::undecided;  ///< whether every minimiser is one function
    bool determined_on_lengths_seen = false;          ///< whether it is on inputs of these lengths
    Index rank = 0;                                   ///< of the features, over the rationals
    std::vector<Contender> contenders;
    std::optional<RidgeFit> ridge;

    /// Whether there are so few examples for ψ features, less than four each, that the best layer
    /// on the data is another than the best elsewhere: its held-out risk is over four times its
    /// own.
    [[nodiscard]] bool fits_the_data_too_well() const;
    Index num_examples = 0;
};

/// What distil is estimated to take, in seconds: least squares, the exact rank, the floor, the
/// trainings at their usual rate. `machine_speed` as in AuditSize.
[[nodiscard]] double distil_seconds(const Dataset& data,
                                    const DistilRequest& request,
                                    double machine_speed);

/// Least squares over the features of the data's layer; the least risk, exactly or bounded from
/// below; whether the minimiser is unique, by the exact rank; and what training finds on the same
/// loss. `held_out` may be null; it chooses no ridge. Throws what learn, certify, risk_floor and
/// train_contenders throw.
[[nodiscard]] Distilled distil(const Dataset& data,
                               const Dataset* held_out,
                               const DistilRequest& request);

/// The best normalised head found in place of another layer.
struct DistilledNormalised {
    NormalisedFit fit;
    double power = 0.0;  ///< (1/N) Σ ‖y‖² on the training data
    std::optional<double> held_out_relative;
};

[[nodiscard]] DistilledNormalised distil_normalised(const Dataset& data, const Dataset* held_out);

/// The last ⌊share·N⌋ sequences apart from those before them, at least one on either side. Throws
/// InvalidInput for a single sequence or a share outside (0, 1).
struct SplitData {
    Dataset train;
    Dataset held_out;
};

[[nodiscard]] SplitData split_off(const Dataset& data, double share);

}  // namespace attest
