#include "cli/reproduce_parts.hpp"

#include "bench/experiments/catalogue.hpp"
#include "report/claim_rows.hpp"

#include <algorithm>

namespace attest::cli {

namespace {

constexpr const char* kClaimsSummary = "every statement of the papers that is checked, as rows";

Part part_of(const ExperimentEntry& entry, Profile profile, std::uint64_t seed) {
    return {std::string(entry.id),
            std::string(entry.summary),
            profile == Profile::quick ? entry.quick_seconds : entry.full_seconds,
            entry.asks_for_refusals,
            [&entry, profile, seed] { return entry.make(profile, seed); },
            entry.text,
            entry.derive};
}

Part claims_part(Profile profile, std::uint64_t seed, const std::string& results) {
    return {std::string(kClaimsId),
            kClaimsSummary,
            claims_seconds(profile),
            false,
            [profile, seed, results] { return claims_experiment(profile, seed, results); },
            claim_rows_text,
            derive_claims};
}

}  // namespace

bool asks_for_all(const ReproduceOptions& options) {
    return std::find(options.ids.begin(), options.ids.end(), "all") != options.ids.end();
}

std::vector<Part> parts_of(const ReproduceOptions& options, std::uint64_t seed) {
    const Profile profile = profile_from_string(options.profile);
    std::vector<Part> parts;
    const auto add = [&](Part part) {
        const auto same = [&](const Part& other) { return other.id == part.id; };
        if (std::none_of(parts.begin(), parts.end(), same)) {
            parts.push_back(std::move(part));
        }
    };
    for (const std::string& id : options.ids) {
        if (id == "all") {
            for (const ExperimentEntry& entry : experiments()) {
                add(part_of(entry, profile, seed));
            }
        }
        if (id == "all" || id == kClaimsId) {
            add(claims_part(profile, seed, options.results));
        } else {
            add(part_of(experiment_named(id), profile, seed));
        }
    }
    return parts;
}

std::vector<std::pair<std::string, std::string>> part_names() {
    std::vector<std::pair<std::string, std::string>> names;
    for (const ExperimentEntry& entry : experiments()) {
        names.emplace_back(entry.id, entry.summary);
    }
    names.emplace_back(kClaimsId, kClaimsSummary);
    return names;
}

}  // namespace attest::cli
