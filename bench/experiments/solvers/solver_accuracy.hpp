#pragma once

// How accurate is each solver, and does it know? Two kinds of ill-conditioned data (a coordinate
// that nearly depends on another; nearly unitary keys and values) at conditions from 10 to 1e12,
// every solver against the minimiser to 50 digits.
//
// Expected outcome: every answer lies within the error bound that came with it, all others are
// refused. Solvers of whitened tokens do not notice dependent coordinates; none escapes the other
// degeneracy. gram32 refuses first, then normal, then gram64, the orthogonal ones last.

#include "record/experiment.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

/// Cases: degeneracy × condition × solver. Metrics: relative_error with the solver's bound, and
/// condition, that of the features by singular values.
[[nodiscard]] Experiment make_solver_accuracy(Profile profile, std::uint64_t seed);

/// One table for each degeneracy: solvers by conditions, error or "refused"; "!" marks an answer
/// outside its bound.
[[nodiscard]] std::string solver_accuracy_text(const std::vector<Row>& rows);

/// tables/solver_accuracy_{dependent,unitary}.{csv,md}, figures/solver_accuracy.svg.
[[nodiscard]] std::vector<std::filesystem::path> derive_solver_accuracy(
    const std::vector<Row>& rows, const std::filesystem::path& folder);

}  // namespace attest
