#include "proofs_check/checker/npz.hpp"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <regex>

namespace attest::checker {
static_assert(std::endian::native == std::endian::little, "numbers are copied as they stand");

namespace {
using Bytes = std::string_view;
constexpr Index kLimit = Index{1} << 31;        // bytes of a file
constexpr Index kMostNumbers = Index{1} << 28;  // of an array

Bytes part(Bytes bytes, std::uint64_t first, std::uint64_t count) {
    require(first <= bytes.size() && count <= bytes.size() - first, "the file is cut off");
    return bytes.substr(first, count);
}

std::uint64_t number(Bytes bytes, std::uint64_t first, std::uint64_t width) {
    std::uint64_t value = 0;
    std::memcpy(&value, part(bytes, first, width).data(), width);
    return value;
}

/// The records of the zip directory, by name. The file must be one archive from its first byte to
/// its last, so that readers who search for its parts find the same (FORMAT.md §5).
std::map<Bytes, Bytes> directory(Bytes zip) {
    const std::uint64_t end = std::max<std::size_t>(zip.size(), 22) - 22;
    const bool closed = zip.substr(end, 8) == Bytes("PK\5\6\0\0\0\0", 8);  // no other volume
    require(closed && number(zip, end + 20, 2) == 0, "not a zip file, or bytes follow it");
    // Readers take such bytes for a zip64 locator, in a comment too, and follow it.
    require(end < 20 || zip.substr(end - 20, 4) != "PK\6\7", "it has zip64 records");
    const std::uint64_t start = number(zip, end + 16, 4);
    const bool whole = start <= end && start + number(zip, end + 12, 4) == end;
    require(whole && zip.substr(0, 2) == "PK",
            "bytes precede the zip file, or it has zip64 records");
    std::map<Bytes, Bytes> records;
    for (Bytes left = zip.substr(start, end - start); !left.empty();) {
        require(left.substr(0, 4) == "PK\1\2", "the zip directory is damaged");
        const Bytes name = part(left, 46, number(left, 28, 2));
        const Bytes extra = part(left, 46 + name.size(), number(left, 30, 2));
        const Bytes record = part(left, 0, 46 + name.size() + extra.size() + number(left, 32, 2));
        for (std::size_t at = 0; at < extra.size(); at += 4 + number(extra, at + 2, 2)) {
            require(number(extra, at, 2) != 0x7075, "a zip entry has two names");
        }
        require(name.find('\0') == Bytes::npos, "a zip entry's name has a zero in it");
        require(records.emplace(name, record).second, "two zip entries have one name");
        left.remove_prefix(record.size());
    }
    require(records.size() == number(zip, end + 10, 2), "the zip directory is damaged");
    return records;
}

/// The contents of the entry with this record.
std::string unpack(Bytes zip, Bytes record) {
    const std::uint64_t name_size = number(record, 28, 2);
    const std::uint64_t at = number(record, 42, 4);
    const Bytes local = part(zip, at, 30 + name_size);
    const std::uint64_t flags = number(record, 8, 2);
    const bool later = (flags & 8) != 0 || local.substr(18, 8) == std::string(8, '\xff');
    require(local.substr(0, 4) == "PK\3\4" && local.substr(6, 4) == record.substr(8, 4) &&
                (later || local.substr(14, 12) == record.substr(16, 12)) &&
                number(local, 26, 2) == name_size &&
                local.substr(30) == record.substr(46, name_size),
            "two headers of a zip entry contradict each other");
    const std::uint64_t method = number(record, 10, 2);
    require((flags & ~0x80eU) == 0 && (method == 0 || method == 8), "neither stored nor deflated");
    const std::uint64_t size = number(record, 24, 4);
    const Bytes packed = part(zip, at + local.size() + number(local, 28, 2), number(record, 20, 4));
    // Deflate cannot do better than 1032 : 1, so a forged size allocates nothing.
    require(size < kLimit && (method == 0 ? size == packed.size() : size / 1032 <= packed.size()),
            "an array is too large for its zip entry");
    std::string bytes(packed);
    bytes.resize(size);
    auto* const out = reinterpret_cast<Bytef*>(bytes.data());
    if (method == 8) {
        z_stream stream{};
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
        stream.avail_in = static_cast<uInt>(packed.size());
        stream.next_out = out;
        stream.avail_out = static_cast<uInt>(size);
        require(inflateInit2(&stream, -MAX_WBITS) == Z_OK, "zlib does not start");
        const int status = inflate(&stream, Z_FINISH);
        inflateEnd(&stream);
        require(status == Z_STREAM_END && stream.avail_in == 0 && stream.avail_out == 0,
                "a zip entry does not inflate");
    }
    require(crc32_z(0, out, size) == number(record, 16, 4), "a zip entry has a wrong checksum");
    return bytes;
}

/// One element of type f4, f8, i1 … i8 or u1 … u8.
double to_double(Bytes bytes, char kind) {
    const std::uint64_t bits = number(bytes, 0, bytes.size());
    if (kind == 'f') {
        const auto narrow = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        return bytes.size() == 8 ? std::bit_cast<double>(bits) : static_cast<double>(narrow);
    }
    const std::size_t unused = kind == 'i' ? 64 - 8 * bytes.size() : 0;
    const Index value = static_cast<Index>(bits << unused) >> unused;  // extends the sign
    const Index bound = Index{1} << 53;
    require((kind == 'i' ? -bound : 0) <= value && value <= bound, "an integer is beyond 2^53");
    return static_cast<double>(value);
}

/// Z (N,d,n) comes as (N,n,d).
Array read_npy(const std::string& file, const std::string& name) {
    static const std::regex form(
        R"(\{'descr': '(<f4|<f8|\|[iu]1|<[iu][248])', 'fortran_order': (True|False), )"
        R"('shape': \(([1-9]\d{0,8}),(?: ([1-9]\d{0,8})(?:, ([1-9]\d{0,8}))?)?\), \} *\n)");
    const std::uint64_t prefix = number(file, 6, 2) == 1 ? 10 : 12;
    const bool known = file.substr(0, 6) == "\x93NUMPY" && number(file, 6, 2) - 1 < 3;
    const Bytes header = part(file, prefix, number(file, 8, prefix - 8));
    std::cmatch field;
    require(known && header.size() <= 1000 &&
                std::regex_match(header.begin(), header.end(), field, form),
            name + " is not an .npy file of numbers");
    const std::string type = field[1];
    const Index width = type[2] - '0';
    Array array{{}, {}, type[1] != 'f'};
    Shape n{1, 1, 1};
    for (std::size_t i = 0; i < 3 && field[i + 3].matched; ++i) {
        array.shape.push_back(n[i] = std::stoll(field[i + 3]));
    }
    const Bytes bytes = Bytes(file).substr(prefix + header.size());
    const Index size = n[0] * n[1] <= kMostNumbers ? n[0] * n[1] * n[2] : kMostNumbers + 1;
    require(size <= kMostNumbers && size * width == Index(bytes.size()), name + " is not full");
    Shape stride = field[2] == "True" ? Shape{1, n[0], n[0] * n[1]} : Shape{n[1] * n[2], n[2], 1};
    if (name == "Z" && array.shape.size() == 3) {
        std::swap(array.shape[1], array.shape[2]);
        std::swap(n[1], n[2]);
        std::swap(stride[1], stride[2]);
    }
    for (Index i = 0; i < size; ++i) {
        const Index j = i / n[2];
        const Index at = j / n[1] * stride[0] + j % n[1] * stride[1] + i % n[2] * stride[2];
        const double value = to_double(bytes.substr(at * width, width), type[1]);
        require(std::isfinite(value), name + " holds a NaN or an infinity");
        array.values.push_back(value + 0.0);  // −0 becomes +0
    }
    return array;
}
}  // namespace

void require(bool condition, const std::string& reason) {
    if (!condition) {
        throw Failure(4, reason);
    }
}

std::string read_file(const std::string& path, Index limit) {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path, error);  // of regular files only
    require(!error && size <= std::uintmax_t(limit), "cannot be read, or is too large");
    std::string bytes(size, '\0');
    const bool read(std::ifstream(path, std::ios::binary).read(bytes.data(), Index(size)));
    require(read, "cannot be read");
    return bytes;
}

std::map<std::string, Array> read_arrays(const std::string& path,
                                         const std::vector<std::string>& names) {
    const std::string zip = read_file(path, kLimit);
    const std::map<Bytes, Bytes> records = directory(zip);
    std::map<std::string, Array> arrays;
    for (const std::string& name : names) {
        require(!records.contains(name), "a zip entry " + name + " lacks .npy");
        if (const auto found = records.find(name + ".npy"); found != records.end()) {
            arrays.emplace(name, read_npy(unpack(zip, found->second), name));
        }
    }
    return arrays;
}
}  // namespace attest::checker
