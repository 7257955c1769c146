#pragma once

#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): POSIX names

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

}  // namespace attest::test
