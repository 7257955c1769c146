#pragma once

#include "record/parameter.hpp"
#include "record/provenance.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>

namespace attest {

/// What decides the cases of an experiment and their numbers. A result file holds rows of one only.
struct Configuration {
    std::string id = {};  ///< experiment, snake_case
    Profile profile = Profile::quick;
    std::uint64_t seed = 0;
    ParameterMap parameters = {};
    std::string code_version = {};  ///< of the program, see code_version(Provenance)
};

/// SHA-256 of the canonical text: equal for equal configurations only.
[[nodiscard]] std::string configuration_hash(const Configuration& configuration);

/// The first thing in which the two differ: "seed is 1 there and 2 here"; empty when nothing does.
[[nodiscard]] std::string difference(const Configuration& there, const Configuration& here);

/// First line of a result file.
struct ResultHeader {
    Configuration configuration = {};
    Provenance provenance = {};
};

[[nodiscard]] nlohmann::ordered_json to_json_object(const ResultHeader& header);

/// Reads back to_json_object. Throws InvalidInput("header: …") on a missing key, a wrong type,
/// another schema, or a hash that does not belong to the configuration.
[[nodiscard]] ResultHeader header_from_json(const nlohmann::ordered_json& object);

}  // namespace attest
