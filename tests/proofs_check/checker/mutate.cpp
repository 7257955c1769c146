#include "tests/proofs_check/checker/mutate.hpp"

#include "tests/proofs_check/checker/zip_bytes.hpp"

#include <algorithm>
#include <array>
#include <sstream>

namespace attest::checker_test {

namespace {

using checker::Dataset;
using checker::Index;

template <class T>
ZipEntry entry(const std::string& name,
               const std::string& type,
               const std::string& shape,
               const std::vector<T>& values) {
    return {name + ".npy", npy_bytes(type, shape, raw(values))};
}

std::string list_shape(std::size_t size) {
    return "(" + std::to_string(size) + ",)";
}

std::string table_shape(std::size_t size, Index columns) {
    return "(" + std::to_string(static_cast<Index>(size) / columns) + ", " +
           std::to_string(columns) + ")";
}

std::vector<ZipEntry> entries_of(const Dataset& data) {
    std::vector<ZipEntry> entries{
        entry("tokens", "<f8", table_shape(data.tokens.size(), data.d), data.tokens),
        entry("offsets", "<i8", list_shape(data.offsets.size()), data.offsets)};
    if (data.o > 0) {
        const std::string name = data.prefixes ? "y_prefix" : "y";
        entries.push_back(entry(name, "<f8", table_shape(data.y.size(), data.o), data.y));
    }
    if (!data.query.empty()) {
        entries.push_back(entry("query", "<i8", list_shape(data.query.size()), data.query));
    }
    return entries;
}

template <std::size_t size>
std::string one_of(const std::array<const char*, size>& words, Dice& dice) {
    return words.at(dice.below(size));
}

/// Another type, order or shape, or some other character of the header.
std::string mutate_header(std::string npy, Dice& dice) {
    constexpr std::array<const char*, 9> kTypes{
        "<f4", "<i8", "<u8", ">f8", "|i1", "<f2", "|O8", "<U1", "<i4"};
    constexpr std::array<const char*, 10> kShapes{"()",
                                                  "(0,)",
                                                  "(3,)",
                                                  "(3, 2",
                                                  "(-3, 2)",
                                                  "(3, 2, 1)",
                                                  "(1, 3, 2)",
                                                  "(03, 2)",
                                                  "(3,2)",
                                                  "3"};
    const std::size_t shape = npy.find("'shape': ") + 9;
    switch (dice.below(6)) {
        case 0:
            return npy.replace(npy.find("'descr': '") + 10, 3, one_of(kTypes, dice));
        case 1:
            return npy.replace(npy.find("False"), 5, dice.below(2) == 0 ? "True " : "false");
        case 2: {
            const std::string other = one_of(kShapes, dice);
            return npy.replace(shape, other.size(), other);
        }
        case 3:
            npy[shape + dice.below(8)] = "0123456789,() "[dice.below(14)];
            return npy;
        case 4:
            npy[6 + dice.below(4)] = static_cast<char>(dice.below(256));
            return npy;
        default:
            return mutate_bytes(npy.substr(0, 128), dice) + npy.substr(128);
    }
}

/// A change in the numbers behind the header of 128 bytes.
std::string mutate_numbers(const std::string& npy, Dice& dice) {
    const std::size_t header = npy.find('\n') + 1;
    return npy.substr(0, header) + mutate_bytes(npy.substr(header), dice);
}

std::vector<ZipEntry> mutate_members(std::vector<ZipEntry> entries, Dice& dice) {
    constexpr std::array<const char*, 9> kNames{"Z.npy",
                                                "tokens.npy",
                                                "tokens",
                                                "y.npy",
                                                "y_prefix.npy",
                                                "query.npy",
                                                "meta.npy",
                                                "Tokens.npy",
                                                ""};
    ZipEntry& some = entries[dice.below(entries.size())];
    const ZipEntry other = entries[dice.below(entries.size())];
    switch (dice.below(4)) {
        case 0:
            some.name = one_of(kNames, dice);
            break;
        case 1:
            some.contents = dice.below(2) == 0 ? "" : other.contents;
            break;
        case 2:
            entries.push_back({one_of(kNames, dice), other.contents});
            break;
        default:
            entries.erase(entries.begin() +
                          static_cast<std::ptrdiff_t>(dice.below(entries.size())));
            break;
    }
    return entries;
}

/// A number in a local header, in a record of the directory or in the end record.
std::string mutate_zip(std::string zip, Dice& dice) {
    constexpr std::array<const char*, 3> kHeaders{"PK\3\4", "PK\1\2", "PK\5\6"};
    constexpr std::array<std::size_t, 3> kSizes{30, 46, 22};
    const std::size_t kind = dice.below(3);
    const std::size_t at = zip.rfind(kHeaders.at(kind)) + dice.below(kSizes.at(kind));
    const std::size_t width = std::min<std::size_t>(1 + dice.below(4), zip.size() - at);
    for (std::size_t i = 0; i < width; ++i) {
        constexpr std::array<int, 6> kBytes{0, 1, 2, 8, 127, 255};
        zip[at + i] = static_cast<char>(kBytes.at(dice.below(6)));
    }
    return zip;
}

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

std::string mutate_archive(const Dataset& data, Dice& dice) {
    std::vector<ZipEntry> entries = entries_of(data);
    std::string& contents = entries[dice.below(entries.size())].contents;
    const std::size_t kind = dice.below(5);
    if (kind == 0) {
        contents = mutate_header(contents, dice);
    } else if (kind == 1) {
        contents = mutate_numbers(contents, dice);
    } else if (kind == 2) {
        entries = mutate_members(entries, dice);
    }
    const std::string zip =
        zip_bytes(entries, dice.below(2) == 0 ? Packing::stored : Packing::deflated);
    return kind == 3 ? mutate_zip(zip, dice) : kind == 4 ? mutate_bytes(zip, dice) : zip;
}

}  // namespace attest::checker_test
