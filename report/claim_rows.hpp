#pragma once

#include "proofs_check/claims/registry.hpp"
#include "record/derive/experiment_entry.hpp"
#include "record/directory_lock.hpp"
#include "record/provenance.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// The result file of the claims, beside those of the experiments.
constexpr std::string_view kClaimsId = "claims";

/// Every claim of the registry as one case of an experiment: what `attest verify` finds, as rows
/// whose evidence holds statement, outcome and findings. `results` is the folder of committed rows
/// that claims about experiments read.
[[nodiscard]] ExperimentEntry claims_entry(const std::filesystem::path& results);

/// One check of a claim, for people.
struct FindingRow {
    Form form = Form::tested;
    std::string
        said;  ///< "holds", "violated", "inconclusive"; of a control "noticed", "accepted", …
    std::string precision;
    std::string text;
};

/// A claim read back from its row. Texts are those of the claim (proofs_check/claims/claim.hpp).
struct ClaimRow {
    std::string id;
    std::string paper;
    std::string place;
    std::string method;
    Outcome outcome = Outcome::inconclusive;
    std::optional<Outcome> documented;  ///< absent where the claim could say nothing
    std::string severity;               ///< "missing hypothesis"; empty in rows that do not say
    std::string reason;                 ///< why it was skipped or stopped
    std::string printed;
    std::string tested;
    std::string deviation;
    std::string depends_on;
    std::string explain;
    std::string source;           ///< the Python file of a user's own claim; empty: ours
    std::string machine_checked;  ///< theorems of proofs_check/theory; empty if there are none
    std::vector<FindingRow> findings;
    std::size_t row = 0;  ///< position among the rows given

    [[nodiscard]] Agreement agreement() const {
        return attest::agreement(outcome, documented.value_or(outcome));
    }
};

/// Writes what `attest verify` found as rows: FOLDER/claims.jsonl, a row a claim as the cases of
/// claims_entry give, and its table beside it; earlier rows are kept as claims.jsonl.previous. A
/// user's own claims have their file in the evidence. Returns the files. Throws EnvironmentFailure.
[[nodiscard]] std::vector<std::filesystem::path> write_claim_rows(
    const std::vector<ClaimResult>& results,
    Profile profile,
    const DirectoryLock& folder,
    const Provenance& provenance);

/// Reads back rows of the claims, in their order. A row that ended before the claim could
/// say anything is inconclusive, with its message as reason. Throws InvalidInput on evidence of
/// another form.
[[nodiscard]] std::vector<ClaimRow> claim_rows(const std::vector<Row>& rows);

}  // namespace attest
