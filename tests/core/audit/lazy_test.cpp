#include "core/audit/lazy.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace attest {
namespace {

TEST(Lazy, IsComputedOnceByWhicheverThreadAsksFirst) {
    Lazy<int> value;
    std::atomic<int> made = 0;
    std::vector<std::thread> threads;

    for (int t = 0; t < 8; ++t) {
        threads.emplace_back([&] { EXPECT_EQ(value.get([&] { return 41 + ++made; }), 42); });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }

    EXPECT_EQ(made, 1);
}

TEST(Lazy, StaysUnknownWhereItsComputationThrows) {
    Lazy<int> value;

    EXPECT_THROW((void)value.get([]() -> int { throw std::runtime_error("no"); }),
                 std::runtime_error);

    EXPECT_EQ(value.get([] { return 7; }), 7);
}

}  // namespace
}  // namespace attest
