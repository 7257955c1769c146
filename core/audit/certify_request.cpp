#include "core/audit/certify_request.hpp"

#include "core/base/error.hpp"
#include "core/base/in_quotes.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace attest {

namespace {

using namespace std::string_view_literals;

constexpr std::array kLevels{
    std::pair{"auto"sv, CertifyLevel::automatic},
    std::pair{"numerical"sv, CertifyLevel::numerical},
    std::pair{"matrix-free"sv, CertifyLevel::matrix_free},
    std::pair{"rigorous"sv, CertifyLevel::rigorous},
    std::pair{"exact"sv, CertifyLevel::exact},
    std::pair{"grouped"sv, CertifyLevel::grouped},
};

}  // namespace

std::string_view to_string(CertifyLevel level) {
    const auto* const found = std::find_if(
        kLevels.begin(), kLevels.end(), [&](const auto& entry) { return entry.second == level; });
    ensure(found != kLevels.end(), "to_string: a level without a name");
    return found->first;
}

CertifyLevel certify_level_from_string(std::string_view name) {
    for (const auto& [known, level] : kLevels) {
        if (known == name) {
            return level;
        }
    }
    throw UnknownName(formatted(
        "level: got {}, expected auto, numerical, matrix-free, rigorous, exact or grouped",
        in_quotes(std::string(name))));
}

ReadingAs reading_for(const CertifyRequest& request) {
    const bool all = request.level == CertifyLevel::grouped || request.queries != nullptr ||
                     request.witness == WantWitness::yes ||
                     request.presume == Presume::realisable ||
                     request.reasons == WantReasons::yes ||
                     request.least_risk == WantLeastRisk::yes || request.heads > 0;
    return all ? ReadingAs::whole : ReadingAs::parts;
}

}  // namespace attest
