#pragma once

#include "core/base/shape.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct zip;  // libzip's handle; <zip.h> is included in zip_*.cpp only

namespace attest {

class ZipStream;

/// Whether a member's CRC has been compared in an earlier pass.
enum class MemberCheck : std::uint8_t { to_do, done };

/// What the directory of a zip archive declares about one member; the sizes may be lies.
struct ZipMember {
    std::string name;
    Index size = 0;
    Index compressed_size = 0;
    Index index = 0;  ///< place in the directory
};

/// A zip archive opened for reading, zip64 included. Members are stored or deflated. Everything
/// that is wrong with an archive is an InvalidInput that starts with name().
class ZipReader {
public:
    /// Throws InvalidInput when the file is absent, unreadable, no regular file or no consistent
    /// archive, or when two members have one name.
    [[nodiscard]] static ZipReader open(const std::string& path);
    /// The same for an archive in memory, which must outlive the reader.
    [[nodiscard]] static ZipReader from_bytes(std::span<const std::byte> bytes, std::string name);

    [[nodiscard]] const std::string& name() const { return name_; }

    [[nodiscard]] const std::vector<ZipMember>& members() const { return members_; }

    /// The whole member, checked against its declared size and CRC. Refuses a size no compression
    /// of that many bytes could have, and (EnvironmentFailure) one beyond the memory limit, before
    /// allocating.
    [[nodiscard]] std::vector<std::byte> read(const ZipMember& member) const;
    /// The member's first bytes, at most `count`, unchecked.
    [[nodiscard]] std::vector<std::byte> head(const ZipMember& member, Index count) const;
    /// The member to be read by ranges; see zip_stream.hpp. Refuses what read() refuses before
    /// reading, but for the memory.
    [[nodiscard]] ZipStream stream(const ZipMember& member, MemberCheck check) const;

private:
    struct Close {
        void operator()(zip* archive) const;
    };

    ZipReader(std::string name, zip* archive);
    void list_members();
    void check_declared(const ZipMember& member) const;
    [[nodiscard]] std::vector<std::byte> inflate(const ZipMember& member, Index count) const;
    [[noreturn]] void fail(const ZipMember& member, std::string_view problem) const;

    std::string name_;
    std::unique_ptr<zip, Close> archive_;
    std::vector<ZipMember> members_;
};

/// Throws InvalidInput: what is wrong with a member of an archive, and to write the file again.
[[noreturn]] void fail_at_member(const std::string& archive,
                                 const ZipMember& member,
                                 std::string_view problem);

}  // namespace attest

struct zip_file;  // libzip's handle; <zip.h> is included in zip_stream.cpp

namespace attest {

/// One member of an archive, read by ranges: a stored one anywhere, a deflated one forwards, from
/// its start again for a range that lies before. A first pass from the first byte to the last
/// compares size and CRC with what the directory declares. Made by ZipReader::stream; the reader
/// must outlive it, and one thread at a time may use the streams of a reader.
class ZipStream {
public:
    ZipStream(zip* archive, std::string archive_name, ZipMember member, MemberCheck check);

    /// Not deflated.
    [[nodiscard]] bool is_stored() const { return is_stored_; }

    /// The bytes from `first` on, as many as `to` has. Throws InvalidInput where the member ends
    /// before, cannot be inflated, or is not what the directory declares.
    void read(Index first, std::span<std::byte> to);

private:
    struct Close {
        void operator()(zip_file* member) const;
    };

    void open();
    void go_to(Index first);
    void read_on(std::span<std::byte> to);
    void finish();
    [[noreturn]] void fail(std::string_view problem) const;

    zip* archive_;
    std::string archive_name_;
    ZipMember member_;
    bool is_checked_;
    bool is_stored_ = false;
    std::unique_ptr<zip_file, Close> file_;
    Index at_ = 0;  ///< where file_ reads next
};

/// The bytes [first, first + count) of a file, fewer where it ends.
using ReadBytes = std::function<std::string(Index first, Index count)>;

/// Throws InvalidInput unless the file is one zip archive from its first byte to its last, with one
/// name for each member: else readers of zip files find different archives or names in it. What
/// libzip checks by itself is left to it.
void require_one_archive(const ReadBytes& read, Index size, const std::string& name);

}  // namespace attest
