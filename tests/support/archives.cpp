#include "tests/support/archives.hpp"

#include "core/base/error.hpp"

#include <zlib.h>

#include <cstdint>

namespace attest::test {

namespace {

// Places in the headers (APPNOTE.TXT 6.3 §4.3.7, §4.3.12, §4.3.16).
constexpr std::size_t kLocalMethod = 8;
constexpr std::size_t kLocalSizes = 18;
constexpr std::size_t kLocalExtra = 28;
constexpr std::size_t kLocalName = 30;
constexpr std::size_t kRecordExtra = 30;
constexpr std::size_t kRecordOffset = 42;
constexpr std::size_t kEndCount = 10;
constexpr std::size_t kEndSize = 12;
constexpr std::size_t kEndOffset = 16;
constexpr std::size_t kEndComment = 20;

std::string number(std::size_t value, int width) {
    std::string bytes;
    for (int i = 0; i < width; ++i) {
        bytes += static_cast<char>(value >> (8 * i) & 0xff);
    }
    return bytes;
}

/// An archive of one member, with the places of its three parts.
struct Archive {
    explicit Archive(const std::vector<RawMember>& members) : bytes(raw_zip(members)) {}

    [[nodiscard]] std::size_t record() const { return bytes.find("PK\x01\x02"); }

    [[nodiscard]] std::size_t end() const { return bytes.rfind("PK\x05\x06"); }

    Archive& set(std::size_t at, std::size_t value, int width) {
        bytes.replace(at, static_cast<std::size_t>(width), number(value, width));
        return *this;
    }

    /// Moves the directory back by as many bytes as are put before it.
    Archive& before_record(const std::string& more) {
        const std::size_t start = record();
        bytes.insert(start, more);
        return set(end() + kEndOffset, start + more.size(), 4);
    }

    /// Makes the record of the directory longer.
    Archive& behind_record(const std::string& more) {
        const std::size_t size = end() - record() + more.size();
        bytes.insert(end(), more);
        return set(end() + kEndSize, size, 4);
    }

    std::string bytes;
};

Archive with_extra(const std::vector<RawMember>& members, const std::string& extra) {
    Archive archive(members);
    archive.set(archive.record() + kRecordExtra, extra.size(), 2);
    return archive.behind_record(extra);
}

/// As numpy.savez writes it: the sizes of the local header are in a zip64 field.
Archive like_numpy(const std::string& name, const std::string& npy) {
    Archive archive({stored_member(name, npy)});
    archive.bytes.replace(kLocalSizes, 8, std::string(8, '\xff'));
    archive.set(kLocalExtra, 20, 2);
    const std::string extra =
        number(1, 2) + number(16, 2) + number(npy.size(), 8) + number(npy.size(), 8);
    archive.bytes.insert(kLocalName + name.size(), extra);
    return archive.set(archive.end() + kEndOffset, archive.record(), 4);
}

/// As numpy.savez writes it to a pipe: the sizes follow the data.
Archive streamed(const std::string& name, const std::string& npy) {
    RawMember member = deflated_member(name, npy);
    member.flags = 8;
    Archive archive({member});
    archive.bytes.replace(kLocalSizes - 4, 12, std::string(12, '\0'));
    return archive.before_record("PK\x07\x08" + number(member.crc, 4) +
                                 number(member.compressed_size, 4) + number(member.size, 4));
}

Archive two_names(const std::string& name, const std::string& npy) {
    // Another reader goes by this field (APPNOTE.TXT §4.6.9); its checksum is that of the name.
    const std::string field = number(1, 1) + number(stored_member("", name).crc, 4) + "other.npy";
    return with_extra({stored_member(name, npy)},
                      number(0x7075, 2) + number(field.size(), 2) + field);
}

Archive shifted(const std::string& name, const std::string& npy) {
    Archive archive({stored_member(name, npy)});
    const std::string junk = "#!/bin/sh\n";
    archive.bytes.insert(0, junk);
    archive.set(archive.record() + kRecordOffset, junk.size(), 4);
    return archive.set(archive.end() + kEndOffset, archive.record(), 4);
}

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

std::vector<OddArchive> odd_archives(const std::string& key,
                                     const std::string& npy,
                                     const std::string& other) {
    const std::string name = key + ".npy";
    const Archive plain({stored_member(name, npy)});
    const std::string zip = plain.bytes;
    const std::string other_zip = raw_zip({stored_member(name, other)});
    std::string renamed = zip;
    renamed[kLocalName] = '_';
    const auto changed = [&](std::size_t at, std::size_t value, int width) {
        return Archive(plain).set(at, value, width).bytes;
    };
    RawMember encrypted = stored_member(name, npy);
    encrypted.flags = 1;
    RawMember wrong = stored_member(name, npy);
    wrong.crc ^= 1U;
    RawMember forged = deflated_member(name, npy);
    forged.size = 0x7fffffff;
    RawMember longer = stored_member(name, npy);
    ++longer.size;
    return {
        {"one member", zip, true},
        {"one deflated member", raw_zip({deflated_member(name, npy)}), true},
        {"sizes in a zip64 field of the local header", like_numpy(name, npy).bytes, true},
        {"sizes behind the data", streamed(name, npy).bytes, true},
        {"a member that is no array",
         raw_zip({stored_member("README", "x"), stored_member(name, npy)}),
         true},
        {"times in an extra field",
         with_extra({stored_member(name, npy)}, "UT" + number(1, 2) + "\1").bytes,
         true},
        {"a zip behind another", other_zip + zip, false},
        {"a zip behind itself", zip + zip, false},
        {"bytes before", "#!/bin/sh\n" + zip, false},
        {"bytes before, and offsets that count them", shifted(name, npy).bytes, false},
        {"bytes behind", zip + '\0', false},
        {"a comment", changed(plain.end() + kEndComment, 2, 2) + "hi", false},
        {"a zip in the comment",
         changed(plain.end() + kEndComment, other_zip.size(), 2) + other_zip,
         false},
        {"a member too many in the end record", changed(plain.end() + kEndCount, 2, 2), false},
        {"another name in the local header", renamed, false},
        {"another size in the local header", changed(kLocalSizes, npy.size() - 1, 4), false},
        {"another method in the local header", changed(kLocalMethod, 8, 2), false},
        {"a zero in the name", raw_zip({stored_member(name + std::string("\0x", 2), npy)}), false},
        {"a second name in an extra field", two_names(name, npy).bytes, false},
        {"two members of one name",
         raw_zip({stored_member(name, npy), stored_member(name, other)}),
         false},
        {"two members of another name",
         raw_zip({stored_member(name, npy), stored_member("a", ""), stored_member("a", "")}),
         false},
        {"a member without .npy beside it",
         raw_zip({stored_member(name, npy), stored_member(key, other)}),
         false},
        {"a member without .npy in its place", raw_zip({stored_member(key, npy)}), false},
        {"encrypted", raw_zip({encrypted}), false},
        {"a wrong checksum", raw_zip({wrong}), false},
        {"a forged size", raw_zip({forged}), false},
        {"a stored member of two sizes", raw_zip({longer}), false},
    };
}

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
