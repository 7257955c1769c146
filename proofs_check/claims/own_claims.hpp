#pragma once

#include "proofs_check/claims/registry.hpp"

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// Claims that a user wrote in Python, with what their run found. Texts live in `texts`, which the
/// claims look into, as results do into claims: moving keeps them in place, and copying is not
/// possible.
struct OwnClaims {
    OwnClaims() = default;
    OwnClaims(OwnClaims&&) = default;
    OwnClaims& operator=(OwnClaims&&) = default;
    OwnClaims(const OwnClaims&) = delete;
    OwnClaims& operator=(const OwnClaims&) = delete;
    ~OwnClaims() = default;

    std::deque<std::string> texts;
    std::deque<Claim> claims;
    std::vector<ClaimResult> results;  ///< one a claim, in order; empty after a listing
    std::vector<Index> lines;          ///< of the file, where each claim begins
};

/// Reads what the runner of a Python file prints (`python -m attest.claim_file`), and computes each
/// outcome from its findings. `file` is the claims' source. Throws InvalidInput of one line for
/// other text, for an id that is not GROUP/NAME, stands twice or begins as one of Attest's, and
/// for a claim without a control: no test was seen to come out both ways, or, where the outcome is
/// not the documented one, no control runs a test of the statement.
[[nodiscard]] OwnClaims read_own_claims(std::string_view json, std::string_view file);

/// Errata of users' own papers, as Markdown: an entry for each claim whose printed form its checks
/// refuted, corrected or found vacuous, with the counterexample, what holds instead and the command
/// that shows it again; then remarks on proofs. It says so where there is no erratum, and which
/// claims are undecided. What a claim says of its own severity names the kind and decides nothing.
[[nodiscard]] std::string own_errata_markdown(const std::vector<ClaimResult>& results);

}  // namespace attest
