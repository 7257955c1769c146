#pragma once

#include "core/record/experiment.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace attest {

/// The experiment `scaling`: what a full solve costs as d grows, at N = 2ψ, one thread; and what
/// the fitted law says of sizes that no machine at hand can reach.
[[nodiscard]] Experiment make_scaling(Profile profile, std::uint64_t seed);
[[nodiscard]] std::string scaling_text(const std::vector<Row>& rows);
[[nodiscard]] std::vector<std::filesystem::path> derive_scaling(
    const std::vector<Row>& rows, const std::filesystem::path& folder);

}  // namespace attest
