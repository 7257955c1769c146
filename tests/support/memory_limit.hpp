#pragma once

#include "tests/support/environment_variable.hpp"

namespace attest::test {

/// While it lives, the process may use this many bytes.
class MemoryLimit {
public:
    explicit MemoryLimit(long bytes) : variable_("ATTEST_MEMORY_LIMIT", std::to_string(bytes)) {}

private:
    EnvironmentVariable variable_;
};

}  // namespace attest::test
