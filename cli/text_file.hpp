#pragma once

#include <string>

namespace attest::cli {

/// The bytes of a text file. Throws InvalidInput when it cannot be read, holds a NUL, or is larger
/// than 16 MB.
[[nodiscard]] std::string read_text_file(const std::string& path);

}  // namespace attest::cli
