#include "core/data/archive/npy_header.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <array>
#include <charconv>
#include <system_error>

namespace attest {

namespace {

struct TypeRow {
    char kind;
    Index size;
    std::string_view name;
};

// In the order of DType.
constexpr std::array<TypeRow, 10> kTypes{{
    {'f', 4, "float32"},
    {'f', 8, "float64"},
    {'i', 1, "int8"},
    {'i', 2, "int16"},
    {'i', 4, "int32"},
    {'i', 8, "int64"},
    {'u', 1, "uint8"},
    {'u', 2, "uint16"},
    {'u', 4, "uint32"},
    {'u', 8, "uint64"},
}};

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr Index kAlignment = 64;

const TypeRow& row(DType dtype) {
    return kTypes.at(static_cast<std::size_t>(dtype));
}

struct UnfitRow {
    char kind;
    std::string_view name;
    std::string_view fix;
};

constexpr std::string_view kConvert = "convert it with .astype(numpy.float64)";
constexpr std::array<UnfitRow, 9> kUnfit{{
    {'b', "bool", kConvert},
    {'c', "complex", "store its real part"},
    {'f', "float16 or extended precision", kConvert},
    {'O',
     "object (often sequences of different lengths)",
     "store one numeric array; tokens (T,d) with offsets holds different lengths"},
    {'S', "text", "store numbers"},
    {'U', "text", "store numbers"},
    {'M', "dates", "store numbers"},
    {'m', "dates", "store numbers"},
    {'V', "raw bytes or a structure", "store each field as a key of its own"},
}};

[[noreturn]] void reject_type(std::string_view descr, std::string_view where) {
    const char kind = descr.size() > 1 ? descr[1] : ' ';
    UnfitRow unfit{kind, "an unknown element type", kConvert};
    for (const UnfitRow& known : kUnfit) {
        if (known.kind == kind) {
            unfit = known;
        }
    }
    throw InvalidInput(
        formatted("{} has dtype {}, {}, expected float32, float64 or integers of up to 64 bits; {}",
                  where,
                  in_quotes(descr),
                  unfit.name,
                  unfit.fix));
}

void set_type(NpyHeader& header, std::string_view descr, std::string_view where) {
    for (std::size_t t = 0; t < kTypes.size(); ++t) {
        const TypeRow& type = kTypes.at(t);
        const std::string tail = formatted("{}{}", type.kind, type.size);
        if (descr.size() == tail.size() + 1 && descr.substr(1) == tail &&
            (descr[0] == '<' || descr[0] == '>' || (descr[0] == '|' && type.size == 1))) {
            header.dtype = static_cast<DType>(t);
            header.endian = descr[0] == '>' ? Endian::big : Endian::little;
            return;
        }
    }
    reject_type(descr, where);
}

// Every later product of these sizes, bytes included, then fits an Index.
void require_countable(const NpyHeader& header, std::string_view where) {
    Index bytes = item_size(DType::float64);
    bool empty = false;
    bool overflow = false;
    for (const Index size : header.shape) {
        empty = empty || size == 0;
        overflow = overflow || (size > 0 && __builtin_mul_overflow(bytes, size, &bytes));
    }
    require(!overflow,
            "{} has shape {}, more elements than any file holds{}, expected fewer than 2^60; write "
            "the file again",
            where,
            shape_text(header.shape),
            empty ? " but for an empty axis" : "");
}

class Parser {
public:
    Parser(std::string_view text, std::string_view where) : text_(text), where_(where) {}

    NpyDict dict();

private:
    [[noreturn]] void fail(std::string_view expected) const {
        throw InvalidInput(
            formatted("{}: the .npy header reads {} at byte {}, expected {}; write the file with "
                      "numpy.save or numpy.savez",
                      where_,
                      in_quotes(text_.substr(at_)),
                      at_,
                      expected));
    }

    void skip_blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) {
            ++at_;
        }
    }

    [[nodiscard]] bool accept(std::string_view token) {
        skip_blanks();
        if (text_.substr(at_, token.size()) != token) {
            return false;
        }
        at_ += token.size();
        return true;
    }

    void expect(std::string_view token) {
        if (!accept(token)) {
            fail(in_quotes(token));
        }
    }

    std::string string();
    AxisOrder order();
    Index size();
    std::vector<Index> shape();
    void entry(NpyDict& result);

    std::string_view text_;
    std::string_view where_;
    std::size_t at_ = 0;
    std::array<bool, 3> seen_{};  // descr, fortran_order, shape
};

std::string Parser::string() {
    skip_blanks();
    const char quote = at_ < text_.size() ? text_[at_] : ' ';
    if (quote != '\'' && quote != '"') {
        fail("a text in quotes");
    }
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) {
        fail("a closing quote");
    }
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    if (inside.find('\\') != std::string_view::npos) {
        fail("a text without a backslash");
    }
    at_ = end + 1;
    return std::string(inside);
}

AxisOrder Parser::order() {
    if (accept("True")) {
        return AxisOrder::fortran;
    }
    if (!accept("False")) {
        fail("True or False");
    }
    return AxisOrder::c;
}

Index Parser::size() {
    skip_blanks();
    Index value = 0;
    const char* first = text_.data() + at_;
    const auto [end, code] = std::from_chars(first, text_.data() + text_.size(), value);
    if (code == std::errc::result_out_of_range) {
        fail("a size below 2^63");
    }
    if (code != std::errc{} || value < 0) {
        fail("a size >= 0");
    }
    at_ += static_cast<std::size_t>(end - first);
    return value;
}

std::vector<Index> Parser::shape() {
    std::vector<Index> sizes;
    expect("(");
    while (!accept(")")) {
        sizes.push_back(size());
        if (accept(")")) {
            if (sizes.size() == 1) {
                fail("a comma after a single size");
            }
            break;
        }
        expect(",");
    }
    return sizes;
}

void Parser::entry(NpyDict& result) {
    const std::size_t start = at_;
    const std::string key = string();
    expect(":");
    std::size_t index = 0;
    if (key == "descr") {
        if (accept("[")) {
            throw InvalidInput(
                formatted("{} has a structured element type, expected plain numbers; store each "
                          "field as a key of its own",
                          where_));
        }
        result.descr = string();
    } else if (key == "fortran_order") {
        index = 1;
        result.order = order();
    } else if (key == "shape") {
        index = 2;
        result.shape = shape();
    } else {
        at_ = start;
        fail("one of the keys 'descr', 'fortran_order', 'shape'");
    }
    if (seen_.at(index)) {
        at_ = start;
        fail("each key once");
    }
    seen_.at(index) = true;
}

NpyDict Parser::dict() {
    NpyDict result;
    expect("{");
    while (!accept("}")) {
        entry(result);
        if (!accept(",")) {
            expect("}");
            break;
        }
    }
    if (!(seen_[0] && seen_[1] && seen_[2])) {
        fail("the keys 'descr', 'fortran_order' and 'shape' before this point");
    }
    skip_blanks();
    if (at_ != text_.size()) {
        fail("nothing after the closing brace");
    }
    return result;
}

}  // namespace

std::string_view to_string(DType dtype) {
    return row(dtype).name;
}

bool is_integer(DType dtype) {
    return row(dtype).kind != 'f';
}

Index item_size(DType dtype) {
    return row(dtype).size;
}

Index NpyHeader::num_elements() const {
    Index count = 1;
    for (const Index size : shape) {
        count *= size;
    }
    return count;
}

std::string shape_text(std::span<const Index> shape) {
    std::string text = "(";
    for (std::size_t i = 0; i < shape.size(); ++i) {
        text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
    }
    return text + (shape.size() == 1 ? ",)" : ")");
}

NpyHeader parse_npy_header(std::span<const std::byte> bytes, std::string_view where) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    require(text.substr(0, kMagic.size()) == kMagic && text.size() >= 10,
            "{}: the member starts with {}, expected the magic bytes of an .npy array; write the "
            "file with numpy.savez",
            where,
            in_quotes(text.substr(0, kMagic.size())));
    const auto byte_at = [&](std::size_t i) { return std::to_integer<Index>(bytes[i]); };
    const Index major = byte_at(6);
    require(major >= 1 && major <= 3 && byte_at(7) == 0,
            "{}: the .npy format version is {}.{}, expected 1.0, 2.0 or 3.0; write the file with "
            "numpy.savez",
            where,
            major,
            byte_at(7));
    const Index prefix = major == 1 ? 10 : 12;
    Index length = byte_at(8) + 256 * byte_at(9);
    if (major > 1 && text.size() >= 12) {
        length += 65536 * (byte_at(10) + 256 * byte_at(11));
    }
    const Index available = static_cast<Index>(text.size()) - prefix;
    require(length <= available && length <= kMaxNpyHeader,
            "{}: the .npy header claims {} bytes, expected at most {}; the file is damaged or cut "
            "short",
            where,
            length,
            std::max<Index>(0, std::min(available, kMaxNpyHeader)));
    const NpyDict dict = parse_npy_dict(
        text.substr(static_cast<std::size_t>(prefix), static_cast<std::size_t>(length)), where);
    NpyHeader header;
    set_type(header, dict.descr, where);
    header.order = dict.order;
    header.shape = dict.shape;
    header.data_start = prefix + length;
    require_countable(header, where);
    return header;
}

std::string npy_header_text(DType dtype, std::span<const Index> shape) {
    const TypeRow& type = row(dtype);
    std::string dict = formatted("{{'descr': '{}{}{}', 'fortran_order': False, 'shape': {}, }}",
                                 type.size == 1 ? '|' : '<',
                                 type.kind,
                                 type.size,
                                 shape_text(shape));
    const Index prefix = 10;
    const Index unpadded = prefix + static_cast<Index>(dict.size()) + 1;
    const Index total = (unpadded + kAlignment - 1) / kAlignment * kAlignment;
    dict.append(static_cast<std::size_t>(total - unpadded), ' ');
    dict += '\n';
    ensure(dict.size() <= 65535, "npy_header_text: the shape has too many axes");
    std::string text(kMagic);
    text += std::string("\x01\x00", 2);
    text += static_cast<char>(dict.size() % 256);
    text += static_cast<char>(dict.size() / 256);
    return text + dict;
}

NpyDict parse_npy_dict(std::string_view text, std::string_view where) {
    return Parser(text, where).dict();
}

}  // namespace attest
