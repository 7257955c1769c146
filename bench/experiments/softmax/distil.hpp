#pragma once

#include "bench/experiments/frame/last_problem.hpp"
#include "core/distil/floor.hpp"
#include "core/distil/softmax_layer.hpp"
#include "core/rng/stream.hpp"
#include "record/derive/derived.hpp"
#include "record/row.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace attest {

/// One softmax head on standard normal tokens, to be imitated by a family.
struct DistilSetting {
    Index d = 3;
    Index n = 4;         ///< tokens of a sequence
    Index N = 1000;      ///< sequences, as many held out
    std::string family;  ///< the layer's text, with " normalised" behind it for one such head
    std::uint64_t seed = 0;

    friend bool operator==(const DistilSetting&, const DistilSetting&) = default;

    /// Of layer and tokens: the same for every family.
    [[nodiscard]] Stream stream() const;

    [[nodiscard]] bool normalised() const { return family.ends_with(" normalised"); }

    [[nodiscard]] std::string layer() const { return family.substr(0, family.find(" normalised")); }
};

/// What the cases of all temperatures share.
struct DistilProblem {
    SoftmaxLayer softmax;  ///< at τ = 1 scores have variance ‖A‖_F² = 1
    Dataset train;
    Dataset held_out;
    LeadingRisk leading;
    /// (n−1)(n−2)/n⁴ · (‖V‖_F²‖A‖_F² + ‖VA‖_F²): at normal tokens no layer that sums over single
    /// tokens has a smaller mean squared error than τ² times this, to leading order.
    double single_sum = 0.0;
};

[[nodiscard]] DistilProblem distil_problem(const DistilSetting& setting);

using DistilProblems = LastProblem<DistilSetting, DistilProblem>;

/// Names and shown numbers of `attest reproduce distil`.
[[nodiscard]] std::string distil_text(const std::vector<Row>& rows);
[[nodiscard]] Derived distil_derived(const std::vector<Row>& rows);

}  // namespace attest
