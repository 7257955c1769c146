#include "core/data/archive/npz.hpp"

#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/data/dataset.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

namespace {

constexpr std::string_view kSuffix = ".npy";

// The longest prefix of a member that can be header: magic, version, length, text.
constexpr Index kHeaderReach = kMaxNpyHeader + 12;

bool is_array(const ZipMember& member) {
    return std::string_view(member.name).ends_with(kSuffix);
}

std::string_view key_of(const ZipMember& member) {
    return std::string_view(member.name).substr(0, member.name.size() - kSuffix.size());
}

// "[17] … at (2,5)": the first subscript, then the others.
std::string place(std::string_view what, std::span<const Index> shape, Index at) {
    std::vector<Index> subscript(shape.size());
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        subscript[axis] = at % shape[axis];
        at /= shape[axis];
    }
    std::string text = subscript.empty() ? "" : formatted("[{}]", subscript[0]);
    text += formatted(" holds {}", what);
    for (std::size_t axis = 1; axis < subscript.size(); ++axis) {
        text += formatted("{}{}", axis == 1 ? " at (" : ",", subscript[axis]);
    }
    return text + (subscript.size() > 1 ? ")" : "");
}

}  // namespace

NpzReader NpzReader::open(const std::string& path) {
    return NpzReader(ZipReader::open(path));
}

NpzReader NpzReader::from_bytes(std::span<const std::byte> bytes, std::string name) {
    return NpzReader(ZipReader::from_bytes(bytes, std::move(name)));
}

std::vector<std::string> NpzReader::keys() const {
    std::vector<std::string> keys;
    for (const ZipMember& member : zip_.members()) {
        if (is_array(member)) {
            keys.emplace_back(key_of(member));
        }
    }
    return keys;
}

std::string NpzReader::where(std::string_view key) const {
    const bool plain = std::all_of(
        key.begin(), key.end(), [](char letter) { return letter > ' ' && letter <= '~'; });
    return formatted("{}: {}", name(), plain ? std::string(key) : in_quotes(key));
}

const ZipMember* NpzReader::find(std::string_view key) const {
    for (const ZipMember& member : zip_.members()) {
        if (member.name == key) {  // NumPy takes it for the key, and before the member with .npy
            throw InvalidInput(formatted(
                "{} is a member without .npy; write the file with numpy.savez", where(key)));
        }
    }
    for (const ZipMember& member : zip_.members()) {
        if (is_array(member) && key_of(member) == key) {
            return &member;
        }
    }
    return nullptr;
}

const ZipMember& NpzReader::member(std::string_view key) const {
    const ZipMember* found = find(key);
    require(found != nullptr,
            "{}: holds no key {}, expected one; save the array under that name",
            name(),
            in_quotes(key));
    return *found;
}

NpyHeader NpzReader::header(std::string_view key) const {
    const ZipMember& found = member(key);
    NpyHeader header = parse_npy_header(zip_.head(found, kHeaderReach), where(key));
    check_npy_length(header, found.size, where(key));
    return header;
}

NpyArray NpzReader::read(std::string_view key) const {
    return parse_npy(zip_.read(member(key)), where(key));
}

NpyStream NpzReader::stream(std::string_view key, MemberCheck check) const {
    const NpyHeader found = header(key);
    require(found.order == AxisOrder::c,
            "{} lies in Fortran order, expected C order to read it in parts; store "
            "numpy.ascontiguousarray of it",
            where(key));
    return {found, zip_.stream(member(key), check), where(key)};
}

void NpyStream::read(Index first, std::span<double> to) {
    const Index size = item_size(header_.dtype);
    const Index begin = header_.data_start + first * size;
    if (header_.dtype == DType::float64 && header_.endian == Endian::little) {
        bytes_.read(begin, std::as_writable_bytes(to));
        return;
    }
    stored_.resize(to.size() * static_cast<std::size_t>(size));
    bytes_.read(begin, stored_);
    decode_elements(header_, stored_, to, where_);
}

void NpzWriter::add(std::string_view key, NpyArray array) {
    std::string name = formatted("{}{}", key, kSuffix);
    if (array.dtype == DType::float64) {
        members_.push_back({std::move(name), npy_start(array), std::move(array.data)});
    } else {
        members_.push_back({std::move(name), npy_bytes(array)});
    }
}

std::vector<std::byte> NpzWriter::bytes() const {
    std::vector<std::byte> all;
    write_zip(members_, compression_, [&](std::span<const std::byte> piece) {
        all.insert(all.end(), piece.begin(), piece.end());
    });
    return all;
}

void NpzWriter::write(const std::string& path) const {
    AtomicFile file(path);
    write_zip(
        members_, compression_, [&](std::span<const std::byte> piece) { file.append(piece); });
    file.commit();
}

void refuse(const NpzReader& file,
            std::string_view key,
            std::string_view found,
            std::string_view expected,
            std::string_view fix) {
    throw InvalidInput(formatted("{} {}, expected {}; {}", file.where(key), found, expected, fix));
}

void refuse_shape(const NpzReader& file,
                  std::string_view key,
                  std::string_view expected,
                  std::string_view fix) {
    refuse(file, key, "has shape " + shape_text(file.header(key).shape), expected, fix);
}

void require_dimension(const NpzReader& file,
                       std::string_view key,
                       std::string_view name,
                       Index size) {
    if (size < 1 || size > kMaxDimension) {
        refuse_shape(file,
                     key,
                     formatted("{} from 1 to {}", name, kMaxDimension),
                     "check the order of the axes");
    }
}

void require_finite(const NpzReader& file,
                    std::string_view key,
                    const NpyArray& array,
                    std::string_view fix) {
    require_finite(file.where(key), array.data, array.shape, 0, fix);
}

void require_finite(std::string_view where,
                    std::span<const double> elements,
                    std::span<const Index> shape,
                    Index first,
                    std::string_view fix) {
    const auto bad = std::find_if_not(
        elements.begin(), elements.end(), [](double value) { return std::isfinite(value); });
    if (bad != elements.end()) {
        throw InvalidInput(
            formatted("{}{}; {}",
                      where,
                      place(name_of_non_finite(*bad), shape, first + (bad - elements.begin())),
                      fix));
    }
}

std::vector<Index> read_integers(const NpzReader& file, std::string_view key) {
    const NpyHeader header = file.header(key);
    if (header.shape.size() != 1) {
        refuse_shape(file, key, "one axis", "store a plain list of integers");
    }
    if (!is_integer(header.dtype)) {
        refuse(file,
               key,
               formatted("has dtype {}", to_string(header.dtype)),
               "integers",
               "convert it with .astype(numpy.int64)");
    }
    const NpyArray array = file.read(key);
    std::vector<Index> integers(array.data.size());
    std::transform(array.data.begin(), array.data.end(), integers.begin(), [](double value) {
        return static_cast<Index>(value);
    });
    return integers;
}

Matrix columns_of(const NpyArray& array, Index rows) {
    const auto size = static_cast<Index>(array.data.size());
    ensure(rows >= 1 && size % rows == 0, "columns_of: the array does not divide into columns");
    return Eigen::Map<const Matrix>(array.data.data(), rows, size / rows);
}

NpyArray array_of_columns(const Eigen::Ref<const Matrix>& columns) {
    NpyArray array{DType::float64, {columns.cols(), columns.rows()}, {}};
    array.data.resize(static_cast<std::size_t>(columns.size()));
    Eigen::Map<Matrix>(array.data.data(), columns.rows(), columns.cols()) = columns;
    return array;
}

}  // namespace attest
