#pragma once

#include "proofs_check/claims/claim.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// Every claim, in the order of the papers.
[[nodiscard]] std::span<const Claim> claims();

/// The claims among `all` that `patterns` name, each once, in their order; all for no pattern. A
/// pattern is an id, else a glob (* ? [ ) or the beginning of an id, else a name as people write it
/// (claims_about: "Lemma 2.3"). Throws UnknownName, with the nearest id, for one that names none.
[[nodiscard]] std::vector<const Claim*> select_claims(const std::vector<std::string>& patterns,
                                                      const std::vector<const Claim*>& all);

/// The same among ours.
[[nodiscard]] std::vector<const Claim*> select_claims(const std::vector<std::string>& patterns);

/// Whether a pattern names some of them.
[[nodiscard]] bool names_some(const std::string& pattern, const std::vector<const Claim*>& all);

/// Ours, in the order of the papers.
[[nodiscard]] std::vector<const Claim*> all_claims();

/// How an outcome stands to the documented one.
enum class Agreement : std::uint8_t {
    as_documented,
    undecided,  ///< inconclusive or skipped
    differs,
};

[[nodiscard]] Agreement agreement(Outcome outcome, Outcome documented);

/// Of several claims: differs if one does, else undecided if one is.
[[nodiscard]] Agreement joint_agreement(const std::vector<Agreement>& claims);

/// What running a claim gave.
struct ClaimResult {
    const Claim* claim = nullptr;
    Outcome outcome = Outcome::inconclusive;
    std::string reason = {};  ///< why skipped or stopped; else empty
    Evidence evidence = {};
    double seconds = 0.0;

    [[nodiscard]] Agreement agreement() const {
        return attest::agreement(outcome, claim->documented);
    }

    [[nodiscard]] bool decided() const { return agreement() != Agreement::undecided; }

    /// Whether a decided outcome is another than the documented one.
    [[nodiscard]] bool differs() const { return agreement() == Agreement::differs; }
};

/// Runs a claim on its own stream, Stream(seed) below its id. NotAvailable makes it skipped, any
/// other error inconclusive with the message as reason; Interrupted passes through.
[[nodiscard]] ClaimResult run_claim(const Claim& claim,
                                    Profile profile,
                                    std::uint64_t seed,
                                    const std::filesystem::path& results);

}  // namespace attest
