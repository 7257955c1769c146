#include "tests/proofs_check/checker/zip_bytes.hpp"

#include "tests/support/temporary_folder.hpp"

#include <zlib.h>

#include <fstream>
#include <initializer_list>
#include <string_view>

namespace attest::checker_test {

namespace {

/// A number in `width` bytes, least significant first; more than eight are zeros.
std::string bytes_of(std::uint64_t number, int width) {
    std::string bytes;
    for (int i = 0; i < width; ++i) {
        bytes += static_cast<char>(number & 0xff);
        number >>= 8;
    }
    return bytes;
}

std::string deflate_raw(const std::string& contents) {
    std::string packed(contents.size() + 64, '\0');
    z_stream stream{};
    deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(contents.data()));
    stream.avail_in = static_cast<uInt>(contents.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

void append(std::string& bytes, std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts) {
        bytes += part;
    }
}

}  // namespace

std::string zip_bytes(const std::vector<ZipEntry>& entries, Packing packing) {
    const bool wide = packing == Packing::stored_zip64;
    std::string file;
    std::string directory;
    for (const ZipEntry& entry : entries) {
        const bool deflated = packing == Packing::deflated;
        const std::string packed = deflated ? deflate_raw(entry.contents) : entry.contents;
        const auto crc = crc32_z(
            0, reinterpret_cast<const Bytef*>(entry.contents.data()), entry.contents.size());
        const std::string sizes = bytes_of(packed.size(), 4) + bytes_of(entry.contents.size(), 4);
        const std::string common = bytes_of(20, 2) + bytes_of(0, 2) +
                                   bytes_of(deflated ? 8 : 0, 2) + bytes_of(0, 4) +
                                   bytes_of(crc, 4);
        const std::string name_size = bytes_of(entry.name.size(), 2);
        const std::string moved = bytes_of(0xffffffff, 4);
        const std::string extra = !wide ? ""
                                        : bytes_of(1, 2) + bytes_of(24, 2) +
                                              bytes_of(entry.contents.size(), 8) +
                                              bytes_of(packed.size(), 8) + bytes_of(file.size(), 8);
        append(directory,
               {"PK\1\2",
                bytes_of(20, 2),
                common,
                wide ? moved + moved : sizes,
                name_size,
                bytes_of(extra.size(), 2),
                bytes_of(0, 10),
                wide ? moved : bytes_of(file.size(), 4),
                entry.name,
                extra});
        append(file, {"PK\3\4", common, sizes, name_size, bytes_of(0, 2), entry.name, packed});
    }
    const std::uint64_t start = file.size();
    const std::uint64_t count = entries.size();
    file += directory;
    if (wide) {
        const std::uint64_t record = file.size();
        file += "PK\6\6" + bytes_of(44, 8) + bytes_of(45, 2) + bytes_of(45, 2) + bytes_of(0, 8) +
                bytes_of(count, 8) + bytes_of(count, 8) + bytes_of(directory.size(), 8) +
                bytes_of(start, 8);
        file += "PK\6\7" + bytes_of(0, 4) + bytes_of(record, 8) + bytes_of(1, 4);
    }
    return file + "PK\5\6" + bytes_of(0, 4) + bytes_of(wide ? 0xffff : count, 2) +
           bytes_of(wide ? 0xffff : count, 2) + bytes_of(directory.size(), 4) +
           bytes_of(wide ? 0xffffffff : start, 4) + bytes_of(0, 2);
}

std::string npy_bytes(const std::string& type,
                      const std::string& shape,
                      const std::string& values,
                      const std::string& fortran_order) {
    std::string header = "{'descr': '" + type + "', 'fortran_order': " + fortran_order +
                         ", 'shape': " + shape + ", }";
    header += std::string((118 - header.size()) % 64, ' ') + '\n';
    return "\x93NUMPY" + bytes_of(1, 2) + bytes_of(header.size(), 2) + header + values;
}

ZipEntry integer_list(const std::string& name, const std::vector<std::int64_t>& values) {
    const std::string shape = "(" + std::to_string(values.size()) + ",)";
    return {name + ".npy", npy_bytes("<i8", shape, raw(values))};
}

std::string write_file(const std::string& name, const std::string& bytes) {
    static const test::TemporaryFolder folder;
    std::string path = folder.file(name);
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
}

}  // namespace attest::checker_test
