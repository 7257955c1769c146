#include "core/features/cubic.hpp"
#include "programs/learning/exhaust.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <set>

namespace attest::test {
namespace {

const TuringShape kSmall{1, 1, 2, 2, Moves::left_right};

struct Learned {
    Utm2 program;
    TuringClass machines;
    std::vector<Index> runs;
    LearnedProgram learned;
};

Learned learn_small(Index count, Selection selection) {
    Learned all{Utm2(kSmall), TuringClass(kSmall, 4), {}, {}};
    all.runs = all.machines.sample(count, Stream(1).child("learn"));
    all.learned = learn_traces(class_traces(all.program, all.machines, all.runs),
                               static_cast<Index>(all.runs.size()),
                               all.program.program().schema.dim(),
                               selection);
    return all;
}

TEST(TraceRows, AreTheCubicFeaturesOfEveryPrefix) {
    const Utm2 program(kSmall);
    const TuringClass machines(kSmall, 4);
    const Index d = program.program().schema.dim();
    const Trace trace = class_traces(program, machines, {77})(0);
    std::vector<Token> tokens = trace.prompt;
    TraceRows rows(d);
    std::size_t at = 0;
    rows.visit(trace, [&](auto row, auto label) {
        const Matrix Z = to_columns(tokens, d);
        Vector sparse = Vector::Zero(feature_dim(d));
        for (const IntegerEntry& entry : row) {
            sparse(entry.column) += static_cast<double>(entry.value);
        }
        EXPECT_EQ(sparse, cubic_features(Z));
        EXPECT_EQ(std::vector<IntegerEntry>(label.begin(), label.end()),
                  to_row(trace.generated[at]));
        tokens.push_back(trace.generated[at++]);
    });
    EXPECT_EQ(at, trace.generated.size());
}

TEST(TuringClass, CountsAndNumbersItsRuns) {
    const TuringClass machines({2, 1, 2, 3, Moves::left_right}, 6);
    EXPECT_EQ(machines.num_machines(), 20736);
    EXPECT_EQ(machines.size(), 497664);
    const TuringClass small(kSmall, 4);
    EXPECT_EQ(small.size(), 64 * 4 * 2);
    std::set<std::string> seen;
    for (Index i = 0; i < small.size(); ++i) {
        const TuringCase chosen = small.at(i);
        std::string key = machine_notation(chosen.machine);
        for (const Index letter : chosen.tape.cells) {
            key += std::to_string(letter);
        }
        seen.insert(key + ":" + std::to_string(chosen.tape.head));
    }
    EXPECT_EQ(static_cast<Index>(seen.size()), small.size());
}

TEST(TuringClass, SamplesWithoutReplacement) {
    const TuringClass small(kSmall, 4);
    const std::vector<Index> runs = small.sample(200, Stream(3));
    EXPECT_EQ(std::set<Index>(runs.begin(), runs.end()).size(), 200U);
    EXPECT_EQ(small.sample(10000, Stream(3)).size(), 512U);
    EXPECT_REFUSED("TuringClass: got 0 runs", small.sample(0, Stream(3)));
    EXPECT_REFUSED("TuringClass: the class has more than 2^62 runs",
                   TuringClass({8, 1, 8, 8, Moves::left_right}, 1));
    EXPECT_REFUSED(
        "TuringClass: states, halting states, symbols, cells and steps must be at least 1",
        TuringClass(kSmall, 0));
}

/// Executes and certifies one run by itself, and counts it.
void count_run(const LearnedProgram& learned, const Trace& expected, ExhaustReport& report) {
    const std::vector<bool> certified = certified_tokens(learned, expected);
    IntegerAttention model(learned.coefficients);
    for (const Token& token : expected.prompt) {
        model.append(token);
    }
    bool exact = true;
    bool determined = true;
    for (std::size_t t = 0; t < expected.generated.size(); ++t) {
        const bool right = model.next() == expected.generated[t];
        ++report.tokens_total;
        report.tokens_exact += right ? 1 : 0;
        report.tokens_certified += certified[t] ? 1 : 0;
        report.tokens_certified_but_wrong += certified[t] && !right ? 1 : 0;
        exact = exact && right;
        determined = determined && certified[t];
        model.append(expected.generated[t]);
    }
    ++report.runs_total;
    report.runs_exact += exact ? 1 : 0;
    report.runs_certified += determined ? 1 : 0;
}

/// The report by plain means.
ExhaustReport exhaust_slowly(const Learned& all) {
    ExhaustReport report;
    for (Index i = 0; i < all.machines.size(); ++i) {
        const TuringCase chosen = all.machines.at(i);
        const TuringRun run = simulate(chosen.machine, chosen.tape.cells, chosen.tape.head, 4);
        const Trace expected =
            all.program.expected(chosen.machine, chosen.tape.cells, chosen.tape.head, run);
        count_run(all.learned, expected, report);
    }
    return report;
}

TEST(Exhaust, CountsWhatEveryRunByItselfShows) {
    for (const Index count : {6, 25, 512}) {
        const Learned all = learn_small(count, Selection::all);
        const ExhaustReport slow = exhaust_slowly(all);
        for (const int threads : {1, 3}) {
            const ExhaustReport fast = exhaust(all.learned, all.program, all.machines, threads);
            EXPECT_EQ(fast.runs_total, slow.runs_total);
            EXPECT_EQ(fast.tokens_total, slow.tokens_total);
            EXPECT_EQ(fast.runs_certified, slow.runs_certified);
            EXPECT_EQ(fast.runs_exact, slow.runs_exact);
            EXPECT_EQ(fast.tokens_certified, slow.tokens_certified);
            EXPECT_EQ(fast.tokens_exact, slow.tokens_exact);
            EXPECT_EQ(fast.tokens_certified_but_wrong, 0);
        }
        const ExhaustReport proved =
            exhaust(all.learned, all.program, all.machines, 2, SpanTest::over_z);
        EXPECT_EQ(proved.tokens_certified, slow.tokens_certified);
        // Few runs determine little of the class, all runs determine all.
        EXPECT_EQ(slow.runs_certified == slow.runs_total, count == 512);
        EXPECT_GE(slow.runs_exact, slow.runs_certified);
    }
}

TEST(Exhaust, ActiveChoiceDeterminesTheSameTokensFromFewerRuns) {
    const Learned all = learn_small(300, Selection::all);
    const Learned active = learn_small(300, Selection::active);
    EXPECT_LT(active.learned.num_traces, all.learned.num_traces / 2);
    EXPECT_EQ(active.learned.rank, all.learned.rank);
    const ExhaustReport few = exhaust(active.learned, active.program, active.machines, 1);
    const ExhaustReport many = exhaust(all.learned, all.program, all.machines, 1);
    EXPECT_EQ(few.tokens_certified, many.tokens_certified);
    EXPECT_EQ(few.tokens_certified_but_wrong, 0);
}

TEST(Exhaust, TwoPerCentOfTheRunsDetermineEveryTwoStateMachineOnTwoCells) {
    const TuringShape shape{2, 1, 2, 2, Moves::left_right};
    const Utm2 program(shape);
    const TuringClass machines(shape, 4);
    const std::vector<Index> runs = machines.sample(3200, Stream(0).child("class"));
    const LearnedProgram learned = learn_traces(class_traces(program, machines, runs),
                                                3200,
                                                program.program().schema.dim(),
                                                Selection::all);

    const ExhaustReport report = exhaust(learned, program, machines, 1);

    EXPECT_EQ(report.runs_total, 165888);
    EXPECT_EQ(report.runs_certified, report.runs_total);
    EXPECT_EQ(report.runs_exact, report.runs_total);
    EXPECT_EQ(report.tokens_certified_but_wrong, 0);
}

TEST(LearnTraces, FewRunsWithLongFractionsAreLearnedToo) {
    // Their minimiser with the lowest features takes 75 bits, and null vectors over the rarest 31.
    const TuringShape shape{2, 1, 2, 2, Moves::left_right};
    const Utm2 program(shape);
    const TuringClass machines(shape, 5);
    const std::vector<Index> runs = machines.sample(200, Stream(1).child("turing_exhaust"));
    const TraceSource traces = class_traces(program, machines, runs);

    const LearnedProgram learned =
        learn_traces(traces, 200, program.program().schema.dim(), Selection::all);

    EXPECT_EQ(learned.order, ClassOrder::rarest_first);
    EXPECT_GT(learned.primes, 1);
    for (Index i = 0; i < 200; ++i) {
        for (const bool certified : certified_tokens(learned, traces(i))) {
            EXPECT_TRUE(certified) << i;
        }
    }
    const ExhaustReport report = exhaust(learned, program, machines, 1);
    EXPECT_GE(report.runs_exact, report.runs_certified);
    EXPECT_GE(report.runs_certified, 200);
    EXPECT_LT(report.runs_certified, report.runs_total);
    EXPECT_EQ(report.tokens_certified_but_wrong, 0);
}

TEST(Exhaust, CountsTheErrorsOfAnAlteredMachine) {
    const Learned all = learn_small(300, Selection::all);
    LearnedProgram altered = all.learned;
    altered.coefficients.entries.front().value += 1;
    const ExhaustReport report = exhaust(altered, all.program, all.machines, 1);
    EXPECT_GT(report.tokens_certified_but_wrong, 0);
}

TEST(LearnTraces, NullVectorsOfOnePrimeAreProvedOnTheTrainingRows) {
    // Tokens (0, 64), (1, 0): the features are S_11 z_1 = 1 and S_22 z_1 = 4096, their null vector
    // (4096, −1). 4096·1024 = 2²² ≡ 3 modulo the fast prime 2²² − 3: there the short fraction
    // 3/1024 stands for 4096. The label is 0, so the minimiser 0 fits whatever the null vectors
    // are.
    Trace trace{{{{1, 64}}, {{0, 1}}}, {{}}};
    ColumnClasses classes(feature_dim(2));
    std::vector<IntegerEntry> only;
    TraceRows(2).visit(trace,
                       [&](auto row, auto /*label*/) { only.assign(row.begin(), row.end()); });
    classes.observe(only);
    classes.close();
    ExactLearner fast(classes, 2, kFloatPrime);
    fast.append(only, {});
    fast.flush();
    const std::optional<IntegerMap> wrong = fast.null_vectors();
    ASSERT_TRUE(wrong.has_value()) << "one prime lifts it, to another vector";
    ASSERT_FALSE(RowSpan(classes, *wrong).contains(only));

    const LearnedProgram learned =
        learn_traces([&](Index /*i*/) { return trace; }, 1, 2, Selection::all);

    EXPECT_EQ(learned.rank, 1);
    EXPECT_NE(learned.prime, kFloatPrime);
    EXPECT_TRUE(learned.span->contains(only)) << "a training row lies in the span of all";
    EXPECT_EQ(certified_tokens(learned, trace), std::vector<bool>{true});
}

TEST(LearnTraces, InconsistentLabelsAreRefused) {
    const Learned all = learn_small(300, Selection::all);
    const TraceSource good = class_traces(all.program, all.machines, all.runs);
    const TraceSource bad = [&](Index i) {
        Trace trace = good(i);
        if (i == 250) {
            trace.generated.back().push_back({all.program.program().schema.dim() - 1, 1});
        }
        return trace;
    };
    const std::string message = invalid_input_message(
        [&] { (void)learn_traces(bad, 300, all.program.program().schema.dim(), Selection::all); });
    EXPECT_SAYS(message, "labels contradict the others; nothing is certified");
}

TEST(LearningSeconds, AreOfTheRankThatRunsReach) {
    const Utm2 program(kSmall);
    const double few = learning_seconds(program, 10, 4);
    EXPECT_DOUBLE_EQ(learning_seconds(program, 20, 4), 8.0 * few) << "fewer tokens than the rank";
    const double all = learning_seconds(program, 1000000, 4);
    EXPECT_GT(all, few);
    EXPECT_EQ(learning_seconds(program, 2000000, 4), all) << "no more than the features hold";
}

}  // namespace
}  // namespace attest::test
