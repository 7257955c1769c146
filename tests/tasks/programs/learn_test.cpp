#include "core/algebra/symmetric_pack.hpp"
#include "core/base/bitwise.hpp"
#include "core/features/cubic.hpp"
#include "tasks/programs/exhaust.hpp"
#include "tasks/programs/learning_curve.hpp"
#include "tasks/programs/trace_dataset.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace attest {
namespace {

using test::invalid_input_message;

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

TEST(PrintedTokens, AreTheSameRowsAsADataSet) {
    const Utm2 program(kSmall);
    const TuringClass machines(kSmall, 4);
    const Index d = program.program().schema.dim();
    const std::vector<Index> runs{77, 300};
    const TraceSource traces = class_traces(program, machines, runs);

    const Dataset data = printed_tokens(traces, 2, d);

    check(data);
    Index example = 0;
    TraceRows rows(d);
    for (Index i = 0; i < 2; ++i) {
        rows.visit(traces(i), [&](auto row, auto label) {
            const Vector H = cubic_features<double>(data.sequence(example));
            Vector sparse = Vector::Zero(feature_dim(d));
            for (const IntegerEntry& entry : row) {
                sparse(entry.column) += static_cast<double>(entry.value);
            }
            EXPECT_EQ(sparse, H);
            Vector y = Vector::Zero(d);
            for (const IntegerEntry& entry : label) {
                y(entry.column) = static_cast<double>(entry.value);
            }
            EXPECT_EQ(y, Vector(data.y.col(example)));
            ++example;
        });
    }
    EXPECT_EQ(example, data.num_examples());
}

TEST(TypedFeatures, HoldEveryCoefficientOfTheProgramAndNotAllOthers) {
    const Utm2 program({2, 1, 2, 2, Moves::left_right});
    const FeatureMask mask = typed_features(program.program());
    const Index d = program.program().schema.dim();
    for (const Coefficient& c : sparse_coefficients(program.program()).entries) {
        EXPECT_EQ(mask[static_cast<std::size_t>(pack_index(d, c.b, c.k) * d + c.e)], 1);
    }
    EXPECT_LT(std::count(mask.begin(), mask.end(), 1), feature_dim(d) * 3 / 4);
    EXPECT_EQ(static_cast<Index>(mask.size()), feature_dim(d));
    EXPECT_EQ(invalid_input_message([] {
                  const FeatureMask shorter(7, 1);
                  TraceRows(18, &shorter);
              }),
              "TraceRows: the mask does not have one flag a feature");
}

TEST(TypedFeatures, LearnTheSameMachineFromFewerTokens) {
    const Dfa2 program({2, 2, 2});
    const Index d = program.program().schema.dim();
    const FeatureMask mask = typed_features(program.program());
    const TraceSource train = random_dfa_traces(program, Stream(8).child("train"));
    const TraceSource test = random_dfa_traces(program, Stream(8).child("test"));

    const LearningCurve all = learning_curve(train, test, d, {400, 60, 1.2});
    const LearningCurve typed = learning_curve(train, test, d, {400, 60, 1.2, &mask});

    ASSERT_NE(first_certified(typed), nullptr);
    EXPECT_LT(typed.active_features, all.active_features);
    EXPECT_LT(typed.points.back().rank, all.points.back().rank);
    EXPECT_LE(first_certified(typed)->tokens, first_certified(all)->tokens);
    EXPECT_EQ(typed.points.back().wrong_certified, 0);
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
    EXPECT_EQ(invalid_input_message([&] { (void)small.sample(0, Stream(3)); }),
              "TuringClass: got 0 runs, expected at least 1");
    EXPECT_EQ(invalid_input_message([] {
                  TuringClass({8, 1, 8, 8, Moves::left_right}, 1);
              }),
              "TuringClass: the class has more than 2^62 runs");
    EXPECT_EQ(invalid_input_message([] { TuringClass(kSmall, 0); }),
              "TuringClass: states, halting states, symbols, cells and steps must be at least 1");
}

/// The report by plain means: every run executed and certified by itself.
ExhaustReport exhaust_slowly(const Learned& all) {
    ExhaustReport report;
    for (Index i = 0; i < all.machines.size(); ++i) {
        const TuringCase chosen = all.machines.at(i);
        const TuringRun run = simulate(chosen.machine, chosen.tape.cells, chosen.tape.head, 4);
        const Trace expected =
            all.program.expected(chosen.machine, chosen.tape.cells, chosen.tape.head, run);
        const std::vector<bool> certified = certified_tokens(all.learned, expected);
        IntegerAttention model(all.learned.coefficients);
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

/// Coefficients of one output.
std::vector<Coefficient> of_output(const SparseCoefficients& all, Index output) {
    std::vector<Coefficient> found;
    std::copy_if(all.entries.begin(),
                 all.entries.end(),
                 std::back_inserter(found),
                 [&](const Coefficient& c) { return c.output == output; });
    return found;
}

TEST(LearnedMachine, IsWhatItsPageSays) {
    const TuringShape shape{2, 1, 2, 3, Moves::left_right};
    const Utm2 program(shape);
    const Schema& schema = program.program().schema;
    const TuringClass machines(shape, 6);
    const std::vector<Index> runs = machines.sample(3000, Stream(0).child("turing_exhaust"));
    const SparseCoefficients learned =
        learn_traces(class_traces(program, machines, runs), 3000, schema.dim(), Selection::all)
            .coefficients;
    const SparseCoefficients written = sparse_coefficients(program.program());

    EXPECT_EQ(learned.entries.size(), 1399U);
    EXPECT_EQ(learned.denominator, 1);
    EXPECT_EQ(written.entries.size(), 119U);
    EXPECT_EQ(std::count_if(learned.entries.begin(),
                            learned.entries.end(),
                            [&](const Coefficient& c) {
                                return std::find(written.entries.begin(),
                                                 written.entries.end(),
                                                 c) != written.entries.end();
                            }),
              27);
    EXPECT_TRUE(std::all_of(learned.entries.begin(),
                            learned.entries.end(),
                            [](const Coefficient& c) { return std::abs(c.value) <= 3; }));
    // The lookup of the next state and move is the program's.
    for (Index i = 0; i < 5; ++i) {
        const Index output = schema.block("D").at(i);
        EXPECT_EQ(of_output(learned, output), of_output(written, output)) << i;
    }
    // x = Σ_D S[K[0], D] where the program has S[one, one]: K[0] has one transition.
    for (const Coefficient& c : of_output(learned, schema.block("x").at(0))) {
        EXPECT_EQ(std::min(c.b, c.k), schema.block("K").at(0));
        EXPECT_EQ(schema.row_name(std::max(c.b, c.k)).substr(0, 1), "D");
    }
}

TEST(LearnedMachine, ATokenOfAPartialMachineIsNotCertified) {
    const Learned all = learn_small(512, Selection::all);
    TuringMachine partial = all.machines.machine(5);
    partial.table[0].reset();
    const TuringRun run = simulate(partial, {1, 0}, 0, 1);
    const std::vector<bool> certified =
        certified_tokens(all.learned, all.program.expected(partial, {1, 0}, 0, run));
    EXPECT_EQ(std::count(certified.begin(), certified.end(), true), 0);
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
    EXPECT_NE(message.find("labels contradict the others; nothing is certified"), std::string::npos)
        << message;
}

TEST(LearningCurve, CountsCertifiedTokensThatAreWrong) {
    const Dfa2 program({2, 2, 2});
    const Index d = program.program().schema.dim();
    const TraceSource right = random_dfa_traces(program, Stream(8).child("test"));
    const TraceSource wrong = [&](Index i) {
        Trace trace = right(i);
        trace.generated.back() = make_token({{0, 1}});
        return trace;
    };
    const LearningCurve curve = learning_curve(
        random_dfa_traces(program, Stream(8).child("train")), wrong, d, {400, 60, 1.2});

    EXPECT_EQ(curve.points.back().wrong_certified, 60);
    EXPECT_LT(curve.points.back().accuracy, 0.7);
}

TEST(LearningCurve, EndsWithEveryTestTokenCertifiedAndRight) {
    const Dfa2 program({2, 2, 2});
    const LearningCurve curve = learning_curve(random_dfa_traces(program, Stream(8).child("train")),
                                               random_dfa_traces(program, Stream(8).child("test")),
                                               program.program().schema.dim(),
                                               {400, 60, 1.2});

    ASSERT_NE(first_certified(curve), nullptr);
    EXPECT_EQ(first_certified(curve), &curve.points.back());
    EXPECT_TRUE(bitwise_equal(curve.points.back().accuracy, 1.0));
    ASSERT_NE(first_accurate(curve, 0.99), nullptr);
    EXPECT_LE(first_accurate(curve, 0.99)->tokens, first_certified(curve)->tokens);
    for (std::size_t i = 1; i < curve.points.size(); ++i) {
        EXPECT_GE(curve.points[i].rank, curve.points[i - 1].rank);
        EXPECT_GE(curve.points[i].certified, curve.points[i - 1].certified);
        EXPECT_EQ(curve.points[i].wrong_certified, 0);
    }
}

}  // namespace
}  // namespace attest
