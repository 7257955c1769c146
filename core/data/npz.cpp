#include "core/data/npz.hpp"

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/base/in_quotes.hpp"
#include "core/base/text.hpp"

#include <algorithm>

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

void NpzWriter::add(std::string_view key, const NpyArray& array) {
    members_.push_back({formatted("{}{}", key, kSuffix), npy_bytes(array)});
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

}  // namespace attest
