#include "tests/proofs_check/checker/mutate.hpp"

#include <algorithm>
#include <sstream>

namespace attest::checker_test {

namespace {

using Words = std::vector<std::string>;

Words split(const std::string& text, char separator) {
    Words words;
    std::istringstream in(text);
    for (std::string word; std::getline(in, word, separator);) {
        words.push_back(word);
    }
    return words;
}

std::string join(const Words& words, char separator) {
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : std::string(1, separator)) + word;
    }
    return text;
}

bool is_digit(char c) {
    return '0' <= c && c <= '9';
}

/// Changes the digits [first, last): ±1, another sign, zero, a digit more or fewer, very large.
std::string change_number(const std::string& text,
                          std::size_t first,
                          std::size_t last,
                          Dice& dice) {
    std::string digits = text.substr(first, last - first);
    switch (dice.below(6)) {
        case 0:
            digits.back() = digits.back() == '9' ? '8' : static_cast<char>(digits.back() + 1);
            break;
        case 1:
            digits.back() = digits.back() == '0' ? '1' : static_cast<char>(digits.back() - 1);
            break;
        case 2:
            return first > 0 && text[first - 1] == '-'
                       ? text.substr(0, first - 1) + text.substr(first)
                       : text.substr(0, first) + "-" + text.substr(first);
        case 3:
            digits = "0";
            break;
        case 4:
            digits += static_cast<char>('0' + dice.below(10));
            break;
        default:
            digits = digits.size() > 1 ? digits.substr(1) : "9223372036854775808";
            break;
    }
    return text.substr(0, first) + digits + text.substr(last);
}

std::string change_some_number(const std::string& text, Dice& dice) {
    std::size_t first = dice.below(text.size());
    while (first < text.size() && !is_digit(text[first])) {
        ++first;
    }
    std::size_t last = first;
    while (last < text.size() && is_digit(text[last])) {
        ++last;
    }
    return first == last ? text : change_number(text, first, last, dice);
}

/// Deletes, doubles or swaps words, or takes one from elsewhere.
Words change_words(Words words, const Words& others, Dice& dice) {
    const auto at = static_cast<std::ptrdiff_t>(dice.below(words.size()));
    const auto to = static_cast<std::ptrdiff_t>(dice.below(words.size()));
    switch (dice.below(5)) {
        case 0:
            words.erase(words.begin() + at);
            break;
        case 1:
            words.insert(words.begin() + at, words[static_cast<std::size_t>(to)]);
            break;
        case 2:
            std::iter_swap(words.begin() + at, words.begin() + to);
            break;
        case 3:
            words.insert(words.begin() + at, others[dice.below(others.size())]);
            break;
        default:
            words[static_cast<std::size_t>(at)] = others[dice.below(others.size())];
            break;
    }
    return words;
}

}  // namespace

std::size_t Dice::below(std::size_t sides) {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return static_cast<std::size_t>((z ^ (z >> 31)) % sides);
}

std::string mutate_bytes(std::string bytes, Dice& dice) {
    const std::size_t at = dice.below(bytes.size());
    switch (dice.below(8)) {
        case 0:
            bytes[at] = static_cast<char>(dice.below(256));
            break;
        case 1:
            bytes.erase(at, 1);
            break;
        case 2:
            bytes.insert(at, 1, bytes[at]);
            break;
        case 3:
            bytes.resize(at);
            break;
        default:
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << dice.below(8)));
            break;
    }
    return bytes;
}

std::string mutate_text(const std::string& text, const std::string& other, Dice& dice) {
    Words lines = split(text, '\n');
    switch (dice.below(6)) {
        case 0:
            return mutate_bytes(text, dice);
        case 1:
            return join(change_words(lines, split(other, '\n'), dice), '\n') + '\n';
        case 2: {
            std::string& line = lines[dice.below(lines.size())];
            line = join(change_words(split(line, ' '), split(other, ' '), dice), ' ');
            return join(lines, '\n') + '\n';
        }
        default:
            return change_some_number(text, dice);
    }
}

std::string without_comments(const std::string& text) {
    Words lines = split(text, '\n');
    const auto comment = [](const std::string& line) {
        return line[0] == '#' || line.substr(0, 4) == "end ";
    };
    lines.erase(std::remove_if(lines.begin(), lines.end(), comment), lines.end());
    return join(lines, '\n');
}

std::string body_of(const std::string& text) {
    return text.substr(0, text.rfind("\nend ") + 1);
}

}  // namespace attest::checker_test
