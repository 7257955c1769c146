#pragma once

#include "core/questions/output.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace attest {

/// Writes a proof to a file. Where there is none, an older proof at that place goes away: it would
/// not be of this answer.
void write_proof(const std::string& path, const std::optional<std::string>& proof);

/// Where the proof is and who verifies it, or why there is none.
void describe_proof(Output& output,
                    const std::string& path,
                    const std::optional<std::string>& proof,
                    std::string_view why_none);

}  // namespace attest
