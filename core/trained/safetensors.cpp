#include "core/trained/safetensors.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <istream>
#include <limits>
#include <numeric>
#include <optional>
#include <set>

namespace attest {

namespace {

using Json = nlohmann::json;

constexpr Index kLengthBytes = 8;
constexpr Index kLongestHeader = 100'000'000;

struct TypeRow {
    std::string_view name;
    TensorType type;
    Index bytes;
};

// clang-format off
constexpr std::array<TypeRow, 15> kTypes{{
    {"BF16", TensorType::bfloat16, 2}, {"F16", TensorType::float16, 2}, {"F32", TensorType::float32, 4},
    {"F64", TensorType::float64, 8},   {"BOOL", TensorType::other, 1},  {"U8", TensorType::other, 1},
    {"I8", TensorType::other, 1},      {"F8_E5M2", TensorType::other, 1}, {"F8_E4M3", TensorType::other, 1},
    {"I16", TensorType::other, 2},     {"U16", TensorType::other, 2},   {"I32", TensorType::other, 4},
    {"U32", TensorType::other, 4},     {"I64", TensorType::other, 8},   {"U64", TensorType::other, 8}}};

// clang-format on

const TypeRow* type_row(std::string_view name) {
    const auto* const found = std::find_if(
        kTypes.begin(), kTypes.end(), [&](const TypeRow& row) { return row.name == name; });
    return found == kTypes.end() ? nullptr : found;
}

/// Bytes as a little-endian number.
std::uint64_t number(const char* bytes, int count) {
    std::uint64_t value = 0;
    for (int i = count - 1; i >= 0; --i) {
        value = value << 8U | static_cast<unsigned char>(bytes[i]);
    }
    return value;
}

/// IEEE 754 binary16, every value of which a double holds.
double from_half(std::uint64_t bits) {
    const auto exponent = static_cast<int>(bits >> 10U & 31U);
    const auto fraction = static_cast<double>(bits & 1023U);
    const double sign = (bits >> 15U) != 0 ? -1.0 : 1.0;
    if (exponent == 31) {
        return is_zero(fraction) ? sign * std::numeric_limits<double>::infinity()
                                 : std::numeric_limits<double>::quiet_NaN();
    }
    return sign * (exponent == 0 ? std::ldexp(fraction, -24)
                                 : std::ldexp(1024.0 + fraction, exponent - 25));
}

double element(TensorType type, std::uint64_t bits) {
    switch (type) {
        case TensorType::bfloat16:  // the upper half of a float
            return element(TensorType::float32, bits << 16U);
        case TensorType::float16:
            return from_half(bits);
        case TensorType::float32:
            return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
        case TensorType::float64:
        case TensorType::other:
            return std::bit_cast<double>(bits);
    }
    return 0.0;
}

/// Parses, and refuses a name that stands twice in one object, of which JSON readers keep one.
Json parse_header(const std::string& text, std::string_view where) {
    std::vector<std::set<std::string>> names;
    std::string twice;
    const auto watch = [&](int /*depth*/, Json::parse_event_t event, Json& parsed) {
        if (event == Json::parse_event_t::object_start) {
            names.emplace_back();
        } else if (event == Json::parse_event_t::object_end) {
            names.pop_back();
        } else if (event == Json::parse_event_t::key &&
                   !names.back().insert(parsed.get<std::string>()).second) {
            twice = parsed.get<std::string>();
        }
        return true;
    };
    require(!text.empty() && text.front() == '{', "{}: the header is no JSON object", where);
    Json header = Json::parse(text, watch, false);
    require(header.is_object(), "{}: the header is no JSON object", where);
    require(twice.empty(), "{}: {} stands twice in the header", where, in_quotes(twice));
    return header;
}

std::optional<Index> whole(const Json& value) {
    if (!value.is_number_unsigned() ||
        value.get<std::uint64_t>() >
            static_cast<std::uint64_t>(std::numeric_limits<Index>::max())) {
        return std::nullopt;
    }
    return value.get<Index>();
}

std::vector<Index> shape_of(const Json& value, std::string_view where) {
    std::vector<Index> shape;
    Index elements = 1;
    require(value.is_array(), "{}: shape is no list", where);
    for (const Json& size : value) {
        const std::optional<Index> count = whole(size);
        require(count.has_value(), "{}: shape holds {}, no size", where, in_quotes(size.dump()));
        require(*count == 0 || elements <= std::numeric_limits<Index>::max() / 8 / *count,
                "{}: the shape has more elements than any file",
                where);
        elements *= *count;
        shape.push_back(*count);
    }
    return shape;
}

TensorEntry entry_of(const std::string& name,
                     const Json& value,
                     Index data_start,
                     std::string_view where) {
    const std::string tensor = formatted("{}: {}", where, in_quotes(name));
    const bool complete = value.is_object() && value.size() == 3 && value.contains("dtype") &&
                          value.contains("shape") && value.contains("data_offsets") &&
                          value["dtype"].is_string();
    require(complete, "{}: expected dtype, shape and data_offsets", tensor);
    const std::string type_name = value["dtype"];
    const TypeRow* const type = type_row(type_name);
    require(type != nullptr, "{}: unknown dtype {}", tensor, in_quotes(type_name));
    TensorEntry entry{name, type_name, type->type, shape_of(value["shape"], tensor), 0, 0};
    const Json& offsets = value["data_offsets"];
    const bool pair = offsets.is_array() && offsets.size() == 2;
    const std::optional<Index> begin = pair ? whole(offsets[0]) : std::nullopt;
    const std::optional<Index> end = pair ? whole(offsets[1]) : std::nullopt;
    require(begin && end && *begin <= *end && *end - *begin == entry.num_elements() * type->bytes,
            "{}: data_offsets {} do not fit {} elements of {} bytes",
            tensor,
            in_quotes(offsets.dump()),
            entry.num_elements(),
            type->bytes);
    require(*begin <= std::numeric_limits<Index>::max() - data_start,
            "{}: data_offsets are beyond any file",
            tensor);
    entry.first = data_start + *begin;
    entry.bytes = *end - *begin;
    return entry;
}

}  // namespace

Index TensorEntry::num_elements() const {
    return std::accumulate(shape.begin(), shape.end(), Index{1}, std::multiplies<>());
}

std::vector<TensorEntry> read_safetensors_header(std::istream& file,
                                                 Index total_bytes,
                                                 std::string_view where) {
    std::array<char, kLengthBytes> length_bytes{};
    file.seekg(0);
    file.read(length_bytes.data(), kLengthBytes);
    require(file.gcount() == kLengthBytes, "{}: no .safetensors file: it is too short", where);
    const std::uint64_t length = number(length_bytes.data(), kLengthBytes);
    require(length <= static_cast<std::uint64_t>(kLongestHeader) &&
                static_cast<Index>(length) <= total_bytes - kLengthBytes,
            "{}: no .safetensors file: its header would have {} bytes",
            where,
            length);
    std::string text(length, '\0');
    file.read(text.data(), static_cast<std::streamsize>(length));
    require(
        file.gcount() == static_cast<std::streamsize>(length), "{}: the header is cut off", where);
    const Json header = parse_header(text, where);
    const Index data_start = kLengthBytes + static_cast<Index>(length);
    std::vector<TensorEntry> entries;
    for (const auto& [name, value] : header.items()) {
        if (name != "__metadata__") {
            entries.push_back(entry_of(name, value, data_start, where));
        }
    }
    std::sort(entries.begin(), entries.end(), [](const TensorEntry& a, const TensorEntry& b) {
        return std::pair(a.first, a.bytes) < std::pair(b.first, b.bytes);
    });
    Index next = data_start;
    for (const TensorEntry& entry : entries) {
        require(entry.first == next,
                "{}: {}: its elements begin at byte {}, expected {}",
                where,
                in_quotes(entry.name),
                entry.first - data_start,
                next - data_start);
        next += entry.bytes;
    }
    require(next == total_bytes,
            "{}: {} bytes where the header names {}: cut off, or more than it says",
            where,
            total_bytes,
            next);
    return entries;
}

std::vector<double> read_tensor(std::istream& file,
                                const TensorEntry& entry,
                                std::string_view where,
                                NonFinite odd) {
    const std::string tensor = formatted("{}: {}", where, in_quotes(entry.name));
    require(entry.type != TensorType::other,
            "{}: elements are {}, expected F64, F32, F16 or BF16",
            tensor,
            entry.type_name);
    require_memory(
        static_cast<double>(entry.bytes) + 8.0 * static_cast<double>(entry.num_elements()),
        tensor,
        "name fewer tensors by --prefix");
    std::string bytes(static_cast<std::size_t>(entry.bytes), '\0');
    file.clear();
    file.seekg(entry.first);
    file.read(bytes.data(), static_cast<std::streamsize>(entry.bytes));
    require(file.gcount() == static_cast<std::streamsize>(entry.bytes),
            "{}: the file is cut off",
            tensor);
    const auto size = static_cast<int>(type_row(entry.type_name)->bytes);
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(entry.num_elements()));
    for (Index at = 0; at < entry.bytes; at += size) {
        const double value = element(entry.type, number(bytes.data() + at, size));
        const bool taken = odd == NonFinite::kept || std::isfinite(value);
        require(taken, "{}: element {} is {}", tensor, at / size, value);
        values.push_back(value);
    }
    return values;
}

}  // namespace attest
