#include "core/data/npy_dict.hpp"

#include "core/base/error.hpp"
#include "core/base/in_quotes.hpp"
#include "core/base/text.hpp"

#include <array>
#include <charconv>
#include <system_error>

namespace attest {

namespace {

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

NpyDict parse_npy_dict(std::string_view text, std::string_view where) {
    return Parser(text, where).dict();
}

}  // namespace attest
