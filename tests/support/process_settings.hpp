#pragma once

#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): POSIX names
#include <sys/resource.h>

#include <csignal>
#include <optional>
#include <string>

namespace attest::test {

/// While it lives, the environment variable has this value.
class EnvironmentVariable {
public:
    EnvironmentVariable(std::string name, const std::string& value) : name_(std::move(name)) {
        const char* before = getenv(name_.c_str());
        if (before != nullptr) {
            before_ = before;
        }
        setenv(name_.c_str(), value.c_str(), 1);
    }

    EnvironmentVariable(const EnvironmentVariable&) = delete;
    EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;
    EnvironmentVariable(EnvironmentVariable&&) = delete;
    EnvironmentVariable& operator=(EnvironmentVariable&&) = delete;

    ~EnvironmentVariable() {
        if (before_) {
            setenv(name_.c_str(), before_->c_str(), 1);
        } else {
            unsetenv(name_.c_str());
        }
    }

private:
    std::string name_;
    std::optional<std::string> before_;
};

/// While it lives, the process may use this many bytes.
class MemoryLimit {
public:
    explicit MemoryLimit(long bytes) : variable_("ATTEST_MEMORY_LIMIT", std::to_string(bytes)) {}

private:
    EnvironmentVariable variable_;
};

/// While it lives no file of this process can grow beyond `bytes`: what a full disk looks like.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) {
        getrlimit(RLIMIT_FSIZE, &before_);
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }

    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;
    FileSizeLimit(FileSizeLimit&&) = delete;
    FileSizeLimit& operator=(FileSizeLimit&&) = delete;

    ~FileSizeLimit() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

private:
    rlimit before_{};
    void (*handler_)(int) = nullptr;
};

}  // namespace attest::test
