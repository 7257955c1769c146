#include "record/directory_lock.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace attest {

namespace {

[[noreturn]] void fail(const std::filesystem::path& directory, const char* what, int code) {
    throw EnvironmentFailure(
        formatted("{}: {}: {}", directory.string(), what, std::system_category().message(code)));
}

int open_directory(const std::filesystem::path& directory) {
    std::error_code failed;
    std::filesystem::create_directories(directory, failed);
    if (failed) {
        fail(directory, "cannot make this directory", failed.value());
    }
    const int descriptor =
        open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);  // NOLINT(*-vararg)
    if (descriptor < 0) {
        fail(directory, "cannot open this directory", errno);
    }
    return descriptor;
}

}  // namespace

DirectoryLock::DirectoryLock(std::filesystem::path directory)
    : directory_(std::move(directory)), descriptor_(open_directory(directory_)) {
    if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) {
        return;
    }
    const int code = errno;
    close(descriptor_);
    if (code == EWOULDBLOCK) {
        throw EnvironmentFailure(
            formatted("{}: another run is writing here; wait for it or choose another directory",
                      directory_.string()));
    }
    fail(directory_, "cannot lock this directory", code);
}

DirectoryLock::~DirectoryLock() {
    close(descriptor_);
}

}  // namespace attest
