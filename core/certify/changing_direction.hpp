#pragma once

#include "core/certify/local_determination.hpp"
#include "core/certify/rank/exact_features.hpp"
#include "core/exact/null_space.hpp"

#include <optional>
#include <vector>

namespace attest {

/// The model's entries as integers: `values`, each 2^−low times the entry. The derivatives by V and
/// Q, but not those by `direct`, are then 2^−low times the model's.
struct IntegerParameters {
    std::vector<Dyadic> values;
    int low = 0;
    Index bits = 0;
};

[[nodiscard]] IntegerParameters integer_parameters(const HeadJacobian& jacobian,
                                                   const LayerHeads& heads);
[[nodiscard]] std::vector<Residue> residues(const Modulus& p, const IntegerParameters& parameters);

/// Residues that look random, the same at every call; `draw` tells several vectors apart.
[[nodiscard]] std::vector<Residue> random_residues(const Modulus& p, Index count, Index draw);

/// Combinations of the features of the data's layer that vanish on every input whose last token
/// asks and on every input of the data's kinds: they change P and no function. None for the paper's
/// layer; nothing where it is not known which there are.
[[nodiscard]] std::optional<IntegerNullSpace> identities_of(const Dataset& data);

/// Changes a row of features at the identities' free columns, so that all vanish on it: the row
/// then is a combination of the features of inputs.
void put_into_span(const Modulus& p, const IntegerNullSpace& identities, std::vector<Residue>& row);

/// Nominal seconds of the lift, as in LiftOptions.
constexpr double kDirectionSeconds = 10.0;

/// A direction of the parameters that to first order changes no output on these independent
/// examples, but the function: the first null vector modulo a prime that some change of the
/// function notices, lifted to integers and proved on every example. Entries at most 1, rounded.
/// None where there is no such direction, or its integers take longer than kDirectionSeconds.
[[nodiscard]] std::optional<LayerHeads> changing_direction(const HeadJacobian& jacobian,
                                                           const IntegerParameters& model,
                                                           const FeatureRows& features,
                                                           const IntegerNullSpace& identities,
                                                           const std::vector<Index>& examples);

}  // namespace attest
