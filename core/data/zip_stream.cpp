#include "core/data/zip_stream.hpp"

#include "core/base/error.hpp"
#include "core/base/in_quotes.hpp"
#include "core/base/text.hpp"

#include <zip.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace attest {

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

}  // namespace attest
