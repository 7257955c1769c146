#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace attest {

/// LD_LIBRARY_PATH that gives a process this BLAS of the distribution alone, openblas, blis or
/// reference: the library's own folder before that of the reference LAPACK, so that nothing maps a
/// second BLAS. `root` is where the distribution keeps libraries. Throws UnknownName, and
/// NotAvailable where the library is not installed.
[[nodiscard]] std::string blas_library_path(std::string_view name,
                                            const std::filesystem::path& root = "/usr/lib");

/// The last part of each mapped BLAS folder, joined by " + ": "openblas-pthread".
[[nodiscard]] std::string mapped_blas_name();

}  // namespace attest
