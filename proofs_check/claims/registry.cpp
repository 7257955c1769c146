#include "proofs_check/claims/registry.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/text.hpp"
#include "proofs_check/claims/written_names.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <chrono>

namespace attest {

namespace {

constexpr Choices<Method, 6> kMethodNames{{{Method::exact, "exact"},
                                           {Method::sampled, "sampled"},
                                           {Method::rigorous, "rigorous"},
                                           {Method::property, "property"},
                                           {Method::statistical, "statistical"},
                                           {Method::experiment, "experiment"}}};

constexpr Choices<Severity, 8> kSeverityNames{{{Severity::none, "none"},
                                               {Severity::misprint, "misprint"},
                                               {Severity::convention, "convention"},
                                               {Severity::missing_hypothesis, "missing_hypothesis"},
                                               {Severity::wrong_bound, "wrong_bound"},
                                               {Severity::refuted, "refuted"},
                                               {Severity::not_reproduced, "not_reproduced"},
                                               {Severity::our_statement, "our_statement"}}};

std::vector<std::string> ids_of(const std::vector<const Claim*>& claims) {
    std::vector<std::string> ids;
    ids.reserve(claims.size());
    for (const Claim* claim : claims) {
        ids.emplace_back(claim->id);
    }
    return ids;
}

/// The claims one pattern names: the exact id alone, else by glob or beginning, else by what it is
/// called.
std::vector<const Claim*> matches(const std::string& pattern,
                                  const std::vector<const Claim*>& all) {
    std::vector<const Claim*> found;
    for (const Claim* claim : all) {
        if (claim->id == pattern) {
            return {claim};
        }
        const std::string id(claim->id);
        if (!pattern.empty() &&
            (fnmatch(pattern.c_str(), id.c_str(), 0) == 0 || id.starts_with(pattern))) {
            found.push_back(claim);
        }
    }
    return found.empty() ? claims_about(pattern, all) : found;
}

/// Stream(seed) / paper / name: a stream's step may not hold '/'.
Stream stream_of(const Claim& claim, std::uint64_t seed) {
    Stream stream(seed);
    std::string_view rest = claim.id;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('/'), rest.size());
        stream = stream.child(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return stream;
}

}  // namespace

std::string_view to_string(Method method) {
    return name_of(kMethodNames, method);
}

std::string_view to_string(Severity severity) {
    return name_of(kSeverityNames, severity);
}

std::vector<const Claim*> select_claims(const std::vector<std::string>& patterns,
                                        const std::vector<const Claim*>& all) {
    std::vector<const Claim*> named;
    for (const std::string& pattern : patterns) {
        const std::vector<const Claim*> found = matches(pattern, all);
        if (found.empty()) {
            throw UnknownName(
                "claim: got '" + pattern + "', nearest: " + nearest_name(pattern, ids_of(all)) +
                "; expected an id, the beginning of one, a glob, or a name as 'Lemma 2.3'; `attest "
                "verify --list` shows ids and places");
        }
        named.insert(named.end(), found.begin(), found.end());
    }
    std::vector<const Claim*> chosen;
    for (const Claim* claim : all) {
        if (patterns.empty() || std::find(named.begin(), named.end(), claim) != named.end()) {
            chosen.push_back(claim);
        }
    }
    return chosen;
}

std::vector<const Claim*> select_claims(const std::vector<std::string>& patterns) {
    return select_claims(patterns, all_claims());
}

bool names_some(const std::string& pattern, const std::vector<const Claim*>& all) {
    return !matches(pattern, all).empty();
}

std::vector<const Claim*> all_claims() {
    std::vector<const Claim*> all;
    for (const Claim& claim : claims()) {
        all.push_back(&claim);
    }
    return all;
}

Agreement agreement(Outcome outcome, Outcome documented) {
    if (outcome == Outcome::inconclusive || outcome == Outcome::skipped) {
        return Agreement::undecided;
    }
    return outcome == documented ? Agreement::as_documented : Agreement::differs;
}

Agreement joint_agreement(const std::vector<Agreement>& claims) {
    return claims.empty() ? Agreement::as_documented
                          : *std::max_element(claims.begin(), claims.end());
}

ClaimResult run_claim(const Claim& claim,
                      Profile profile,
                      std::uint64_t seed,
                      const std::filesystem::path& results) {
    ClaimResult result;
    result.claim = &claim;
    const auto start = std::chrono::steady_clock::now();
    try {
        result.evidence = claim.run({profile, stream_of(claim, seed), results});
        result.outcome = outcome_of(result.evidence);
    } catch (const Interrupted&) {
        throw;
    } catch (const NotAvailable& error) {
        result.outcome = Outcome::skipped;
        result.reason = error.what();
    } catch (const std::exception& error) {
        result.outcome = Outcome::inconclusive;
        result.reason = std::string("stopped: ") + error.what();
    }
    result.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

}  // namespace attest
