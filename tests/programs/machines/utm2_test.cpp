#include "programs/machines/utm2.hpp"

#include "programs/language/literal_model.hpp"
#include "programs/language/token.hpp"
#include "programs/machines/named_machines.hpp"
#include "programs/machines/turing_notation.hpp"
#include "tests/programs/random_machines.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <array>

namespace attest {
namespace {

TEST(Utm2, HasTheSizeThatItStates) {
    for (const Index cells : {2, 5, 18}) {
        const Utm2 program({4, 1, 2, cells, Moves::left_right});
        EXPECT_EQ(program.program().schema.dim(), 8 + 10 + 6 + 2 * cells + 2);
        EXPECT_EQ(program.program().heads.size(), static_cast<std::size_t>(cells + 8 + 2 + 8));
    }
    const Utm2 stays({3, 2, 2, 5, Moves::with_stay});
    EXPECT_EQ(stays.program().schema.dim(), 6 + 15 + 8 + 10 + 2);
    EXPECT_EQ(stays.program().heads.size(), 5U + 9 + 2 + 9);
    EXPECT_EQ(Utm2({2, 1, 2, 1, Moves::left_right}).program().heads.size(), 1U + 4 + 2 + 4);
}

TEST(Utm2, PrintsTheFirstStepOfTheBusyBeaver) {
    const TuringMachine machine = parse_machine_notation("1RB1LB_1LA1RZ");
    const Utm2 program({2, 1, 2, 3, Moves::left_right});
    const Schema& schema = program.program().schema;
    const auto row = [&](const char* block, Index i) { return schema.block(block).at(i); };

    const Utm2Run run =
        program.run(sparse_coefficients(program.program()), machine, {0, 0, 0}, 1, 1);

    // A reads 0 on cell 1: writes 1, moves right, goes to B.
    ASSERT_EQ(run.trace.generated.size(), 2U);
    EXPECT_EQ(run.trace.generated[0],
              make_token({{row("D", 3 + 1), 1},
                          {row("T", 1), 1},
                          {row("T", 0), -1},
                          {row("aL", 0), 1},
                          {row("aR", 0), 1},
                          {row("P", 1), 1},
                          {row("x", 0), 1}}));
    EXPECT_EQ(run.trace.generated[1],
              make_token({{row("K", 2), 1},
                          {row("R", 2), 1},
                          {row("aL", 0), 1},
                          {row("aR", 0), 1},
                          {row("P", 1), 1},
                          {row("x", 0), -1}}));
    EXPECT_EQ(run.result.ending, TuringEnding::limit);
}

/// Runs one machine three ways: simulator, exact sparse attention, literal dense attention in
/// double. Returns how it ended.
TuringEnding expect_agreement(const TuringMachine& machine,
                              const TuringTape& tape,
                              Index budget,
                              const TuringShape& shape) {
    const Utm2 program(shape);
    const TuringRun run = simulate(machine, tape.cells, tape.head, budget);
    const Trace expected = program.expected(machine, tape.cells, tape.head, run);

    const Utm2Run attention =
        program.run(sparse_coefficients(program.program()), machine, tape.cells, tape.head, budget);
    EXPECT_TRUE(attention.readable);
    EXPECT_EQ(attention.result, run.result);
    EXPECT_EQ(attention.trace, expected);
    for (const Token& token : attention.trace.generated) {
        for (const TokenEntry& entry : token) {
            EXPECT_EQ(std::abs(entry.value), 1);
        }
    }

    EXPECT_TRUE(literal_model_prints(program.program(), expected));
    return run.result.ending;
}

TEST(Utm2, AttentionPrintsTheSimulatorsTraceForEveryEnding) {
    std::array<Index, 4> endings{};
    Draws draws(Stream(1).child("utm2"));
    for (int i = 0; i < 400; ++i) {
        const auto below = [&](Index n) {
            return static_cast<Index>(draws.below(static_cast<std::uint64_t>(n)));
        };
        const bool stays = below(2) == 1;
        const TuringShape shape{1 + below(4),
                                1 + below(2),
                                1 + below(3),
                                1 + below(6),
                                stays ? Moves::with_stay : Moves::left_right};
        const TuringMachine machine = test::random_machine(draws,
                                                           1 + below(shape.states),
                                                           1 + below(shape.symbols),
                                                           1 + below(shape.halting),
                                                           stays);
        const TuringTape tape{test::random_word(draws, shape.cells, machine.num_symbols()),
                              below(shape.cells)};

        const TuringEnding ending = expect_agreement(machine, tape, below(13), shape);

        ++endings.at(static_cast<std::size_t>(ending));
    }
    for (const Index count : endings) {
        EXPECT_GE(count, 20);
    }
}

TEST(Utm2, RunsEveryNamedMachine) {
    for (const NamedMachine& named : named_machines()) {
        const TuringMachine machine = machine_from_text(named.name);
        const std::vector<Index> word = parse_word("tape", named.word, machine.symbols);
        const TuringTape tape = fitting_tape(machine, word, 200, 40);
        const auto cells = static_cast<Index>(tape.cells.size());

        EXPECT_EQ(expect_agreement(machine, tape, 200, shape_of(machine, cells)),
                  TuringEnding::halt)
            << named.name;
    }
}

TEST(Utm2, EveryHeadIsNeeded) {
    const Utm2 program({2, 1, 2, 4, Moves::with_stay});
    for (std::size_t h = 0; h < program.program().heads.size(); ++h) {
        Program altered = program.program();
        altered.heads.erase(altered.heads.begin() + static_cast<std::ptrdiff_t>(h));
        const SparseCoefficients coefficients = sparse_coefficients(altered);
        Draws draws(Stream(3).child("heads"));
        Index broken = 0;
        for (int i = 0; i < 60; ++i) {
            const TuringMachine machine = test::random_machine(draws, 2, 2, 1, true);
            const std::vector<Index> tape = test::random_word(draws, 4, 2);
            const TuringRun run = simulate(machine, tape, i % 4, 20);
            const Utm2Run attention = program.run(coefficients, machine, tape, i % 4, 20);
            broken += attention.trace != program.expected(machine, tape, i % 4, run) ? 1 : 0;
        }
        EXPECT_GT(broken, 0) << program.program().heads[h].name;
    }
}

TEST(Utm2, RefusesWhatDoesNotFit) {
    const TuringMachine machine = parse_machine_notation("1RB1LB_1LA1RZ");
    const Utm2 small({1, 1, 2, 3, Moves::left_right});
    const Utm2 program({2, 1, 2, 3, Moves::left_right});

    EXPECT_REFUSED("Utm2: the machine is larger than the class of this program",
                   small.prompt(machine, {0, 0, 0}, 0));
    EXPECT_REFUSED("tape: got 2 cells", program.prompt(machine, {0, 0}, 0));
    EXPECT_REFUSED("tape: the head starts on cell 3",
                   program.run(sparse_coefficients(program.program()), machine, {0, 0, 0}, 3, 5));
    EXPECT_REFUSED("steps: got 9223372036854775807",
                   program.run(sparse_coefficients(program.program()),
                               machine,
                               {0, 0, 0},
                               0,
                               std::numeric_limits<Index>::max()));
    EXPECT_REFUSED("Utm2: got an empty class", Utm2({0, 1, 2, 3, Moves::left_right}));
}

}  // namespace
}  // namespace attest
