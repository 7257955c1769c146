#include "core/data/archive/zip_writing.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <zip.h>

#include <array>
#include <memory>
#include <span>

namespace attest {

namespace {

constexpr Choices<Compression, 2> kCompressionNames{
    {{Compression::stored, "stored"}, {Compression::deflated, "deflated"}}};

struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};

struct FreeSource {
    void operator()(zip_source_t* source) const { zip_source_free(source); }
};

using Archive = std::unique_ptr<zip_t, Discard>;
using Source = std::unique_ptr<zip_source_t, FreeSource>;

constexpr zip_uint16_t kNewYear1980 = (1U << 5U) | 1U;  // the first day a zip archive can name
constexpr std::size_t kPiece = 1U << 16U;

void check_done(bool done, std::string_view why) {
    if (!done) {
        throw EnvironmentFailure(formatted("write_zip: the archive cannot be built: {}", why));
    }
}

// An archive that will be built in `target`; libzip takes one reference to it, the caller keeps his
// own.
Archive open_for_writing(const Source& target) {
    ZipError error;
    zip_source_keep(target.get());
    Archive archive(zip_open_from_source(target.get(), ZIP_TRUNCATE, error.get()));
    if (!archive) {
        zip_source_free(target.get());
        check_done(false, zip_error_strerror(error.get()));
    }
    return archive;
}

zip_buffer_fragment_t fragment_of(std::span<const std::byte> bytes) {
    // libzip's structure serves reading and writing, so that its pointer is not const.
    auto* const data = const_cast<std::byte*>(bytes.data());      // NOLINT(*-const-cast)
    return {reinterpret_cast<zip_uint8_t*>(data), bytes.size()};  // NOLINT(*-reinterpret-cast)
}

void add_member(zip_t* archive, const ZipContent& member, Compression compression) {
    const std::array fragments{fragment_of(member.bytes),
                               fragment_of(std::as_bytes(std::span(member.numbers)))};
    Source source(zip_source_buffer_fragment(archive, fragments.data(), fragments.size(), 0));
    check_done(source != nullptr, zip_strerror(archive));
    const zip_int64_t index =
        zip_file_add(archive, member.name.c_str(), source.get(), ZIP_FL_ENC_UTF_8);
    check_done(index >= 0, zip_strerror(archive));
    [[maybe_unused]] const zip_source_t* owned_by_archive = source.release();
    const auto at = static_cast<zip_uint64_t>(index);
    const zip_int32_t method = compression == Compression::stored ? ZIP_CM_STORE : ZIP_CM_DEFLATE;
    check_done(zip_set_file_compression(archive, at, method, 0) == 0 &&
                   zip_file_set_dostime(archive, at, 0, kNewYear1980, 0) == 0,
               zip_strerror(archive));
}

}  // namespace

std::string_view to_string(Compression compression) {
    return name_of(kCompressionNames, compression);
}

void write_zip(const std::vector<ZipContent>& members,
               Compression compression,
               const std::function<void(std::span<const std::byte>)>& sink) {
    require(!members.empty(), "write_zip: got no member, expected at least one");
    ZipError error;
    const Source target(zip_source_buffer_create(nullptr, 0, 0, error.get()));
    check_done(target != nullptr, zip_error_strerror(error.get()));
    Archive archive = open_for_writing(target);
    for (const ZipContent& member : members) {
        add_member(archive.get(), member, compression);
    }
    check_done(zip_close(archive.get()) == 0, zip_strerror(archive.get()));
    [[maybe_unused]] const zip_t* gone_with_close = archive.release();
    check_done(zip_source_open(target.get()) == 0, "it cannot be read back");
    std::vector<std::byte> piece(kPiece);
    zip_int64_t got = 0;
    while ((got = zip_source_read(target.get(), piece.data(), piece.size())) > 0) {
        sink({piece.data(), static_cast<std::size_t>(got)});
    }
    zip_source_close(target.get());
    check_done(got == 0, "it cannot be read back");
}

}  // namespace attest
