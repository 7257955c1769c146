#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace attest::test {

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
