#include "core/algebra/mapped_blas.hpp"

#include "core/algebra/lapack.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <mutex>
#include <set>
#include <sstream>
#include <string_view>

namespace attest {

namespace {

bool is_blas(std::string_view file) {
    // liblapacke and liblapack only call BLAS; OpenBLAS's own liblapack.so.3 maps libopenblas or is
    // it.
    static constexpr std::array<std::string_view, 5> kNames{
        "libblas", "libopenblas", "libblis", "libatlas", "libmkl"};
    return std::any_of(kNames.begin(), kNames.end(), [&](std::string_view name) {
        return file.substr(0, name.size()) == name;
    });
}

/// The scopes open now, and what the BLAS had before the first of them.
struct OpenScopes {
    std::mutex mutex;
    int count = 0;
    int before = 1;
};

OpenScopes& open_scopes() {
    static OpenScopes scopes;
    return scopes;
}

}  // namespace

std::vector<std::string> blas_folders_in(const std::string& maps) {
    std::set<std::string> found;
    std::istringstream lines(maps);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t path = line.find('/');
        if (path == std::string::npos) {
            continue;
        }
        const std::size_t name = line.rfind('/') + 1;
        if (is_blas(std::string_view(line).substr(name))) {
            found.insert(line.substr(path, name - 1 - path));
        }
    }
    return {found.begin(), found.end()};
}

std::vector<std::string> mapped_blas() {
    std::ifstream maps("/proc/self/maps");
    std::ostringstream text;
    text << maps.rdbuf();
    return blas_folders_in(text.str());
}

ScopedBlasThreads::ScopedBlasThreads(int threads) {
    OpenScopes& scopes = open_scopes();
    const std::lock_guard lock(scopes.mutex);
    const int now = lapack_info().threads;
    if (scopes.count++ == 0) {
        scopes.before = now;
    }
    if (now != threads) {
        set_blas_threads(threads);
    }
}

ScopedBlasThreads::~ScopedBlasThreads() {
    OpenScopes& scopes = open_scopes();
    const std::lock_guard lock(scopes.mutex);
    // To set the number that is set would start threads that wait.
    if (--scopes.count == 0 && lapack_info().threads != scopes.before) {
        set_blas_threads(scopes.before);
    }
}

}  // namespace attest
