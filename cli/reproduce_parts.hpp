#pragma once

#include "record/experiment.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace attest::cli {

struct ReproduceOptions {
    std::vector<std::string> ids;
    std::string profile = "quick";
    std::string output = "results";
    std::string results = "results";
    bool resume = false;
    bool quiet = false;
};

/// What `attest reproduce` runs one after the other: an experiment of the catalogue, or the claims.
struct Part {
    std::string id;
    std::string summary;
    double seconds = 0.0;  ///< measured on two cores
    bool asks_for_refusals = false;
    std::function<Experiment()> make;
    std::function<std::string(const std::vector<Row>&)> text;
    std::function<std::vector<std::filesystem::path>(const std::vector<Row>&,
                                                     const std::filesystem::path&)>
        derive;
};

[[nodiscard]] bool asks_for_all(const ReproduceOptions& options);

/// The parts that the ids name, each once: `all` is every experiment, then the claims. Throws
/// UnknownName.
[[nodiscard]] std::vector<Part> parts_of(const ReproduceOptions& options, std::uint64_t seed);

/// Id and summary of every part, in order.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> part_names();

}  // namespace attest::cli
