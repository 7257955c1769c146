#pragma once

#include <chrono>
#include <ctime>

namespace attest {

/// Seconds since it was made, on the wall and of this process's processors.
class Timer {
public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - wall_).count();
    }

    [[nodiscard]] double cpu_seconds() const {
        return static_cast<double>(std::clock() - processor_) / CLOCKS_PER_SEC;
    }

private:
    std::chrono::steady_clock::time_point wall_ = std::chrono::steady_clock::now();
    std::clock_t processor_ = std::clock();
};

}  // namespace attest
