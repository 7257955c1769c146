#pragma once

#include "core/algebra/matrix.hpp"
#include "core/data/npz.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// Larger d or o are refused: ψ(d) = d²(d+1)/2 must fit an Index with room to spare.
inline constexpr Index kMaxDimension = Index{1} << 20U;

/// Throws InvalidInput("data.npz: KEY FOUND, expected EXPECTED; MEND").
[[noreturn]] void refuse(const NpzReader& file,
                         std::string_view key,
                         std::string_view found,
                         std::string_view expected,
                         std::string_view mend);

/// The same, with "has shape (5, 2)" as what was found.
[[noreturn]] void refuse_shape(const NpzReader& file,
                               std::string_view key,
                               std::string_view expected,
                               std::string_view mend);

/// Throws InvalidInput unless the sizes named lie in 1 … kMaxDimension.
void require_dimension(const NpzReader& file,
                       std::string_view key,
                       std::string_view name,
                       Index size);

/// Throws InvalidInput at the first NaN or infinity: "data.npz: Z[17] holds a NaN at (2,5); MEND",
/// the subscripts being those of the array in the file.
void require_finite(const NpzReader& file,
                    std::string_view key,
                    const NpyArray& array,
                    std::string_view mend);

/// The same for consecutive elements of an array of that shape, in C order from `first` on.
void require_finite(std::string_view where,
                    std::span<const double> elements,
                    std::span<const Index> shape,
                    Index first,
                    std::string_view mend);

/// Reads a one-dimensional array of integers. Throws InvalidInput for another rank or type.
[[nodiscard]] std::vector<Index> read_integers(const NpzReader& file, std::string_view key);

/// Elements in C order as the columns of a rows×(size/rows) matrix: an array (T, rows) becomes its
/// transpose.
[[nodiscard]] Matrix columns_of(const NpyArray& array, Index rows);

/// Columns as an array (cols, rows), the inverse of columns_of.
[[nodiscard]] NpyArray array_of_columns(const Eigen::Ref<const Matrix>& columns);

}  // namespace attest
