#include "core/data/zip_reader.hpp"

#include "core/base/error.hpp"
#include "core/base/in_quotes.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/data/zip_error.hpp"
#include "core/data/zip_layout.hpp"
#include "core/data/zip_stream.hpp"

#include <zip.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
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
    ZipReader reader(name, archive);
    require_one_archive(read, static_cast<Index>(bytes.size()), name);
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

}  // namespace attest
