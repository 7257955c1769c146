#include "bench/experiments/solvers/blas_library.hpp"

#include "core/algebra/mapped_blas.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <array>

namespace attest {

namespace {

/// A BLAS in Debian: each package keeps libblas.so.3 in a folder of its own.
struct BlasLibrary {
    std::string_view name;
    std::string_view folder;
    std::string_view package;
};

constexpr std::array<BlasLibrary, 3> kLibraries{{
    {"openblas", "openblas-pthread", "libopenblas0-pthread"},
    {"blis", "blis-pthread", "libblis4-pthread"},
    {"reference", "blas", "libblas3"},
}};

/// root/ARCHITECTURE/folder where that holds the file; empty where none does.
std::filesystem::path find_folder(const std::filesystem::path& root,
                                  std::string_view folder,
                                  std::string_view file) {
    std::error_code ignored;
    for (const auto& architecture : std::filesystem::directory_iterator(root, ignored)) {
        std::filesystem::path candidate = architecture.path() / folder;
        if (std::filesystem::exists(candidate / file, ignored)) {
            return candidate;
        }
    }
    return {};
}

}  // namespace

std::string blas_library_path(std::string_view name, const std::filesystem::path& root) {
    for (const BlasLibrary& library : kLibraries) {
        if (library.name != name) {
            continue;
        }
        const std::filesystem::path blas = find_folder(root, library.folder, "libblas.so.3");
        const std::filesystem::path lapack = find_folder(root, "lapack", "liblapack.so.3");
        if (blas.empty() || lapack.empty()) {
            throw NotAvailable(formatted(
                "BLAS {} is not installed; apt-get install {} liblapack3", name, library.package));
        }
        return formatted("{}:{}", blas.string(), lapack.string());
    }
    throw UnknownName(formatted("BLAS: got '{}', expected openblas, blis or reference", name));
}

std::string mapped_blas_name() {
    std::string names;
    for (const std::string& folder : mapped_blas()) {
        names += formatted(
            "{}{}", names.empty() ? "" : " + ", std::filesystem::path(folder).filename().string());
    }
    return names;
}

}  // namespace attest
