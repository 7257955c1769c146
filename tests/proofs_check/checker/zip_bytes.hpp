#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace attest::checker_test {

struct ZipEntry {
    std::string name;      ///< with .npy
    std::string contents;  ///< unpacked
};

enum class Packing : std::uint8_t { stored, deflated, stored_zip64 };

/// The bytes of a zip file, written from the format's description (APPNOTE 6.3, §4.3).
[[nodiscard]] std::string zip_bytes(const std::vector<ZipEntry>& entries, Packing packing);

/// The bytes of an .npy file of format 1.0: `type` and `shape` as Python prints them, then the raw
/// values.
[[nodiscard]] std::string npy_bytes(const std::string& type,
                                    const std::string& shape,
                                    const std::string& values,
                                    const std::string& fortran_order = "False");

/// The values one after the other, as they stand in memory.
template <class T>
[[nodiscard]] std::string raw(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), sizeof(T) * values.size()};
}

/// The member `name`.npy: these integers, one after the other.
[[nodiscard]] ZipEntry integer_list(const std::string& name,
                                    const std::vector<std::int64_t>& values);

/// Writes the bytes to a file of this name in a temporary folder, which goes away when the program
/// ends, and returns its path.
[[nodiscard]] std::string write_file(const std::string& name, const std::string& bytes);

}  // namespace attest::checker_test
