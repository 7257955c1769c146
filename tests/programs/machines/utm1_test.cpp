#include "programs/machines/utm1.hpp"

#include "programs/language/literal_model.hpp"
#include "programs/machines/named_machines.hpp"
#include "tests/programs/random_machines.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace attest {
namespace {

TEST(Utm1, HasTheSizeThatItStates) {
    const Utm1 program({3, 2, 2, 4, Moves::left_right}, 5);
    const Index T = 30;  // 5 cells and the mark of 6 configurations
    EXPECT_EQ(program.program().schema.dim(), 3 * T + 24 + 18 + 6 + 12 + 3);
    EXPECT_EQ(std::ssize(program.program().heads), 3 * (T - 5) + 8 + 10);
}

TEST(Utm1, AttentionPrintsTheSimulatorsConfigurationsForEveryEnding) {
    std::array<Index, 4> endings{};
    Draws draws(Stream(9).child("utm1"));
    const auto below = [&](Index n) {
        return static_cast<Index>(draws.below(static_cast<std::uint64_t>(n)));
    };
    for (int i = 0; i < 200; ++i) {
        const TuringShape shape{
            1 + below(3), 1 + below(2), 1 + below(3), 1 + below(5), Moves::left_right};
        const Index steps = 1 + below(6);
        const Utm1 program(shape, steps);
        const TuringMachine machine =
            test::random_machine(draws, shape.states, shape.symbols, shape.halting, false);
        const std::vector<Index> tape = test::random_word(draws, shape.cells, shape.symbols);
        const Index head = below(shape.cells);
        const Trace expected = program.expected(machine, tape, head);
        const TuringResult result = simulate(machine, tape, head, steps).result;

        const Utm1Run run =
            program.run(sparse_coefficients(program.program()), machine, tape, head);

        EXPECT_TRUE(run.readable);
        EXPECT_EQ(run.trace, expected);
        const bool outside = result.last.head < 0 || result.last.head >= shape.cells;
        EXPECT_EQ(run.ending, outside ? TuringEnding::off_tape : result.ending);
        EXPECT_EQ(run.steps, result.steps);
        EXPECT_EQ(run.tape, result.last.tape);
        ++endings.at(static_cast<std::size_t>(run.ending));
    }
    for (const Index count : endings) {
        EXPECT_GE(count, 10);
    }
}

TEST(Utm1, TheLiteralModelPrintsTheSame) {
    const TuringMachine machine = machine_from_text("bb2");
    const Utm1 program({2, 1, 2, 4, Moves::left_right}, 6);
    const Trace expected = program.expected(machine, {0, 0, 0, 0}, 2);

    EXPECT_TRUE(literal_model_prints(program.program(), expected));
    EXPECT_EQ(program.run(sparse_coefficients(program.program()), machine, {0, 0, 0, 0}, 2).tape,
              (std::vector<Index>{1, 1, 1, 1}));
}

TEST(Utm1, AlgorithmSevenAsPrintedGoesWrong) {
    // The printed branch for a head on the left tests the move L, as for one on the right.
    const TuringMachine machine = machine_from_text("bb2");
    const Utm1 program({2, 1, 2, 4, Moves::left_right}, 6);
    Program printed = program.program();
    const auto named = [&](const char* name) -> ProgramHead& {
        return *std::find_if(printed.heads.begin(), printed.heads.end(), [&](const auto& head) {
            return head.name == name;
        });
    };
    named("from_left").V = named("from_right").V;

    const Utm1Run run = program.run(sparse_coefficients(printed), machine, {0, 0, 0, 0}, 2);

    EXPECT_NE(run.trace, program.expected(machine, {0, 0, 0, 0}, 2));
}

TEST(Utm1, RefusesWhatDoesNotFit) {
    EXPECT_REFUSED(
        "Utm1: expected at least one state, halting state, symbol, cell and step, moves L, R",
        Utm1({2, 1, 2, 3, Moves::with_stay}, 3));
    const Utm1 program({1, 1, 2, 3, Moves::left_right}, 3);
    EXPECT_REFUSED("Utm1: the machine does not fit the class of this program",
                   program.expected(machine_from_text("bb2"), {0, 0, 0}, 0));
}

}  // namespace
}  // namespace attest
