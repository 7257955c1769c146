#include "core/data/zip_layout.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <cstdint>
#include <string_view>

namespace attest {

namespace {

// APPNOTE.TXT 6.3: end record §4.3.16, zip64 records §4.3.14 and §4.3.15, directory §4.3.12.
constexpr Index kEndSize = 22;
constexpr Index kLocatorSize = 20;
constexpr Index kWideEndSize = 56;
constexpr std::size_t kRecordSize = 46;
constexpr std::uint64_t kUnicodePath = 0x7075;  // §4.6.9

std::uint64_t number(std::string_view bytes, std::size_t first, std::size_t width) {
    std::uint64_t value = 0;
    for (std::size_t i = width; i-- > 0 && first + i < bytes.size();) {
        value = value << 8 | static_cast<unsigned char>(bytes[first + i]);
    }
    return value;
}

struct Directory {
    std::uint64_t first;  ///< as the file states it
    std::uint64_t size;
    Index stop;  ///< where the end records begin
};

Directory find_directory(const ReadBytes& read, Index size, std::string_view end) {
    const Index end_at = size - kEndSize;
    const std::string locator = read(end_at - kLocatorSize, kLocatorSize);
    if (locator.substr(0, 4) != "PK\x06\x07") {
        return {number(end, 16, 4), number(end, 12, 4), end_at};
    }
    const Index wide_at = end_at - kLocatorSize - kWideEndSize;
    const std::string wide = read(wide_at, kWideEndSize);
    return {number(wide, 48, 8), number(wide, 40, 8), wide_at};
}

void require_one_name(std::string_view record, std::size_t name_size, const std::string& name) {
    const std::size_t extra_at = kRecordSize + name_size;
    const std::string_view extra = record.substr(extra_at, number(record, 30, 2));
    bool one = record.substr(kRecordSize, name_size).find('\0') == std::string_view::npos;
    for (std::size_t at = 0; at < extra.size(); at += 4 + number(extra, at + 2, 2)) {
        one = one && number(extra, at, 2) != kUnicodePath;
    }
    require(one,
            "{}: a member has a second name or a zero byte in its name, expected one plain name; "
            "write it with numpy.savez",
            name);
}

}  // namespace

void require_one_archive(const ReadBytes& read, Index size, const std::string& name) {
    const std::string end = read(size - kEndSize, kEndSize);
    require(end.substr(0, 4) == "PK\x05\x06" && number(end, 20, 2) == 0,
            "{}: is no zip archive, is cut short, or has a comment or bytes behind it, expected an "
            ".npz file; write it with numpy.savez",
            name);
    const Directory found = find_directory(read, size, end);
    const auto stop = static_cast<std::uint64_t>(found.stop);
    require(read(0, 2) == "PK" && found.size <= stop && found.first == stop - found.size,
            "{}: bytes precede the zip archive, as when two archives are joined, expected one .npz "
            "file; write it with numpy.savez",
            name);
    const std::string records =
        read(static_cast<Index>(found.first), static_cast<Index>(found.size));
    for (std::string_view left = records; left.size() >= kRecordSize;) {
        const std::size_t name_size = number(left, 28, 2);
        const std::size_t whole =
            kRecordSize + name_size + number(left, 30, 2) + number(left, 32, 2);
        require(
            whole <= left.size(), "{}: the zip directory is damaged; write the file again", name);
        require_one_name(left, name_size, name);
        left.remove_prefix(whole);
    }
}

}  // namespace attest
