#include "core/data/archive/npy.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace attest {

namespace {

static_assert(std::endian::native == std::endian::little, "elements are copied as they lie");

constexpr std::int64_t kLargestExact = std::int64_t{1} << 53U;

// C-order position of each element in file order, one after the other.
class Position {
public:
    explicit Position(const NpyHeader& header)
        : shape_(header.shape), order_(header.order), subscript_(header.shape.size()) {
        strides_.resize(shape_.size());
        Index stride = 1;
        for (std::size_t axis = shape_.size(); axis-- > 0;) {
            strides_[axis] = stride;
            stride *= shape_[axis];
        }
    }

    [[nodiscard]] std::size_t operator*() const { return static_cast<std::size_t>(at_); }

    Position& operator++() {
        if (order_ == AxisOrder::c) {
            ++at_;
            return *this;
        }
        for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
            at_ += strides_[axis];
            if (++subscript_[axis] < shape_[axis]) {
                break;
            }
            at_ -= shape_[axis] * strides_[axis];
            subscript_[axis] = 0;
        }
        return *this;
    }

private:
    const std::vector<Index>& shape_;
    AxisOrder order_;
    std::vector<Index> subscript_;
    std::vector<Index> strides_;
    Index at_ = 0;
};

template <class Element>
Element load(const std::byte* from, Endian endian) {
    std::array<std::byte, sizeof(Element)> raw{};
    std::copy_n(from, raw.size(), raw.begin());
    if (endian == Endian::big) {
        std::reverse(raw.begin(), raw.end());
    }
    return std::bit_cast<Element>(raw);
}

/// Doubles, which need no conversion.
bool lies_as_in_memory(const NpyHeader& header) {
    return header.dtype == DType::float64 && header.endian == Endian::little;
}

template <class Element>
bool exact_in_double(Element element) {
    if constexpr (std::is_same_v<Element, std::int64_t>) {
        return -kLargestExact <= element && element <= kLargestExact;
    } else if constexpr (std::is_same_v<Element, std::uint64_t>) {
        return element <= static_cast<std::uint64_t>(kLargestExact);
    } else {
        return true;
    }
}

// Whether Element holds the value exactly. Every finite float or double is fine where Element is
// one too.
template <class Element>
bool holds(double value) {
    using Limits = std::numeric_limits<Element>;
    if constexpr (Limits::is_integer) {
        return std::abs(value) <= static_cast<double>(kLargestExact) &&
               is_zero(value - std::trunc(value)) &&
               value >= static_cast<double>(Limits::lowest()) &&
               value <= static_cast<double>(Limits::max());
    } else {
        return !std::isfinite(value) ||
               (std::abs(value) <= static_cast<double>(Limits::max()) &&
                is_zero(static_cast<double>(static_cast<Element>(value)) - value));
    }
}

/// Calls action with a zero of the C++ type that stores `dtype`.
template <class Action>
void with_element(DType dtype, const Action& action) {
    switch (dtype) {
        case DType::float32:
            return action(float{});
        case DType::float64:
            return action(double{});
        case DType::int8:
            return action(std::int8_t{});
        case DType::int16:
            return action(std::int16_t{});
        case DType::int32:
            return action(std::int32_t{});
        case DType::int64:
            return action(std::int64_t{});
        case DType::uint8:
            return action(std::uint8_t{});
        case DType::uint16:
            return action(std::uint16_t{});
        case DType::uint32:
            return action(std::uint32_t{});
        case DType::uint64:
            return action(std::uint64_t{});
    }
}

/// visit(k, value) for the first `count` elements in file order.
template <class Visit>
void for_each_element(const NpyHeader& header,
                      std::span<const std::byte> bytes,
                      Index count,
                      std::string_view where,
                      const Visit& visit) {
    with_element(header.dtype, [&]<class Element>(Element) {
        const std::byte* from = bytes.data();
        for (Index k = 0; k < count; ++k, from += sizeof(Element)) {
            const auto element = load<Element>(from, header.endian);
            if (!exact_in_double(element)) {
                throw InvalidInput(
                    formatted("{} holds the integer {}, expected at most 2^53 in size, where a "
                              "double still counts; scale it down",
                              where,
                              element));
            }
            visit(k, static_cast<double>(element));
        }
    });
}

}  // namespace

void check_npy_length(const NpyHeader& header, Index total_bytes, std::string_view where) {
    const Index found = total_bytes - header.data_start;
    require(found == header.data_bytes(),
            "{} has {} bytes of data, expected {} for shape {} of {}{}",
            where,
            found,
            header.data_bytes(),
            shape_text(header.shape),
            to_string(header.dtype),
            found < header.data_bytes() ? "; the file is cut short, write it again"
                                        : "; bytes follow the end, write it again");
}

NpyArray parse_npy(std::span<const std::byte> bytes, std::string_view where) {
    const NpyHeader header = parse_npy_header(bytes, where);
    check_npy_length(header, static_cast<Index>(bytes.size()), where);
    const Index count = header.num_elements();
    require_memory(
        8.0 * static_cast<double>(count), where, "use a smaller array or a larger machine");
    NpyArray array{
        header.dtype, header.shape, std::vector<double>(static_cast<std::size_t>(count))};
    const std::span<const std::byte> elements =
        bytes.subspan(static_cast<std::size_t>(header.data_start));
    if (header.order == AxisOrder::c) {
        decode_elements(header, elements, array.data, where);
        return array;
    }
    Position position(header);
    for_each_element(header, elements, count, where, [&](Index /*k*/, double value) {
        array.data[*position] = value;
        ++position;
    });
    return array;
}

void decode_elements(const NpyHeader& header,
                     std::span<const std::byte> bytes,
                     std::span<double> to,
                     std::string_view where) {
    if (lies_as_in_memory(header) && !to.empty()) {
        std::memcpy(to.data(), bytes.data(), to.size_bytes());
        return;
    }
    for_each_element(header, bytes, std::ssize(to), where, [&](Index k, double value) {
        to[static_cast<std::size_t>(k)] = value;
    });
}

std::vector<std::byte> npy_start(const NpyArray& array) {
    const std::string header = npy_header_text(array.dtype, array.shape);
    Index count = 1;
    for (const Index size : array.shape) {
        count *= size;
    }
    ensure(count == static_cast<Index>(array.data.size()), "npy_start: shape and data disagree");
    const auto bytes = std::as_bytes(std::span(header));
    return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> npy_bytes(const NpyArray& array) {
    std::vector<std::byte> bytes = npy_start(array);
    const std::size_t start = bytes.size();
    bytes.resize(start + array.data.size() * static_cast<std::size_t>(item_size(array.dtype)));
    with_element(array.dtype, [&]<class Element>(Element) {
        std::byte* to = bytes.data() + start;
        for (const double value : array.data) {
            if (!holds<Element>(value)) {  // a number is put into words only here
                throw InvalidInput(formatted("npy_bytes: got {}, expected a value that {} holds",
                                             round_trip(value),
                                             to_string(array.dtype)));
            }
            const auto element = static_cast<Element>(value);
            std::memcpy(to, &element, sizeof(Element));
            to += sizeof(Element);
        }
    });
    return bytes;
}

}  // namespace attest
