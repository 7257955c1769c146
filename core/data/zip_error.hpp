#pragma once

// For zip_reader.cpp and zip_writer.cpp only.

#include <zip.h>

namespace attest {

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
