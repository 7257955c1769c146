#include "proofs_check/checker/parse.hpp"

#include "proofs_check/checker/digest.hpp"

#include <algorithm>

namespace attest::checker {
Index skip_comments(std::string_view& text) {
    Index count = 0;
    for (; text.substr(0, 1) == "#"; ++count) {
        const std::size_t end = text.find('\n');
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return count;
}

Reader::Reader(std::string_view text) : left_(text.substr(0, text.rfind("\nend ") + 1)) {
    const bool ended = text.substr(left_.size()) == "end " + sha256(left_) + '\n';
    const Index line = std::count(left_.begin(), left_.end(), '\n') + 1;
    require(ended, "expected end and the SHA-256 of the lines before", line);
}

void Reader::require(bool condition, const std::string& reason, Index line) const {
    if (!condition) {
        throw Failure(1, "line " + std::to_string(line > 0 ? line : line_) + ": " + reason);
    }
}

bool Reader::take(std::string_view characters) {
    const bool found = left_.substr(0, characters.size()) == characters;
    left_.remove_prefix(found ? characters.size() : 0);
    line_ = found ? next_line_ : line_;
    next_line_ += found && !characters.empty() && characters.back() == '\n' ? 1 : 0;
    next_line_ += next_line_ > line_ ? skip_comments(left_) : 0;
    return found;
}

void Reader::expect(const std::string& characters) {
    const std::string name = characters == "\n" ? "the end of the line" : characters;
    require(take(characters), "expected " + name.substr(0, name.find('\n')), next_line_);
}

Integer Reader::integer(const std::string& after) {
    const std::size_t sign = left_.substr(0, 1) == "-" ? 1 : 0;
    const std::size_t end = std::min(left_.find_first_not_of("0123456789", sign), left_.size());
    require(end > sign && (left_[sign] != '0' || end == 1), "expected an integer");
    require(end - sign <= 100000, "an integer has more than 100000 digits");
    Integer value{std::string(left_.substr(0, end))};
    left_.remove_prefix(end);
    expect(after);
    return value;
}

Index Reader::number(Index least, Index last, const std::string& after) {
    const Integer value = integer(after);
    require(least <= value && value <= last, "a number is out of range or order");
    return static_cast<Index>(value);
}

std::vector<Index> Reader::indices(Index limit) {
    std::vector<Index> values;
    for (Index least = 0; !take("\n"); ++least) {
        expect(" ");
        values.push_back(least = number(least, limit - 1, ""));
    }
    return values;
}

Vector Reader::vector(Index limit) {
    Vector vector{next_line_, {}};
    for (Index least = 0; !take("\n"); ++least) {
        expect(" ");
        least = number(least, limit - 1, ":");
        vector.terms.emplace_back(least, integer(""));
        require(vector.terms.back().second != 0, "a listed entry is 0");
    }
    return vector;
}
}  // namespace attest::checker
