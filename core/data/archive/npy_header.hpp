#pragma once

#include "core/base/shape.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// The element types read and written: those whose values a double can hold.
enum class DType : std::uint8_t {
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
};

/// NumPy's name: "float64", "int16".
[[nodiscard]] std::string_view to_string(DType dtype);
[[nodiscard]] bool is_integer(DType dtype);
/// Bytes of one element.
[[nodiscard]] Index item_size(DType dtype);

enum class Endian : std::uint8_t { little, big };

/// Which subscript runs fastest in the file: the last (c) or the first (fortran).
enum class AxisOrder : std::uint8_t { c, fortran };

/// What the header of an .npy file says.
struct NpyHeader {
    DType dtype = DType::float64;
    Endian endian = Endian::little;
    AxisOrder order = AxisOrder::c;
    std::vector<Index> shape;  ///< empty for a single number
    Index data_start = 0;      ///< bytes before the first element

    /// Product of the shape; cannot overflow for a header that was parsed.
    [[nodiscard]] Index num_elements() const;

    [[nodiscard]] Index data_bytes() const { return num_elements() * item_size(dtype); }
};

/// A shape as NumPy prints it: "()", "(6,)", "(6, 4)".
[[nodiscard]] std::string shape_text(std::span<const Index> shape);

/// No header of a numeric array comes near this many bytes; longer ones are refused.
inline constexpr Index kMaxNpyHeader = 65536;

/// Parses the header (format versions 1.0, 2.0, 3.0) at the start of `bytes`, which need not reach
/// into the data. Throws InvalidInput: magic, version, length, syntax, an element type outside
/// DType, a negative size, a product of sizes that overflows. Messages start with `where`.
[[nodiscard]] NpyHeader parse_npy_header(std::span<const std::byte> bytes, std::string_view where);

/// The bytes of a version 1.0 header, little endian and C order, padded to a multiple of 64 as
/// NumPy does.
[[nodiscard]] std::string npy_header_text(DType dtype, std::span<const Index> shape);

/// The three entries of an .npy header, a Python dict literal, not yet interpreted.
struct NpyDict {
    std::string descr;  ///< for instance "<f8"
    AxisOrder order = AxisOrder::c;
    std::vector<Index> shape;
};

/// Parses {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), } strictly: these three keys,
/// each once, in any order; a text, True or False, a tuple of integers >= 0. Blanks may follow.
/// Throws InvalidInput whose message starts with `where`.
[[nodiscard]] NpyDict parse_npy_dict(std::string_view text, std::string_view where);

}  // namespace attest
