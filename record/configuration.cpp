#include "record/configuration.hpp"

#include "core/base/error.hpp"
#include "core/base/json_text.hpp"
#include "core/base/sha256.hpp"
#include "core/base/text.hpp"
#include "record/row.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <span>

namespace attest {

namespace {

using Json = nlohmann::ordered_json;

Json configuration_to_json(const Configuration& configuration) {
    Json object;
    object["id"] = configuration.id;
    object["profile"] = to_string(configuration.profile);
    object["seed"] = configuration.seed;
    object["parameters"] = to_json_object(configuration.parameters);
    object["code_version"] = configuration.code_version;
    return object;
}

Configuration configuration_from_json(const Json& object) {
    return {.id = text_member(object, "id", "header"),
            .profile = profile_from_string(text_member(object, "profile", "header")),
            .seed = whole_member(object, "seed", "header"),
            .parameters = parameters_from_json(member(object, "parameters", "header"), "header"),
            .code_version = text_member(object, "code_version", "header")};
}

/// The text if it is short, else what stands around a place in it. Cut between characters.
std::string excerpt(const std::string& text, std::size_t place) {
    constexpr std::size_t kLongest = 100;
    constexpr std::size_t kBefore = 20;
    if (text.size() <= kLongest) {
        return text;
    }
    const auto inside_character = [&](std::size_t at) {
        return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
    };
    std::size_t begin = place > kBefore ? place - kBefore : 0;
    while (inside_character(begin)) {
        ++begin;
    }
    std::size_t end = std::min(text.size(), begin + kLongest);
    while (inside_character(end)) {
        --end;
    }
    return formatted("{}{}{}",
                     begin > 0 ? "…" : "",
                     text.substr(begin, end - begin),
                     end < text.size() ? "…" : "");
}

}  // namespace

std::string configuration_hash(const Configuration& configuration) {
    const std::string text = json_text(configuration_to_json(configuration));
    return sha256(std::as_bytes(std::span(text.data(), text.size())));
}

std::string difference(const Configuration& there, const Configuration& here) {
    const Json a = configuration_to_json(there);
    const Json b = configuration_to_json(here);
    for (const auto& [key, value] : a.items()) {
        // Compared as text: 1 and 1.0 are different settings.
        const std::string left = json_text(value);
        const std::string right = json_text(b.at(key));
        if (left != right) {
            const auto apart = static_cast<std::size_t>(
                std::mismatch(left.begin(), left.end(), right.begin(), right.end()).first -
                left.begin());
            return formatted(
                "{} is {} there and {} here", key, excerpt(left, apart), excerpt(right, apart));
        }
    }
    return "";
}

Json to_json_object(const ResultHeader& header) {
    Json object;
    object["schema"] = kRowSchema;
    object["kind"] = "provenance";
    object["configuration"] = configuration_to_json(header.configuration);
    object["configuration_sha256"] = configuration_hash(header.configuration);
    object["provenance"] = to_json_object(header.provenance);
    return object;
}

ResultHeader header_from_json(const Json& object) {
    const std::uint64_t schema = whole_member(object, "schema", "header");
    require(schema == kRowSchema, "header: got schema {}, expected {}", schema, kRowSchema);
    const std::string kind = text_member(object, "kind", "header");
    require(kind == "provenance",
            "{}{}{}",
            R"(header: got kind ")",
            kind,
            R"(", expected "provenance")");
    ResultHeader header{configuration_from_json(member(object, "configuration", "header")),
                        provenance_from_json(member(object, "provenance", "header"))};
    require(text_member(object, "configuration_sha256", "header") ==
                configuration_hash(header.configuration),
            "header: configuration_sha256 does not belong to the configuration");
    return header;
}

}  // namespace attest
