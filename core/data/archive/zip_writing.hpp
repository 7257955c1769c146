#pragma once

#include <zip.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

enum class Compression : std::uint8_t { stored, deflated };

[[nodiscard]] std::string_view to_string(Compression compression);

/// A member to be written: bytes, then numbers as they lie in memory, of which no copy is made.
struct ZipContent {
    std::string name;
    std::vector<std::byte> bytes;
    std::vector<double> numbers = {};
};

/// Hands the archive of these members (at least one) to `sink`, piece by piece. Times are fixed
/// (1980-01-01): the same members give the same bytes.
void write_zip(const std::vector<ZipContent>& members,
               Compression compression,
               const std::function<void(std::span<const std::byte>)>& sink);

// For zip_reader.cpp and zip_writer.cpp only.

/// libzip's error record, released with its scope.
class ZipError {
public:
    ZipError() { zip_error_init(&error_); }

    explicit ZipError(int code) { zip_error_init_with_code(&error_, code); }

    ZipError(const ZipError&) = delete;
    ZipError& operator=(const ZipError&) = delete;
    ZipError(ZipError&&) = delete;
    ZipError& operator=(ZipError&&) = delete;

    ~ZipError() { zip_error_fini(&error_); }

    [[nodiscard]] zip_error_t* get() { return &error_; }

private:
    zip_error_t error_{};
};

}  // namespace attest
