#include "cli/telling.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace attest::cli
