#include "core/base/interrupt.hpp"

#include "core/base/parallel.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <string>
#include <thread>

namespace attest {
namespace {

TEST(StopScope, StopsWorkWithinItOnceItsTokenAsks) {
    StopToken token;
    const StopScope scope(&token);
    EXPECT_FALSE(interrupted());
    EXPECT_NO_THROW(throw_if_stopped("work"));

    token.request();

    EXPECT_TRUE(interrupted());
    EXPECT_THROW(throw_if_stopped("work"), Interrupted);
    EXPECT_THROW(throw_if_interrupted("work"), Interrupted);
}

TEST(StopScope, NamesTheWorkThatWasStopped) {
    StopToken token;
    token.request();
    const StopScope scope(&token);
    EXPECT_FAILS(Interrupted, "the sum: interrupted", throw_if_stopped("the sum"));
}

TEST(StopScope, EndsWithItsBlockAndGivesTheOuterTokenBack) {
    StopToken outer;
    StopToken inner;
    outer.request();
    const StopScope scope(&outer);
    {
        const StopScope shielded(&inner);
        EXPECT_FALSE(interrupted());
        EXPECT_EQ(StopScope::current(), &inner);
    }
    EXPECT_TRUE(interrupted());
    EXPECT_EQ(StopScope::current(), &outer);
}

TEST(StopScope, LeavesOtherThreadsAlone) {
    StopToken token;
    token.request();
    const StopScope scope(&token);
    bool other = true;
    std::thread([&] { other = interrupted(); }).join();
    EXPECT_FALSE(other);
}

TEST(StopScope, IsHandedOnToEveryThreadOfParallelFor) {
    StopToken token;
    const StopScope scope(&token);
    std::atomic<int> begun{0};
    std::atomic<int> handed{0};

    parallel_for(4, 4, [&](Index) {
        ++begun;
        while (begun.load() < 4) {
            std::this_thread::yield();  // so that each task has a thread of its own
        }
        handed += StopScope::current() == &token ? 1 : 0;
    });

    EXPECT_EQ(handed.load(), 4);
}

TEST(StopScope, StopsParallelForBeforeItsNextTask) {
    for (const int threads : {1, 4}) {
        StopToken token;
        const StopScope scope(&token);
        std::atomic<Index> begun{0};
        EXPECT_THROW(parallel_for(1000000,
                                  threads,
                                  [&](Index) {
                                      if (++begun == 100) {
                                          token.request();
                                      }
                                  }),
                     Interrupted);
        EXPECT_GE(begun.load(), 100);
        EXPECT_LT(begun.load(), 1000000);
    }
}

TEST(StopScope, ASignalsFlagAloneStopsNoParallelFor) {
    // What keeps the best so far polls that flag itself and has to finish.
    install_interrupt_handlers();
    ASSERT_EQ(raise(SIGINT), 0);
    Index done = 0;
    EXPECT_NO_THROW(parallel_for(10, 1, [&](Index) { ++done; }));
    clear_interrupt();
    EXPECT_EQ(done, 10);
}

}  // namespace
}  // namespace attest

namespace {

using attest::clear_interrupt;
using attest::install_interrupt_handlers;
using attest::Interrupted;
using attest::interrupted;
using attest::throw_if_interrupted;

class Interrupt : public testing::TestWithParam<int> {
protected:
    void SetUp() override { clear_interrupt(); }

    void TearDown() override {
        std::signal(GetParam(), SIG_DFL);
        clear_interrupt();
    }
};

TEST_P(Interrupt, FlagIsDownUntilTheFirstSignalAndDoesNotEndTheProcess) {
    install_interrupt_handlers();

    EXPECT_FALSE(interrupted());
    EXPECT_NO_THROW(throw_if_interrupted("loop"));

    ASSERT_EQ(std::raise(GetParam()), 0);

    EXPECT_TRUE(interrupted());
}

TEST_P(Interrupt, ThrowNamesWhatStopped) {
    install_interrupt_handlers();
    ASSERT_EQ(std::raise(GetParam()), 0);

    EXPECT_FAILS(Interrupted, "solve: interrupted", throw_if_interrupted("solve"));
}

TEST_P(Interrupt, SecondSignalMeetsTheDefaultAction) {
    EXPECT_EXIT(
        {
            install_interrupt_handlers();
            std::raise(GetParam());
            std::raise(GetParam());
            std::_Exit(0);
        },
        testing::KilledBySignal(GetParam()),
        "");
}

TEST_P(Interrupt, WithoutHandlersTheFirstSignalEndsTheProcess) {
    EXPECT_EXIT(
        {
            std::raise(GetParam());
            std::_Exit(0);
        },
        testing::KilledBySignal(GetParam()),
        "");
}

TEST_P(Interrupt, ClearedFlagIsDown) {
    install_interrupt_handlers();
    ASSERT_EQ(std::raise(GetParam()), 0);

    clear_interrupt();

    EXPECT_FALSE(interrupted());
}

INSTANTIATE_TEST_SUITE_P(Signals,
                         Interrupt,
                         testing::Values(SIGINT, SIGTERM),
                         [](const testing::TestParamInfo<int>& signal) {
                             return signal.param == SIGINT ? "SigInt" : "SigTerm";
                         });

}  // namespace
