#include "tests/support/raw_zip.hpp"

#include "core/base/error.hpp"

#include <zlib.h>

namespace attest::test {

namespace {

std::string field(std::uint32_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) {
        text += static_cast<char>((value >> (8 * i)) & 0xffU);
    }
    return text;
}

// The part that the local and the central header share: version needed … length of the name.
std::string shared_fields(const RawMember& member) {
    const std::uint32_t version = 20;
    const std::uint32_t time = 0;
    const std::uint32_t date = 33;
    return field(version, 2) + field(member.flags, 2) + field(member.method, 2) + field(time, 2) +
           field(date, 2) + field(member.crc, 4) + field(member.compressed_size, 4) +
           field(member.size, 4) + field(static_cast<std::uint32_t>(member.name.size()), 2) +
           field(0, 2);
}

std::uint32_t checksum(const std::string& content) {
    return static_cast<std::uint32_t>(crc32(
        0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size())));
}

}  // namespace

RawMember stored_member(const std::string& name, const std::string& content) {
    const auto size = static_cast<std::uint32_t>(content.size());
    return {name, content, 0, 0, checksum(content), size, size};
}

RawMember deflated_member(const std::string& name, const std::string& content) {
    const int raw_deflate = -15;
    z_stream stream{};
    int code =
        deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, raw_deflate, 8, Z_DEFAULT_STRATEGY);
    ensure(code == Z_OK, "deflated_member: deflateInit2 failed");
    std::string data(deflateBound(&stream, content.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(data.data());
    stream.avail_out = static_cast<uInt>(data.size());
    code = deflate(&stream, Z_FINISH);
    data.resize(stream.total_out);
    deflateEnd(&stream);
    ensure(code == Z_STREAM_END, "deflated_member: deflate failed");
    return {name,
            data,
            8,
            0,
            checksum(content),
            static_cast<std::uint32_t>(data.size()),
            static_cast<std::uint32_t>(content.size())};
}

std::string raw_zip(const std::vector<RawMember>& members) {
    std::string archive;
    std::string directory;
    for (const RawMember& member : members) {
        const auto offset = static_cast<std::uint32_t>(archive.size());
        archive += "PK\x03\x04" + shared_fields(member) + member.name + member.data;
        directory += "PK\x01\x02" + field(20, 2) + shared_fields(member) + field(0, 2) +
                     field(0, 2) + field(0, 2) + field(0, 4) + field(offset, 4) + member.name;
    }
    const auto count = static_cast<std::uint32_t>(members.size());
    return archive + directory + "PK\x05\x06" + field(0, 4) + field(count, 2) + field(count, 2) +
           field(static_cast<std::uint32_t>(directory.size()), 4) +
           field(static_cast<std::uint32_t>(archive.size()), 4) + field(0, 2);
}

}  // namespace attest::test
