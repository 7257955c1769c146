#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

enum class Compression : std::uint8_t { stored, deflated };

[[nodiscard]] std::string_view to_string(Compression compression);

/// A member to be written.
struct ZipContent {
    std::string name;
    std::vector<std::byte> bytes;
};

/// Hands the archive of these members (at least one) to `sink`, piece by piece. Times are fixed
/// (1980-01-01): the same members give the same bytes.
void write_zip(const std::vector<ZipContent>& members,
               Compression compression,
               const std::function<void(std::span<const std::byte>)>& sink);

}  // namespace attest
