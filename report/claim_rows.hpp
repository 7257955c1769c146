#pragma once

#include "record/experiment.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// The result file of the claims, beside those of the experiments.
constexpr std::string_view kClaimsId = "claims";

/// Measured on two cores, for "about … s" before they start.
[[nodiscard]] double claims_seconds(Profile profile);

/// Every claim of the registry as one case of an experiment: what `attest verify` finds, as rows
/// whose evidence holds statement, outcome and findings. `results` is the folder of committed rows
/// that claims about experiments read.
[[nodiscard]] Experiment claims_experiment(Profile profile,
                                           std::uint64_t seed,
                                           const std::filesystem::path& results);

/// One check of a claim, as its row tells it.
struct ClaimFinding {
    std::string form;
    std::string verdict;
    std::string precision;
    std::string text;
};

/// A claim read back from its row. Texts are those of the claim (proofs_check/claims/claim.hpp);
/// outcomes are for people: "holds after correction".
struct ClaimRow {
    std::string id;
    std::string paper;
    std::string place;
    std::string method;
    std::string outcome;
    std::string documented;
    std::string severity;  ///< "missing hypothesis"; empty in rows that do not say
    std::string reason;    ///< why it was skipped or stopped
    std::string printed;
    std::string tested;
    std::string deviation;
    std::string depends_on;
    std::string explain;
    std::vector<ClaimFinding> findings;
    std::size_t row = 0;  ///< position among the rows given

    /// Neither inconclusive nor skipped.
    [[nodiscard]] bool decided() const;

    /// A decided outcome that is another than the documented one.
    [[nodiscard]] bool differs() const { return decided() && outcome != documented; }
};

/// Reads back rows of claims_experiment, in their order. A row that ended before the claim could
/// say anything is inconclusive, with its message as reason. Throws InvalidInput on evidence of
/// another form.
[[nodiscard]] std::vector<ClaimRow> claim_rows(const std::vector<Row>& rows);

/// One line a claim: id, outcome, documented outcome where it differs, place, method, checks.
[[nodiscard]] std::string claim_rows_text(const std::vector<Row>& rows);

/// Writes tables/claims.* below `folder` from the rows alone and returns their paths.
[[nodiscard]] std::vector<std::filesystem::path> derive_claims(const std::vector<Row>& rows,
                                                               const std::filesystem::path& folder);

}  // namespace attest
