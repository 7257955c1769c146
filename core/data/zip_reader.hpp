#pragma once

#include "core/base/shape.hpp"

#include <cstddef>
#include <cstdint>
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
