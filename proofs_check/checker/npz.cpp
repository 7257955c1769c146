#include "proofs_check/checker/npz.hpp"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>

namespace attest::checker {
static_assert(std::endian::native == std::endian::little, "numbers are copied as they stand");

namespace {
using Bytes = std::string_view;
using Shape = std::vector<Index>;
constexpr Index kLimit = Index{1} << 31;  // bytes of a file, bytes of an array
constexpr Bytes kTypes = "'<f4' '<f8' '|i1' '|u1' '<i2' '<u2' '<i4' '<u4' '<i8' '<u8' ";

/// In C order. Integers and float32 become doubles without rounding.
struct Array {
    Shape shape;
    std::vector<double> values;
    bool integral = false;
};

void require(bool condition, const std::string& reason) {
    if (!condition) {
        throw Failure(4, reason);
    }
}

Bytes part(Bytes bytes, std::uint64_t first, std::uint64_t count) {
    require(first <= bytes.size() && count <= bytes.size() - first, "the file is cut off");
    return bytes.substr(first, count);
}

std::uint64_t number(Bytes bytes, std::uint64_t first, std::uint64_t width) {
    std::uint64_t value = 0;
    std::memcpy(&value, part(bytes, first, width).data(), width);
    return value;
}

/// The contents of the zip entry whose directory record begins `record`.
std::string unpack(Bytes zip, Bytes record) {
    std::uint64_t size = number(record, 24, 4);
    std::uint64_t packed_size = number(record, 20, 4);
    std::uint64_t header = number(record, 42, 4);
    Bytes extra = part(record, 46 + number(record, 28, 2), number(record, 30, 2));
    while (extra.size() >= 4) {
        Bytes body = part(extra, 4, number(extra, 2, 2));
        for (std::uint64_t* field : {&size, &packed_size, &header}) {
            if (number(extra, 0, 2) == 1 && *field == 0xffffffff) {  // zip64 moved it here
                *field = number(body, 0, 8);
                body.remove_prefix(8);
            }
        }
        extra.remove_prefix(4 + number(extra, 2, 2));
    }
    header += 30 + number(zip, header + 26, 2) + number(zip, header + 28, 2);
    const Bytes packed = part(zip, header, packed_size);
    const std::uint64_t method = number(record, 10, 2);
    require(method == 0 || method == 8, "neither stored nor deflated");
    // Deflate cannot do better than 1032 : 1, so a forged size allocates nothing.
    require(size < kLimit && size / 1032 <= packed_size, "an array is too large");
    std::string bytes(method == 0 ? packed : Bytes());
    bytes.resize(size);
    z_stream stream{};
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed_size);
    stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
    stream.avail_out = static_cast<uInt>(size);
    require(inflateInit2(&stream, -MAX_WBITS) == Z_OK, "zlib does not start");
    const int status = method == 0 ? Z_STREAM_END : inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    require(status == Z_STREAM_END, "a zip entry does not inflate");
    return bytes;
}

/// The contents of a zip entry; empty if there is none of this name.
std::string extract(Bytes zip, const std::string& name) {
    const std::size_t end = zip.rfind("PK\5\6");
    require(end != Bytes::npos, "not a zip file");
    const bool wide = end >= 20 && part(zip, end - 20, 4) == "PK\6\7";  // zip64
    const std::uint64_t stop = wide ? number(zip, end - 12, 8) : end;
    std::uint64_t at = number(zip, wide ? stop + 48 : end + 16, wide ? 8 : 4);
    std::string contents;
    while (at != stop) {
        require(part(zip, at, 4) == "PK\1\2", "the zip directory is damaged");
        const std::uint64_t name_size = number(zip, at + 28, 2);
        if (part(zip, at + 46, name_size) == name) {
            require(contents.empty(), name + " occurs twice");
            contents = unpack(zip, zip.substr(at));
        }
        at += 46 + name_size + number(zip, at + 30, 2) + number(zip, at + 32, 2);
    }
    return contents;
}

/// One element of type f4, f8, i1 … i8 or u1 … u8.
double to_double(Bytes bytes, char kind) {
    const std::uint64_t bits = number(bytes, 0, bytes.size());
    if (kind == 'f') {
        const float narrow = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        return bytes.size() == 8 ? std::bit_cast<double>(bits) : static_cast<double>(narrow);
    }
    const std::size_t unused = kind == 'i' ? 64 - 8 * bytes.size() : 0;
    const Index value = static_cast<Index>(bits << unused) >> unused;  // extends the sign
    const Index bound = Index{1} << 53;
    require((kind == 'i' ? -bound : 0) <= value && value <= bound, "an integer is beyond 2^53");
    return static_cast<double>(value);
}

/// Z (N,d,n) comes as (N,n,d).
Array read_npy(Bytes file, const std::string& name) {
    require(part(file, 0, 6) == "\x93NUMPY", name + " is not an .npy file");
    const std::uint64_t prefix = number(file, 6, 1) == 1 ? 10 : 12;
    const Bytes header = part(file, prefix, number(file, 8, prefix - 8));
    const Bytes bytes = file.substr(prefix + header.size());
    const auto value_of = [&](const std::string& key) {
        const std::size_t at = header.find("'" + key + "': ");
        require(at != Bytes::npos, name + " has no " + key);
        return std::string(header.substr(at + key.size() + 4));
    };
    const std::string type = value_of("descr").substr(0, 5);
    require(type.size() == 5 && kTypes.find(type) % 6 == 0, name + " has an unknown type");
    const Index width = type[3] - '0';
    std::istringstream sizes(value_of("shape"));
    Array array{{}, {}, type[2] != 'f'};
    char separator = 0;
    for (int size = 0; sizes >> separator >> size;) {
        require(size >= 0 && array.shape.size() < 3, name + " has a bad shape");
        array.shape.push_back(size);
    }
    Shape n = array.shape;
    n.resize(3, 1);
    const Index size = n[0] * n[1] <= kLimit ? n[0] * n[1] * n[2] : kLimit;  // no overflow
    require(size < kLimit && size * width == Index(bytes.size()), name + " is not full");
    Shape stride{n[1] * n[2], n[2], 1};
    stride = value_of("fortran_order")[0] == 'T' ? Shape{1, n[0], n[0] * n[1]} : stride;
    if (name == "Z" && array.shape.size() == 3) {
        std::swap(array.shape[1], array.shape[2]);
        std::swap(n[1], n[2]);
        std::swap(stride[1], stride[2]);
    }
    for (Index i = 0; i < size; ++i) {
        const Index j = i / n[2];
        const Index at = j / n[1] * stride[0] + j % n[1] * stride[1] + i % n[2] * stride[2];
        const double value = to_double(bytes.substr(at * width, width), type[2]);
        require(std::isfinite(value), name + " holds a NaN or an infinity");
        array.values.push_back(value + 0.0);  // −0 becomes +0
    }
    return array;
}

std::map<std::string, Array> read_npz(const std::string& zip) {
    std::map<std::string, Array> arrays;
    for (const std::string name : {"Z", "tokens", "offsets", "y", "y_prefix", "query"}) {
        if (const std::string file = extract(zip, name + ".npy"); !file.empty()) {
            arrays.emplace(name, read_npy(file, name));
        }
    }
    return arrays;
}

/// A list of integers.
Shape indices(const Array& array) {
    require(array.integral && array.shape.size() == 1, "offsets, query are lists of integers");
    return {array.values.begin(), array.values.end()};
}
}  // namespace

std::string read_file(const std::string& path, Index limit) {
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    const Index size = in ? static_cast<Index>(in.tellg()) : -1;
    require(0 <= size && size <= limit, "cannot be read, or is too large for this checker");
    std::string bytes(size, '\0');
    require(static_cast<bool>(in.seekg(0).read(bytes.data(), size)), "cannot be read");
    return bytes;
}

Dataset load_dataset(const std::string& path) {
    const std::map<std::string, Array> arrays = read_npz(read_file(path, kLimit));
    const auto has = [&](const char* name) { return arrays.count(name) > 0; };
    const bool ragged = has("offsets");
    require(has("Z") != has("tokens") && !(has("Z") && ragged), "needs Z or tokens, not both");
    const Array& tokens = arrays.at(has("Z") ? "Z" : "tokens");
    require(tokens.shape.size() == (ragged ? 2 : 3) && !tokens.values.empty(), "bad tokens");
    Dataset data;
    data.d = tokens.shape.back();
    require(data.d <= 400, "the dimension is above 400");
    data.tokens = tokens.values;
    const Index T = static_cast<Index>(data.tokens.size()) / data.d;
    for (Index t = tokens.shape[1]; t <= T; t += tokens.shape[1]) {
        data.offsets.push_back(t);
    }
    data.offsets = ragged ? indices(arrays.at("offsets")) : data.offsets;
    data.query = has("query") ? indices(arrays.at("query")) : data.query;
    const Index N = static_cast<Index>(data.offsets.size()) - 1;
    require(N > 0 && data.offsets[0] == 0 && data.offsets[N] == T,
            "offsets do not cover the tokens");
    require(!has("query") || Index(data.query.size()) == N, "query has a wrong length");
    for (Index s = 0; s < N; ++s) {
        const Index query = has("query") ? data.query[s] : 0;
        require(0 <= query && query < data.offsets[s + 1] - data.offsets[s], "bad sequence");
    }
    data.prefixes = has("y_prefix");
    data.num_examples = data.prefixes ? T : N;
    require(!data.prefixes || !(has("y") || has("query")), "y_prefix excludes y and query");
    if (data.prefixes || has("y")) {
        const Array& y = arrays.at(data.prefixes ? "y_prefix" : "y");
        data.y = y.values;
        data.o = static_cast<Index>(y.values.size()) / data.num_examples;
        const Shape expected{data.num_examples, data.o};
        const Shape other = data.prefixes ? Shape{N, data.offsets[1], data.o} : Shape{N};
        require(data.o > 0 && (y.shape == expected || y.shape == other), "bad labels");
    }
    return data;
}
}  // namespace attest::checker
