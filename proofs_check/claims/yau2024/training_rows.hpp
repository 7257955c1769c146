#pragma once

#include "proofs_check/claims/claim.hpp"
#include "record/row.hpp"

#include <string>
#include <vector>

namespace attest::yau2024 {

/// The committed rows of an experiment that trains, quick profile; those of the full profile where
/// the context asks for it and they exist. Throws NotAvailable when there are none.
[[nodiscard]] std::vector<Row> training_rows(const ClaimContext& context, const std::string& id);

/// The committed rows of an experiment, full profile. Throws NotAvailable when there are none.
[[nodiscard]] std::vector<Row> full_rows(const ClaimContext& context, const std::string& id);

/// The rows of one learner at one d and size ("heads" or "layers"), by repetition; the main
/// protocol: rate 0.01 (transformer 0.001), batch 32.
[[nodiscard]] std::vector<Row> trainings(const std::vector<Row>& rows,
                                         Index d,
                                         const std::string& learner,
                                         Index size);

/// One cell of the paper's grid (table of appendix G.1).
struct Setting {
    Index d = 4;
    std::string learner = "heads";  ///< or "layers", "transformer"
    Index size = 1;                 ///< number of heads or layers
    double rate = 0.01;
    Index batch = 32;
};

/// The rows of one cell, by repetition. Throws NotAvailable when there are none.
[[nodiscard]] std::vector<Row> trainings_at(const std::vector<Row>& rows, const Setting& setting);

/// The error on held-out sequences after the last update; infinite if the training diverged.
[[nodiscard]] double final_error(const Row& row);

/// The first update of the kept curve whose held-out error is at most `error`; infinite if none is.
[[nodiscard]] double updates_to(const Row& row, double error);

/// The held-out error of the kept curve at the last update that is at most `update`.
[[nodiscard]] double error_after(const Row& row, double update);

/// The middle one, or the mean of the middle two.
[[nodiscard]] double median_of(std::vector<double> values);

}  // namespace attest::yau2024
