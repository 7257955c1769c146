#pragma once

#include "core/audit/factored_source.hpp"
#include "core/certify/witness.hpp"
#include "core/data/model_file.hpp"

#include <array>

namespace attest {

/// Two minimisers that disagree, as models with Algorithm 1's heads.
struct WitnessAudit {
    Witness witness;
    std::array<Model, 2> models;  ///< without meta
};

/// A witness beside the minimiser of least norm, or beside zero where there are no labels, on the
/// first query or, for null, on an input of its own. `rank` is certify_rank(data) with
/// NullVectors::all. Throws InvalidInput when the data determine the function, or where
/// the difference leaves the range of doubles.
[[nodiscard]] WitnessAudit audit_witness(const FactoredSource& data,
                                         const ExactRank& rank,
                                         const Dataset* queries);

}  // namespace attest
