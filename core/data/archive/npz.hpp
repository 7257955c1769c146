#pragma once

#include "core/algebra/matrix.hpp"
#include "core/data/archive/npy.hpp"
#include "core/data/archive/zip_reading.hpp"
#include "core/data/archive/zip_writing.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// An array of an .npz file, read by runs of elements in C order. The NpzReader that made it must
/// outlive it.
class NpyStream {
public:
    NpyStream(NpyHeader header, ZipStream bytes, std::string where)
        : header_(std::move(header)), bytes_(std::move(bytes)), where_(std::move(where)) {}

    [[nodiscard]] const NpyHeader& header() const { return header_; }

    /// Whether every range is read without what lies before it.
    [[nodiscard]] bool is_stored() const { return bytes_.is_stored(); }

    /// Elements from `first` on, as many as `to` has. Throws InvalidInput as NpzReader::read.
    void read(Index first, std::span<double> to);

private:
    NpyHeader header_;
    ZipStream bytes_;
    std::string where_;
    std::vector<std::byte> stored_;  ///< of elements that are no doubles
};

/// The arrays of an .npz file: member "Z.npy" is key "Z", other members are no arrays and are left
/// alone, unless one is named like a key asked for. Arrays are read when asked for. Every defect of
/// the file is an InvalidInput of one line, "data.npz: Z …".
class NpzReader {
public:
    /// Opens a file. Throws InvalidInput when it is absent, unreadable or no archive.
    [[nodiscard]] static NpzReader open(const std::string& path);
    /// The same for an archive in memory, which must outlive the reader; `name` stands for the
    /// path.
    [[nodiscard]] static NpzReader from_bytes(std::span<const std::byte> bytes, std::string name);

    [[nodiscard]] const std::string& name() const { return zip_.name(); }

    [[nodiscard]] std::vector<std::string> keys() const;

    [[nodiscard]] bool contains(std::string_view key) const { return find(key) != nullptr; }

    /// Element type and shape, without reading the elements; their number agrees with the member's
    /// size.
    [[nodiscard]] NpyHeader header(std::string_view key) const;
    [[nodiscard]] NpyArray read(std::string_view key) const;
    /// Throws InvalidInput for an array in Fortran order, whose runs are scattered.
    [[nodiscard]] NpyStream stream(std::string_view key, MemberCheck check) const;
    /// "data.npz: Z", the start of a message about a key.
    [[nodiscard]] std::string where(std::string_view key) const;

private:
    explicit NpzReader(ZipReader zip) : zip_(std::move(zip)) {}

    [[nodiscard]] const ZipMember* find(std::string_view key) const;
    [[nodiscard]] const ZipMember& member(std::string_view key) const;

    ZipReader zip_;
};

/// Collects arrays and writes them as an .npz file. The same arrays give the same bytes; stored by
/// default, since then the bytes do not depend on the version of zlib either, and random numbers
/// hardly shrink.
class NpzWriter {
public:
    explicit NpzWriter(Compression compression = Compression::stored) : compression_(compression) {}

    void add(std::string_view key, NpyArray array);
    [[nodiscard]] std::vector<std::byte> bytes() const;
    /// Writes the whole file or, on EnvironmentFailure, nothing.
    void write(const std::string& path) const;

private:
    Compression compression_;
    std::vector<ZipContent> members_;
};

/// Larger d or o are refused: ψ(d) = d²(d+1)/2 must fit an Index with room to spare.
inline constexpr Index kMaxDimension = Index{1} << 20U;

/// Throws InvalidInput("data.npz: KEY FOUND, expected EXPECTED; FIX").
[[noreturn]] void refuse(const NpzReader& file,
                         std::string_view key,
                         std::string_view found,
                         std::string_view expected,
                         std::string_view fix);

/// The same, with "has shape (5, 2)" as what was found.
[[noreturn]] void refuse_shape(const NpzReader& file,
                               std::string_view key,
                               std::string_view expected,
                               std::string_view fix);

/// Throws InvalidInput unless the sizes named lie in 1 … kMaxDimension.
void require_dimension(const NpzReader& file,
                       std::string_view key,
                       std::string_view name,
                       Index size);

/// Throws InvalidInput at the first NaN or infinity: "data.npz: Z[17] holds a NaN at (2,5); FIX",
/// the subscripts being those of the array in the file.
void require_finite(const NpzReader& file,
                    std::string_view key,
                    const NpyArray& array,
                    std::string_view fix);

/// The same for consecutive elements of an array of that shape, in C order from `first` on.
void require_finite(std::string_view where,
                    std::span<const double> elements,
                    std::span<const Index> shape,
                    Index first,
                    std::string_view fix);

/// Reads a one-dimensional array of integers. Throws InvalidInput for another rank or type.
[[nodiscard]] std::vector<Index> read_integers(const NpzReader& file, std::string_view key);

/// Elements in C order as the columns of a rows×(size/rows) matrix: an array (T, rows) becomes its
/// transpose.
[[nodiscard]] Matrix columns_of(const NpyArray& array, Index rows);

/// Columns as an array (cols, rows), the inverse of columns_of.
[[nodiscard]] NpyArray array_of_columns(const Eigen::Ref<const Matrix>& columns);

}  // namespace attest
