#include "cli/telling.hpp"

#include "core/base/interrupt.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <string>

namespace attest::cli {
namespace {

TEST(Telling, NamesTheStageAndHowFarItIs) {
    EXPECT_EQ(progress_words({"rank", 1200, 3000}, 14.2), "rank 1200 of 3000, 14 s");
    EXPECT_EQ(progress_words({"primes", 4, 0}, 3.0), "primes 4, 3 s");
    EXPECT_EQ(progress_words({}, 2.4), "2 s");
}

TEST(Telling, WhatIsQuickPrintsNothingAndGivesItsValue) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(told("audit",
                   [] {
                       note_progress("rank", 1, 2);
                       return 7;
                   }),
              7);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Telling, SaysBeforehandWhatKeepsSomebodyWaiting) {
    testing::internal::CaptureStderr();
    tell_beforehand("learn", 1.0, "about 1 s");
    tell_beforehand("certify", 40.0, "at most about 40 s: rank 8 s");
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "attest certify: at most about 40 s: rank 8 s\n");
}

TEST(Telling, SaysHowLongInPlainWords) {
    testing::internal::CaptureStderr();
    tell_beforehand("probe", 1.9);
    tell_beforehand("probe", 75.0);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "attest probe: about 1 min 15 s\n");
}

/// The first signal stops the work where it polls, and the caller learns that nothing came of it.
TEST(Telling, StopsItsWorkAtASignal) {
    const auto stopped = [](const auto& work) {
        std::string message;
        try {
            (void)told("audit", work);
        } catch (const Interrupted& error) {
            message = error.what();
        }
        clear_interrupt();
        return message;
    };
    bool went_on = false;
    EXPECT_EQ(stopped([&went_on] {
                  (void)std::raise(SIGINT);
                  throw_if_stopped("null_space");
                  went_on = true;
                  return 7;
              }),
              kStopped);
    EXPECT_FALSE(went_on);
    EXPECT_EQ(stopped([] {
                  (void)std::raise(SIGTERM);
                  return 7;
              }),
              kStopped)
        << "work that does not poll";
    EXPECT_EQ(told("audit", [] { return 7; }), 7) << "and not the next one";
}

}  // namespace
}  // namespace attest::cli
