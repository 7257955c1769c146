#include "record/progress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <thread>
#include <vector>

namespace {

using attest::Index;
using attest::Progress;
using attest::ProgressMode;
using attest::ProgressOptions;

/// Progress that prints into a string and whose clock stands still until it is moved.
struct Recorder {
    std::ostringstream out;
    double now = 100.0;

    [[nodiscard]] ProgressOptions options(ProgressMode mode) {
        return {.mode = mode, .out = &out, .clock = [this] { return now; }};
    }
};

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++found;
    }
    return found;
}

/// What is printed of `done` steps of `total` that take so many seconds each.
std::string printed(const std::string& name,
                    Index total,
                    int done,
                    double seconds,
                    ProgressMode mode = ProgressMode::lines) {
    Recorder recorder;
    Progress progress(name, total, recorder.options(mode));
    for (int i = 0; i < done; ++i) {
        recorder.now += seconds;
        progress.advance();
    }
    return recorder.out.str();
}

TEST(Progress, LinesTellShareElapsedAndWhatIsLeft) {
    const std::string text = printed("fig2", 4, 4, 10.0);

    EXPECT_EQ(text,
              "fig2 1/4 25 % · 10.0 s · about 30.0 s left\n"
              "fig2 2/4 50 % · 20.0 s · about 20.0 s left\n"
              "fig2 3/4 75 % · 30.0 s · about 10.0 s left\n"
              "fig2 4/4 100 % · 40.0 s\n");
}

TEST(Progress, FastRunPrintsTheLastLineOnly) {
    const std::string text = printed("fast", 1000, 1000, 0.001);

    EXPECT_EQ(text, "fast 1000/1000 100 % · 1.0 s\n");
}

TEST(Progress, LongRunPrintsOneLineForEachTenPercent) {
    const std::string text = printed("slow", 1000, 1000, 0.1);

    EXPECT_EQ(count(text, "\n"), 10U) << text;
}

TEST(Progress, SlowStepsPrintOneLineAMinute) {
    const std::string text = printed("slow", 100, 9, 20.0);

    EXPECT_EQ(count(text, "\n"), 3U) << text;
}

TEST(Progress, BarRewritesItsLineAndIsWipedAtTheEnd) {
    Recorder recorder;
    {
        Progress progress("fig2", 2, recorder.options(ProgressMode::bar));
        recorder.now += 1.0;
        progress.advance();
    }

    EXPECT_EQ(recorder.out.str(),
              "\r\x1b[Kfig2 ██████████░░░░░░░░░░ 1/2 50 % · 1.0 s · about 1.0 s left\r\x1b[K");
}

TEST(Progress, BarNeverExceedsATerminalLine) {
    Recorder recorder;
    Progress progress("fig2", 2, recorder.options(ProgressMode::bar));
    progress.begin(std::string(200, 'x') + "λ");

    const std::string text = recorder.out.str();
    const auto characters = std::count_if(text.begin(), text.end(), [](char byte) {
        return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
    });
    EXPECT_EQ(characters, 79 + 4) << text;  // and the four characters that wipe the line
}

TEST(Progress, BarIsNotRedrawnMoreThanTenTimesASecond) {
    const std::string text = printed("fig2", 1001, 1000, 0.001, ProgressMode::bar);

    EXPECT_LE(count(text, "fig2"), 10U);
    EXPECT_GE(count(text, "fig2"), 8U);
}

TEST(Progress, MessageStaysInEveryModeAndQuietPrintsNothingElse) {
    for (const ProgressMode mode : {ProgressMode::lines, ProgressMode::quiet}) {
        Recorder recorder;
        Progress progress("fig2", 2, recorder.options(mode));
        progress.message("dropped a line");
        EXPECT_EQ(recorder.out.str(), "dropped a line\n");
    }
    Recorder recorder;
    {
        Progress progress("fig2", 1, recorder.options(ProgressMode::quiet));
        progress.begin("step");
        progress.advance();
    }
    EXPECT_EQ(recorder.out.str(), "");
}

TEST(Progress, NothingToDoIsDone) {
    Recorder recorder;
    Progress progress("fig2", 0, recorder.options(ProgressMode::lines));
    progress.advance();

    EXPECT_EQ(recorder.out.str(), "fig2 0/0 100 % · 0 ms\n");
}

TEST(Progress, ThreadsShareItWithoutLosingAStepOrALine) {
    Recorder recorder;
    {
        Progress progress("threads", 400, recorder.options(ProgressMode::lines));
        std::vector<std::thread> threads;
        threads.reserve(4);
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&progress] {
                for (int i = 0; i < 100; ++i) {
                    progress.message("note");
                    progress.advance();
                }
            });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
    }

    EXPECT_EQ(count(recorder.out.str(), "note\n"), 400U);
    EXPECT_EQ(count(recorder.out.str(), "threads 400/400 100 %"), 1U);
}

}  // namespace
