#include "tests/proofs_check/checker/mutate_archive.hpp"

#include "tests/proofs_check/checker/zip_bytes.hpp"

#include <array>

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

}  // namespace

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
