#include "core/data/archive/zip_reading.hpp"

#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/data/archive/zip_writing.hpp"

#include <zip.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string_view>
#include <system_error>

namespace attest {

namespace {

struct CloseMember {
    void operator()(zip_file_t* member) const { zip_fclose(member); }
};

using OpenMember = std::unique_ptr<zip_file_t, CloseMember>;

// 258 bytes from two bits: the densest code deflate has (RFC 1951 §3.2.5).
constexpr Index kLargestDeflateRatio = 1032;

[[noreturn]] void fail_to_open(std::string_view name, int code) {
    std::string_view problem;
    switch (code) {
        case ZIP_ER_NOZIP:
            problem = "is no zip archive or is cut short, expected an .npz file";
            break;
        case ZIP_ER_INCONS:
            problem = "holds zip headers that contradict each other, expected an .npz file";
            break;
        case ZIP_ER_EXISTS:
            problem = "holds two arrays under one key, expected one";
            break;
        default: {
            ZipError error(code);
            throw InvalidInput(formatted("{}: cannot read: {}; write the file again",
                                         name,
                                         zip_error_strerror(error.get())));
        }
    }
    throw InvalidInput(formatted("{}: {}; write it with numpy.savez", name, problem));
}

void require_readable_file(const std::string& path) {
    std::error_code failed;
    const std::filesystem::file_status status = std::filesystem::status(path, failed);
    require(!failed, "{}: cannot read: {}; check the name and permissions", path, failed.message());
    require(std::filesystem::is_regular_file(status),
            "{}: is not a regular file, expected an .npz file; copy it to one first",
            path);
}

void require_one_archive_at(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const auto read = [&](Index first, Index count) {
        std::string bytes(static_cast<std::size_t>(count), '\0');
        file.clear();
        file.seekg(std::max<Index>(first, 0)).read(bytes.data(), count);
        bytes.resize(static_cast<std::size_t>(file.gcount()));
        return bytes;
    };
    std::error_code failed;
    require_one_archive(read, static_cast<Index>(std::filesystem::file_size(path, failed)), path);
}

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

/// Readers differ in which end record they follow, so both say the same, or the narrow one that it
/// cannot.
Directory find_directory(const ReadBytes& read,
                         Index size,
                         std::string_view end,
                         const std::string& name) {
    const Index end_at = size - kEndSize;
    const std::string locator = read(end_at - kLocatorSize, kLocatorSize);
    if (locator.substr(0, 4) != "PK\x06\x07") {
        return {number(end, 16, 4), number(end, 12, 4), end_at};
    }
    const Index wide_at = end_at - kLocatorSize - kWideEndSize;
    const std::string wide = read(wide_at, kWideEndSize);
    const auto agrees = [&](std::size_t narrow_at, std::size_t width, std::size_t wide_field) {
        const std::uint64_t narrow = number(end, narrow_at, width);
        const bool moved = narrow == (std::uint64_t{1} << (8 * width)) - 1;
        return moved || narrow == number(wide, wide_field, 8);
    };
    require(wide.substr(0, 4) == "PK\x06\x06" &&
                number(locator, 8, 8) == static_cast<std::uint64_t>(wide_at) && agrees(10, 2, 32) &&
                agrees(12, 4, 40) && agrees(16, 4, 48),
            "{}: has two end records that contradict each other; write it with numpy.savez",
            name);
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

void ZipReader::Close::operator()(zip* archive) const {
    zip_discard(archive);
}

ZipReader::ZipReader(std::string name, zip* archive) : name_(std::move(name)), archive_(archive) {
    list_members();
}

ZipReader ZipReader::open(const std::string& path) {
    require_readable_file(path);
    int code = 0;
    zip_t* archive = zip_open(path.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &code);
    if (archive == nullptr) {
        fail_to_open(path, code);
    }
    ZipReader reader(path, archive);
    require_one_archive_at(path);
    return reader;
}

ZipReader ZipReader::from_bytes(std::span<const std::byte> bytes, std::string name) {
    if (bytes.empty()) {  // libzip would take it for an archive yet to be written
        fail_to_open(name, ZIP_ER_NOZIP);
    }
    ZipError error;
    zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, error.get());
    zip_t* archive = source == nullptr
                         ? nullptr
                         : zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, error.get());
    if (archive == nullptr) {
        zip_source_free(source);
        fail_to_open(name, zip_error_code_zip(error.get()));
    }
    const auto read = [&](Index first, Index count) {
        const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return std::string(all.substr(static_cast<std::size_t>(std::max<Index>(first, 0)),
                                      static_cast<std::size_t>(count)));
    };
    ZipReader reader(std::move(name), archive);
    require_one_archive(read, static_cast<Index>(bytes.size()), reader.name());
    return reader;
}

void ZipReader::list_members() {
    const Index count = zip_get_num_entries(archive_.get(), 0);
    for (Index i = 0; i < count; ++i) {
        const auto index = static_cast<zip_uint64_t>(i);
        zip_stat_t stat;
        zip_stat_init(&stat);
        const char* raw = zip_get_name(archive_.get(), index, ZIP_FL_ENC_RAW);
        require(raw != nullptr && zip_stat_index(archive_.get(), index, 0, &stat) == 0,
                "{}: the zip directory is damaged; write the file again",
                name_);
        ZipMember member{raw, 0, 0, i};
        constexpr auto kMost = static_cast<zip_uint64_t>(std::numeric_limits<Index>::max());
        if (stat.size > kMost || stat.comp_size > kMost) {
            fail(member, "declares a size beyond 2^63");
        }
        member.size = static_cast<Index>(stat.size);
        member.compressed_size = static_cast<Index>(stat.comp_size);
        members_.push_back(std::move(member));
    }
}

void fail_at_member(const std::string& archive, const ZipMember& member, std::string_view problem) {
    throw InvalidInput(formatted(
        "{}: member {} {}; write the file again", archive, in_quotes(member.name), problem));
}

void ZipReader::fail(const ZipMember& member, std::string_view problem) const {
    fail_at_member(name_, member, problem);
}

void ZipReader::check_declared(const ZipMember& member) const {
    zip_stat_t stat;
    zip_stat_init(&stat);
    zip_stat_index(archive_.get(), static_cast<zip_uint64_t>(member.index), 0, &stat);
    if (stat.encryption_method != ZIP_EM_NONE) {
        fail(member, "is encrypted, expected plain data");
    }
    if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE) {
        fail(
            member,
            formatted("uses compression method {}, expected stored or deflated", stat.comp_method));
    }
    const bool possible = stat.comp_method == ZIP_CM_STORE
                              ? member.size == member.compressed_size
                              : member.size / kLargestDeflateRatio <= member.compressed_size;
    if (!possible) {
        fail(member,
             formatted("declares {} bytes, which {} compressed bytes cannot hold",
                       member.size,
                       member.compressed_size));
    }
}

// Reads `count` bytes; when that is the whole member, also past its end, where libzip compares size
// and CRC.
std::vector<std::byte> ZipReader::inflate(const ZipMember& member, Index count) const {
    const OpenMember file(
        zip_fopen_index(archive_.get(), static_cast<zip_uint64_t>(member.index), 0));
    if (!file) {
        fail(member, formatted("cannot be read: {}", zip_strerror(archive_.get())));
    }
    std::vector<std::byte> bytes(static_cast<std::size_t>(count));
    std::size_t filled = 0;
    while (filled < bytes.size()) {
        const Index got = zip_fread(file.get(), bytes.data() + filled, bytes.size() - filled);
        if (got < 0) {
            fail(member, formatted("cannot be read: {}", zip_file_strerror(file.get())));
        }
        if (got == 0) {
            fail(member, formatted("holds {} bytes, expected {}", filled, member.size));
        }
        filled += static_cast<std::size_t>(got);
    }
    if (count == member.size) {
        std::byte beyond{};
        const Index got = zip_fread(file.get(), &beyond, 1);
        if (got < 0) {
            fail(member, formatted("cannot be read: {}", zip_file_strerror(file.get())));
        }
        if (got > 0) {
            fail(member, formatted("holds more than the {} bytes it declares", member.size));
        }
    }
    return bytes;
}

std::vector<std::byte> ZipReader::read(const ZipMember& member) const {
    check_declared(member);
    require_memory(static_cast<double>(member.size),
                   formatted("{}: member {}", name_, in_quotes(member.name)),
                   "use a smaller file or a larger machine");
    return inflate(member, member.size);
}

ZipStream ZipReader::stream(const ZipMember& member, MemberCheck check) const {
    check_declared(member);
    return {archive_.get(), name_, member, check};
}

std::vector<std::byte> ZipReader::head(const ZipMember& member, Index count) const {
    check_declared(member);
    return inflate(member, std::min(count, member.size));
}

void ZipStream::Close::operator()(zip_file* member) const {
    zip_fclose(member);
}

ZipStream::ZipStream(zip* archive, std::string archive_name, ZipMember member, MemberCheck check)
    : archive_(archive),
      archive_name_(std::move(archive_name)),
      member_(std::move(member)),
      is_checked_(check == MemberCheck::done) {
    zip_stat_t stat;
    zip_stat_init(&stat);
    zip_stat_index(archive_, static_cast<zip_uint64_t>(member_.index), 0, &stat);
    is_stored_ = stat.comp_method == ZIP_CM_STORE;
}

void ZipStream::fail(std::string_view problem) const {
    fail_at_member(archive_name_, member_, problem);
}

void ZipStream::open() {
    file_.reset(zip_fopen_index(archive_, static_cast<zip_uint64_t>(member_.index), 0));
    if (!file_) {
        fail(formatted("cannot be read: {}", zip_strerror(archive_)));
    }
    at_ = 0;
}

void ZipStream::read_on(std::span<std::byte> to) {
    while (!to.empty()) {
        const Index got = zip_fread(file_.get(), to.data(), to.size());
        if (got < 0) {
            fail(formatted("cannot be read: {}", zip_file_strerror(file_.get())));
        }
        if (got == 0) {
            fail(formatted("holds {} bytes, expected {}", at_, member_.size));
        }
        at_ += got;
        to = to.subspan(static_cast<std::size_t>(got));
    }
}

/// libzip computes the CRC as long as nothing is jumped over, so that jumps are for later passes.
void ZipStream::go_to(Index first) {
    if (!file_) {
        open();
    }
    if (first == at_) {
        return;
    }
    if (is_stored_ && (is_checked_ || first < at_)) {
        if (zip_fseek(file_.get(), first, SEEK_SET) != 0) {
            fail(formatted("cannot be read: {}", zip_file_strerror(file_.get())));
        }
        at_ = first;
        return;
    }
    if (first < at_) {
        open();
    }
    std::array<std::byte, 65536> passed{};
    while (at_ < first) {
        const Index count = std::min<Index>(std::ssize(passed), first - at_);
        read_on(std::span(passed).first(static_cast<std::size_t>(count)));
    }
}

/// Past the end, where libzip compares size and CRC.
void ZipStream::finish() {
    std::byte beyond{};
    const Index got = zip_fread(file_.get(), &beyond, 1);
    if (got < 0) {
        fail(formatted("cannot be read: {}", zip_file_strerror(file_.get())));
    }
    if (got > 0) {
        fail(formatted("holds more than the {} bytes it declares", member_.size));
    }
    is_checked_ = true;
    file_.reset();
}

void ZipStream::read(Index first, std::span<std::byte> to) {
    const auto count = static_cast<Index>(to.size());
    ensure(first >= 0 && count <= member_.size && first <= member_.size - count,
           "ZipStream: a range beyond the member");
    go_to(first);
    read_on(to);
    if (at_ == member_.size) {
        finish();
    }
}

void require_one_archive(const ReadBytes& read, Index size, const std::string& name) {
    const std::string end = read(size - kEndSize, kEndSize);
    require(end.substr(0, 4) == "PK\x05\x06" && number(end, 20, 2) == 0,
            "{}: is no zip archive, is cut short, or has a comment or bytes behind it, expected an "
            ".npz file; write it with numpy.savez",
            name);
    const Directory found = find_directory(read, size, end, name);
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
