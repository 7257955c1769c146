#include "core/base/progress_scope.hpp"

#include "core/base/parallel.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace attest {
namespace {

TEST(ProgressScope, WhatIsNotedWithinItIsReadFromTheBoard) {
    ProgressBoard board;
    EXPECT_TRUE(board.read().stage.empty());
    const ProgressScope scope(&board);

    note_progress("data", 3, 7);

    EXPECT_EQ(board.read().stage, "data");
    EXPECT_EQ(board.read().done, 3);
    EXPECT_EQ(board.read().total, 7);
}

TEST(ProgressScope, EndsWithItsBlockAndGivesTheOuterBoardBack) {
    ProgressBoard outer;
    ProgressBoard inner;
    const ProgressScope scope(&outer);
    {
        const ProgressScope within(&inner);
        note_progress("inner", 1, 1);
    }
    note_progress("outer", 2, 2);

    EXPECT_EQ(inner.read().stage, "inner");
    EXPECT_EQ(outer.read().stage, "outer");
}

TEST(ProgressScope, WithoutABoardNothingHappens) {
    ProgressBoard board;
    {
        const ProgressScope scope(&board);
        const ProgressScope silent(nullptr);
        note_progress("nowhere", 1, 1);
    }
    note_progress("nowhere", 1, 1);

    EXPECT_TRUE(board.read().stage.empty());
}

TEST(ProgressScope, ThreadsOfAParallelLoopNoteOnTheCallersBoard) {
    ProgressBoard board;
    const ProgressScope scope(&board);
    // On whichever thread an iteration runs: each notes, so the last note is one of theirs.
    parallel_for(64, 4, [](Index) { note_progress("loop", 64, 64); });
    EXPECT_EQ(board.read().stage, "loop");
    std::thread([] { note_progress("another thread", 1, 1); }).join();
    EXPECT_EQ(board.read().stage, "loop");
}

TEST(ProgressScope, EveryThreadOfAParallelLoopHasTheBoard) {
    ProgressBoard board;
    const ProgressScope scope(&board);
    parallel_for(64, 4, [&](Index) { EXPECT_EQ(ProgressScope::current(), &board); });
}

}  // namespace
}  // namespace attest
