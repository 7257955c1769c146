#include "report/machine_trace.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace attest {
namespace {

/// Learned once: it takes seconds.
const MachineTrace& busy_beaver() {
    static const MachineTrace trace = trace_machine("bb2", 1000);
    return trace;
}

TEST(MachineTrace, OfTheBusyBeaverIsLearnedAndCertifiedTokenByToken) {
    const MachineTrace& trace = busy_beaver();

    EXPECT_EQ(trace.steps, 6);
    EXPECT_EQ(trace.ending, "halt");
    const auto printed = std::count_if(
        trace.frames.begin(), trace.frames.end(), [](const auto& f) { return f.printed; });
    EXPECT_EQ(printed, 11);  // two tokens a step, but none after the halt
    for (const TraceFrame& frame : trace.frames) {
        EXPECT_EQ(frame.right && frame.certified, frame.printed) << frame.token;
    }
    // 1RB1LB_1LA1RZ leaves four ones and halts on the third cell from the left.
    EXPECT_EQ(trace.frames.back().tape, (std::vector<Index>{1, 1, 1, 1}));
    EXPECT_EQ(trace.frames.back().state, "Z");
}

TEST(MachineTrace, SaysWhatTokensMean) {
    const MachineTrace& trace = busy_beaver();
    const auto means = [&](const std::string& text) {
        return std::any_of(trace.frames.begin(), trace.frames.end(), [&](const TraceFrame& frame) {
            return frame.meaning == text;
        });
    };

    EXPECT_TRUE(means("beginning of the sequence"));
    EXPECT_TRUE(means("rule: state A reads 0 → write 1, move right, state B"));
    EXPECT_TRUE(means("tape: cell 0 holds 0"));
    EXPECT_TRUE(means("configuration: on cell 2, state A reads 0"));
    EXPECT_TRUE(means("step: on cell 2 write 1, move right, state B"));
}

TEST(MachineTrace, LearnedFromTooFewRunsIsNotCertified) {
    const MachineTrace trace = trace_machine("bb2", 3);

    EXPECT_TRUE(std::any_of(trace.frames.begin(), trace.frames.end(), [](const TraceFrame& frame) {
        return frame.printed && !frame.certified;
    }));
}

}  // namespace
}  // namespace attest
