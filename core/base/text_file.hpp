#pragma once

#include <filesystem>
#include <string>

namespace attest {

/// The bytes of a text file. Throws InvalidInput when it cannot be read, holds a NUL, or is larger
/// than 16 MB.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path);

/// Why a file could not be read, in words, as "No such file or directory".
[[nodiscard]] std::string unreadable_reason(const std::filesystem::path& path);

}  // namespace attest
