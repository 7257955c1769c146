#include "core/base/parallel.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace attest {
namespace {

RC_GTEST_PROP(ParallelFor, CallsEveryTaskExactlyOnce, ()) {
    const auto count = *rc::gen::inRange<Index>(0, 200);
    const auto threads = *rc::gen::inRange(-1, 9);
    std::vector<std::atomic<int>> calls(static_cast<std::size_t>(count));

    parallel_for(count, threads, [&](Index i) { ++calls.at(static_cast<std::size_t>(i)); });

    for (const std::atomic<int>& number : calls) {
        RC_ASSERT(number.load() == 1);
    }
}

TEST(ParallelFor, HandsOutNoTaskTwiceWhenThreadsCollide) {
    // Once all four threads are at work: many short tasks, so that they meet at the counter all the
    // time.
    std::atomic<int> begun{0};
    std::vector<std::atomic<int>> calls(200000);

    parallel_for(200000, 4, [&](Index i) {
        ++calls.at(static_cast<std::size_t>(i));
        ++begun;
        while (begun.load() < 4) {
            std::this_thread::yield();
        }
    });

    EXPECT_TRUE(std::all_of(calls.begin(), calls.end(), [](const std::atomic<int>& number) {
        return number.load() == 1;
    }));
}

TEST(ParallelFor, RunsInOrderOnTheCallingThreadWhenOneThreadIsAllowed) {
    std::vector<Index> order;
    std::set<std::thread::id> ids;

    parallel_for(4, 1, [&](Index i) {
        order.push_back(i);
        ids.insert(std::this_thread::get_id());
    });

    EXPECT_EQ(order, (std::vector<Index>{0, 1, 2, 3}));
    EXPECT_EQ(ids, std::set<std::thread::id>{std::this_thread::get_id()});
}

TEST(ParallelFor, UsesAsManyThreadsAsAllowed) {
    // Each task waits until three have begun: with fewer than three threads this would never end.
    std::atomic<int> begun{0};

    parallel_for(3, 3, [&](Index) {
        ++begun;
        while (begun.load() < 3) {
            std::this_thread::yield();
        }
    });

    EXPECT_EQ(begun.load(), 3);
}

TEST(ParallelFor, NeverRunsMoreThreadsThanAllowed) {
    std::mutex guard;
    std::set<std::thread::id> ids;

    parallel_for(500, 3, [&](Index) {
        const std::lock_guard lock(guard);
        ids.insert(std::this_thread::get_id());
    });

    EXPECT_LE(ids.size(), 3U);
}

RC_GTEST_PROP(ParallelFor, RethrowsTheFailureOfLowestIndex, ()) {
    const auto threads = *rc::gen::inRange(1, 6);
    const auto first_failure = *rc::gen::inRange<Index>(0, 50);

    try {
        parallel_for(60, threads, [&](Index i) {
            if (i >= first_failure) {
                throw std::runtime_error(std::to_string(i));
            }
        });
        RC_FAIL("nothing was thrown");
    } catch (const std::runtime_error& error) {
        RC_ASSERT(error.what() == std::to_string(first_failure));
    }
}

TEST(ParallelFor, StartsNoTaskAfterAFailureIsKnown) {
    Index last = -1;

    EXPECT_THROW(parallel_for(100,
                              1,
                              [&](Index i) {
                                  last = i;
                                  if (i == 5) {
                                      throw std::runtime_error("five");
                                  }
                              }),
                 std::runtime_error);

    EXPECT_EQ(last, 5);
}

}  // namespace
}  // namespace attest
