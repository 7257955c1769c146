#pragma once

#include "core/data/zip_reader.hpp"

#include <memory>
#include <span>
#include <string>

struct zip_file;  // libzip's handle; <zip.h> is included in zip_stream.cpp

namespace attest {

/// One member of an archive, read by ranges: a stored one anywhere, a deflated one forwards, from
/// its start again for a range that lies before. A first pass from the first byte to the last
/// compares size and CRC with what the directory declares. Made by ZipReader::stream; the reader
/// must outlive it, and one thread at a time may use the streams of a reader.
class ZipStream {
public:
    ZipStream(zip* archive, std::string archive_name, ZipMember member, MemberCheck check);

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

}  // namespace attest
