#include "core/base/side_by_side.hpp"

#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <new>

namespace attest::test {
namespace {

using Parts = std::vector<std::function<std::string()>>;

/// What they print and return.
std::pair<std::string, std::vector<std::string>> run(const Parts& parts, int jobs) {
    testing::internal::CaptureStdout();
    std::vector<std::string> answers = run_side_by_side(parts, jobs);
    return {testing::internal::GetCapturedStdout(), answers};
}

TEST(SideBySide, OutputsAndAnswersComeInTheOrderOfThePartsWhateverEndsFirst) {
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    const Parts parts{[&] {
                          std::cout << "first, ";
                          char byte = 0;
                          EXPECT_EQ(read(ends[0], &byte, 1), 1) << "the second has ended";
                          std::cout << "after the second; ";
                          return std::string("one");
                      },
                      [&] {
                          std::cout << "second; ";
                          EXPECT_EQ(write(ends[1], "x", 1), 1);
                          return std::string("two");
                      },
                      [] { return std::string(); }};

    const auto [printed, answers] = run(parts, 2);

    EXPECT_EQ(printed, "first, after the second; second; ");
    EXPECT_EQ(answers, (std::vector<std::string>{"one", "two", ""}));
}

TEST(SideBySide, AtMostSoManyRunAtATime) {
    const TemporaryFolder folder;
    const auto part = [&](const std::string& number) {
        return [&folder, number] {
            std::string ended_before = std::to_string(folder.names().size());
            std::ofstream(folder.file(number)) << "ended";
            return ended_before;
        };
    };

    EXPECT_EQ(run({part("0"), part("1"), part("2")}, 1).second,
              (std::vector<std::string>{"0", "1", "2"}));
}

TEST(SideBySide, WhatAPartChangesIsItsOwn) {
    int number = 1;
    const auto part = [&] { return std::to_string(++number); };

    EXPECT_EQ(run({part, part}, 2).second, (std::vector<std::string>{"2", "2"}));
    EXPECT_EQ(number, 1);
}

/// Whether a part that throws this makes the run throw the same type with the same words.
template <class Thrown, class Expected = Thrown>
void expect_thrown_again() {
    try {
        (void)run_side_by_side({[]() -> std::string { throw Thrown("why"); }}, 2);
        ADD_FAILURE() << "nothing was thrown";
    } catch (const Expected& error) {
        EXPECT_STREQ(error.what(), "why");
    }
}

TEST(SideBySide, ExceptionsKeepTheirTypes) {
    expect_thrown_again<Interrupted>();
    expect_thrown_again<UnknownName>();
    expect_thrown_again<InvalidInput>();
    expect_thrown_again<NotAvailable>();
    expect_thrown_again<EnvironmentFailure>();
    expect_thrown_again<BrokenInvariant>();
    expect_thrown_again<std::logic_error, BrokenInvariant>();
    EXPECT_THROW((void)run_side_by_side({[]() -> std::string { throw std::bad_alloc(); }}, 1),
                 std::bad_alloc);
}

TEST(SideBySide, NoneIsBegunAfterOneThatThrew) {
    const TemporaryFolder folder;
    const Parts parts{[]() -> std::string { throw InvalidInput("the first"); },
                      [&] {
                          std::ofstream(folder.file("begun")) << "x";
                          return std::string();
                      }};

    EXPECT_REFUSED("the first", (void)run_side_by_side(parts, 1));
    EXPECT_TRUE(folder.names().empty());
}

TEST(SideBySide, APartThatASignalEndedIsSaid) {
    const Parts parts{[] {
        (void)raise(SIGKILL);
        return std::string();
    }};
    try {
        (void)run_side_by_side(parts, 1);
        ADD_FAILURE();
    } catch (const EnvironmentFailure& error) {
        EXPECT_STREQ(error.what(), "a part of the run was ended by signal 9");
    }
}

TEST(SideBySide, NoJobIsRefused) {
    EXPECT_REFUSED("run_side_by_side: got 0 jobs, expected at least one",
                   (void)run_side_by_side({}, 0));
}

}  // namespace
}  // namespace attest::test
