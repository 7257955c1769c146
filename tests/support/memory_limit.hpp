#pragma once

#include <stdlib.h>

#include <optional>
#include <string>

namespace attest::test {

/// While it lives, the process may use this many bytes (ATTEST_MEMORY_LIMIT).
class MemoryLimit {
public:
    explicit MemoryLimit(long bytes) {
        const char* before = getenv("ATTEST_MEMORY_LIMIT");
        if (before != nullptr) {
            before_ = before;
        }
        setenv("ATTEST_MEMORY_LIMIT", std::to_string(bytes).c_str(), 1);
    }

    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;
    MemoryLimit(MemoryLimit&&) = delete;
    MemoryLimit& operator=(MemoryLimit&&) = delete;

    ~MemoryLimit() {
        if (before_) {
            setenv("ATTEST_MEMORY_LIMIT", before_->c_str(), 1);
        } else {
            unsetenv("ATTEST_MEMORY_LIMIT");
        }
    }

private:
    std::optional<std::string> before_;
};

}  // namespace attest::test
