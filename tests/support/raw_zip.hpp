#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace attest::test {

/// One member of a zip archive as its headers state it, true or not. `data` lies in the archive as
/// it is.
struct RawMember {
    std::string name;
    std::string data;
    std::uint16_t method = 0;  ///< 0 stored, 8 deflated
    std::uint16_t flags = 0;
    std::uint32_t crc = 0;
    std::uint32_t compressed_size = 0;
    std::uint32_t size = 0;
};

/// Members with true headers; change a field to make it lie.
[[nodiscard]] RawMember stored_member(const std::string& name, const std::string& content);
[[nodiscard]] RawMember deflated_member(const std::string& name, const std::string& content);

/// The archive (APPNOTE.TXT 6.3: local headers with data, central directory, end record), written
/// field by field.
[[nodiscard]] std::string raw_zip(const std::vector<RawMember>& members);

}  // namespace attest::test
