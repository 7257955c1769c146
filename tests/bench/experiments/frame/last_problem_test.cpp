#include "bench/experiments/frame/last_problem.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace attest {
namespace {

TEST(LastProblem, DrawsAgainOnlyForAnotherSetting) {
    int draws = 0;
    LastProblem<int, int> problems([&](int setting) {
        ++draws;
        return 10 * setting;
    });

    const auto first = problems.of(1);

    EXPECT_EQ(*first, 10);
    EXPECT_EQ(problems.of(1), first);
    EXPECT_EQ(draws, 1);
    EXPECT_EQ(*problems.of(2), 20);
    EXPECT_EQ(*first, 10) << "who holds a problem keeps it";
    EXPECT_NE(problems.of(1), first) << "only the last one is kept";
    EXPECT_EQ(draws, 3);
}

TEST(LastProblem, IsDrawnOnceForThreadsThatAskTogether) {
    std::atomic<int> draws = 0;
    LastProblem<int, int> problems([&](int setting) {
        ++draws;
        return setting;
    });
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&] { EXPECT_EQ(*problems.of(7), 7); });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }

    EXPECT_EQ(draws, 1);
}

}  // namespace
}  // namespace attest
