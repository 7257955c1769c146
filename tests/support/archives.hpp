#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attest::test {

/// An archive that some reader of zip files takes for something else than another one does, or an
/// unusual one that all of them read alike.
struct OddArchive {
    std::string what;
    std::string bytes;
    bool readable;  ///< by Attest (docs/formats.md, Archives)
};

/// Archives with one array of key `key`; `npy` are the bytes of its member, `other` those of
/// another array.
[[nodiscard]] std::vector<OddArchive> odd_archives(const std::string& key,
                                                   const std::string& npy,
                                                   const std::string& other);

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

[[nodiscard]] inline std::span<const std::byte> bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

/// An .npy file of version major.0 with this header text, unpadded, followed by `data`.
[[nodiscard]] inline std::string npy_file(const std::string& header,
                                          const std::string& data,
                                          int major = 1) {
    std::string length;
    for (int i = 0; i < (major == 1 ? 2 : 4); ++i) {
        length += static_cast<char>((header.size() >> (8 * i)) & 0xffU);
    }
    return std::string("\x93NUMPY") + static_cast<char>(major) + '\0' + length + header + data;
}

/// The same with the three entries given, e.g. ("<f8", "False", "(3,)", …).
[[nodiscard]] inline std::string npy_text(const std::string& descr,
                                          const std::string& fortran_order,
                                          const std::string& shape,
                                          const std::string& data) {
    return npy_file("{'descr': '" + descr + "', 'fortran_order': " + fortran_order +
                        ", 'shape': " + shape + ", }\n",
                    data);
}

}  // namespace attest::test
