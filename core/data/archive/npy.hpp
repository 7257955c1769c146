#pragma once

#include "core/data/archive/npy_header.hpp"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace attest {

/// An array in memory: every element type becomes a double, exactly. `dtype` is the type in the
/// file.
struct NpyArray {
    DType dtype = DType::float64;
    std::vector<Index> shape;
    std::vector<double> data;  ///< in C order, the last subscript fastest

    [[nodiscard]] Index rank() const { return static_cast<Index>(shape.size()); }
};

/// Throws InvalidInput unless a file of `total_bytes` holds exactly the header and its elements:
/// data cut short or bytes after the end.
void check_npy_length(const NpyHeader& header, Index total_bytes, std::string_view where);

/// Reads a whole .npy file. Throws InvalidInput as parse_npy_header and check_npy_length, and for
/// an integer beyond ±2⁵³, which no double holds; EnvironmentFailure when the array does not fit in
/// memory.
[[nodiscard]] NpyArray parse_npy(std::span<const std::byte> bytes, std::string_view where);

/// As many consecutive elements as `to` has, from bytes in file order. Throws InvalidInput for an
/// integer beyond ±2⁵³.
void decode_elements(const NpyHeader& header,
                     std::span<const std::byte> bytes,
                     std::span<double> to,
                     std::string_view where);

/// The array as a version 1.0 .npy file, C order, little endian, element type `array.dtype`. Throws
/// InvalidInput when the type is an integer one that does not hold some element.
[[nodiscard]] std::vector<std::byte> npy_bytes(const NpyArray& array);

/// What precedes the elements in such a file. Doubles follow as they lie in memory.
[[nodiscard]] std::vector<std::byte> npy_start(const NpyArray& array);

}  // namespace attest
