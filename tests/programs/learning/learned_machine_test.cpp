#include "core/features/cubic.hpp"
#include "programs/learning/exhaust.hpp"
#include "programs/learning/learn_traces.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace attest {
namespace {

const TuringShape kSmallest{1, 1, 2, 2, Moves::left_right};

TEST(PrintedTokens, AreTheSameRowsAsADataSet) {
    const Utm2 program(kSmallest);
    const TuringClass machines(kSmallest, 4);
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
    const TuringClass machines(kSmallest, 4);
    const Utm2 program(kSmallest);
    const std::vector<Index> all = machines.sample(machines.size(), Stream(0));
    const LearnedProgram learned = learn_traces(class_traces(program, machines, all),
                                                machines.size(),
                                                program.program().schema.dim(),
                                                Selection::all);
    TuringMachine partial = machines.machine(5);
    partial.table[0].reset();
    const TuringRun run = simulate(partial, {1, 0}, 0, 1);

    const std::vector<bool> certified =
        certified_tokens(learned, program.expected(partial, {1, 0}, 0, run));

    ASSERT_FALSE(certified.empty());
    EXPECT_EQ(std::count(certified.begin(), certified.end(), true), 0);
}

}  // namespace
}  // namespace attest
