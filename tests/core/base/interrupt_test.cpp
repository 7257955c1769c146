#include "core/base/interrupt.hpp"

#include <gtest/gtest.h>

#include <csignal>

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

    try {
        throw_if_interrupted("solve");
        FAIL() << "expected Interrupted";
    } catch (const Interrupted& error) {
        EXPECT_STREQ(error.what(), "solve: interrupted");
    }
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
