#include "core/base/temporary_directory.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp

#include <cerrno>
#include <system_error>

namespace attest {

namespace {

[[noreturn]] void fail(const std::string& what, const std::string& why) {
    throw EnvironmentFailure(formatted("temporary directory: {}: {}", what, why));
}

}  // namespace

TemporaryDirectory::TemporaryDirectory() {
    std::error_code failed;
    const std::filesystem::path parent = std::filesystem::temp_directory_path(failed);
    if (failed) {
        fail("no place for temporary files", failed.message());
    }
    std::string name = (parent / "attest-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
        fail(name, std::system_category().message(errno));
    }
    path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace attest
