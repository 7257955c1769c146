#include "programs/machines/turing_machine.hpp"

#include "programs/language/token.hpp"
#include "programs/machines/named_machines.hpp"
#include "programs/machines/turing_notation.hpp"
#include "tests/programs/random_machines.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace attest::test {
namespace {

TuringResult run_named(const char* name, const char* word, Index budget) {
    const TuringMachine machine = machine_from_text(name);
    const TuringTape tape =
        fitting_tape(machine, parse_word("tape", word, machine.symbols), budget, 200);
    return simulate(machine, tape.cells, tape.head, budget).result;
}

/// The tape without the blanks around it.
std::string written(const char* name, const char* word) {
    const TuringMachine machine = machine_from_text(name);
    std::string text = format_word(run_named(name, word, 10000).last.tape, machine.symbols);
    const char blank = machine.symbols[0][0];
    text.erase(0, text.find_first_not_of(blank));
    text.erase(text.find_last_not_of(blank) + 1);
    return text;
}

TEST(NamedMachines, BusyBeaversTakeTheKnownStepsAndLeaveTheKnownOnes) {
    struct Known {
        const char* name;
        Index steps;
        Index ones;
    };

    for (const Known& known : {Known{"bb2", 6, 4},
                               Known{"bb3_ones", 14, 6},
                               Known{"bb3_steps", 21, 5},
                               Known{"bb4", 107, 13}}) {
        const TuringResult result = run_named(known.name, "", 200);
        EXPECT_EQ(result.ending, TuringEnding::halt) << known.name;
        EXPECT_EQ(result.steps, known.steps) << known.name;
        EXPECT_EQ(std::count(result.last.tape.begin(), result.last.tape.end(), 1), known.ones);
    }
}

TEST(NamedMachines, ComputeWhatTheirSummariesSay) {
    EXPECT_EQ(written("increment", "1011"), "1100");
    EXPECT_EQ(written("increment", "111"), "1000");
    EXPECT_EQ(written("unary_addition", "111+11"), "11111");
    EXPECT_EQ(written("copy", "111"), "1110111");
    EXPECT_EQ(written("binary_counter", "$000"), "$000");
    EXPECT_EQ(run_named("binary_counter", "$000", 10000).ending, TuringEnding::halt);
}

TEST(NamedMachines, PalindromesAreAcceptedAndNothingElse) {
    const TuringMachine machine = machine_from_text("palindromes");
    for (Index length = 0; length <= 6; ++length) {
        for (Index bits = 0; bits < (Index{1} << length); ++bits) {
            std::string word;
            for (Index i = 0; i < length; ++i) {
                word += (bits >> i) % 2 == 1 ? '1' : '0';
            }
            const bool palindrome = std::equal(word.begin(), word.end(), word.rbegin());

            const TuringResult result = run_named("palindromes", word.c_str(), 1000);

            ASSERT_EQ(result.ending, TuringEnding::halt);
            EXPECT_EQ(machine.state_name(result.last.state), palindrome ? "accept" : "reject");
        }
    }
}

TEST(Simulate, EveryEndingWinsInItsOrder) {
    const TuringMachine machine = parse_machine_notation("1LZ0RA_---1RB");

    EXPECT_EQ(simulate(machine, {0, 0}, 0, 5).result,
              (TuringResult{TuringEnding::halt, 1, {{1, 0}, -1, 2}}));
    EXPECT_EQ(simulate(machine, {1, 1}, 0, 5).result,
              (TuringResult{TuringEnding::off_tape, 2, {{0, 0}, 2, 0}}));
    EXPECT_EQ(simulate(machine, {1, 1}, 0, 1).result,
              (TuringResult{TuringEnding::limit, 1, {{0, 1}, 1, 0}}));
    TuringMachine other = machine;
    other.start = 1;
    EXPECT_EQ(simulate(other, {1, 0}, 0, 5).result,
              (TuringResult{TuringEnding::stuck, 1, {{1, 0}, 1, 1}}));
    EXPECT_REFUSED("tape: got letter 2, the machine has 2", simulate(machine, {0, 2}, 0, 1));
    EXPECT_REFUSED("steps: got -1", simulate(machine, {0}, 0, -1));
}

TEST(MachineNotation, ReadsBackWhatItPrints) {
    Draws draws(Stream(2).child("notation"));
    for (Index states = 1; states <= 25; ++states) {
        const TuringMachine machine = random_machine(draws, states, 1 + states % 10, 1, true);
        const std::string text = machine_notation(machine);
        const TuringMachine again = parse_machine_notation(text);
        EXPECT_EQ(again.table, machine.table) << text;
    }
}

TEST(MachineNotation, NamesTheMistake) {
    const auto message = [](const char* text) {
        return invalid_input_message([&] { (void)parse_machine_notation(text); });
    };
    EXPECT_SAYS(message(""), "machine notation: got nothing");
    EXPECT_SAYS(message("1RB1LB_1LA"), "machine notation: got row '1LA'");
    EXPECT_SAYS(message("1RB1LB_1LA1RZ_"), "machine notation: got '1RB1LB_1LA1RZ_'");
    EXPECT_SAYS(message("2RB1LB_1LA1RZ"),
                "machine notation: entry '2RB' writes a symbol other than 0 … 1");
    EXPECT_EQ(message("1XB1LB_1LA1RZ"),
              "machine notation: entry '1XB' moves neither L nor R nor S");
    EXPECT_SAYS(message("1RC1LB_1LA1RZ"),
                "machine notation: entry '1RC' goes to no state: rows are A … B, Z halts");
    EXPECT_SAYS(message("1Rb1LB_1LA1RZ"),
                "machine notation: entry '1Rb' goes to no state: rows are A … B, Z halts");
}

TEST(MachineTable, NamesTheLineOfTheMistake) {
    const auto message = [](const char* text) {
        return invalid_input_message([&] { (void)parse_machine_table(text); });
    };
    EXPECT_EQ(message("# nothing\n"), "machine table: there is no transition");
    EXPECT_SAYS(message("a 0 1 R b\n"),
                "machine table: line 1: name the blank symbol first, such as: blank _");
    EXPECT_EQ(message("blank 0\na 0 1 R\n"),
              "machine table: line 2: expected STATE READ WRITE MOVE NEXT");
    EXPECT_SAYS(message("blank 0\na 0 1 R b\n"),
                "machine table: line 2: state 'b' has no line and does not halt");
    EXPECT_EQ(message("blank 0\na 0 1 X a\n"),
              "machine table: line 2: got move 'X', expected L, R or S");
    EXPECT_SAYS(message("blank 0\na 0 1 R a\n\na 0 0 L a\n"),
                "machine table: line 4: state a and symbol 0 have a line already");
    EXPECT_EQ(message("blank 0\nblank 1\na 0 1 R a\n"),
              "machine table: line 2: the blank comes first, and once");
    EXPECT_EQ(message("blank 0\nhalt a\na 0 1 R a\n"),
              "machine table: state 'a' halts and has a line");
    EXPECT_EQ(message("blank 0\nstart b\na 0 1 R a\n"),
              "machine table: the start state 'b' has no transition");
}

TEST(Words, AreReadLetterByLetterOrByCommas) {
    EXPECT_EQ(parse_word("tape", "10", {"0", "1"}), (std::vector<Index>{1, 0}));
    EXPECT_EQ(parse_word("tape", "ab,0", {"0", "ab"}), (std::vector<Index>{1, 0}));
    EXPECT_EQ(format_word({1, 0}, {"0", "ab"}), "ab,0");
    EXPECT_EQ(parse_word("tape", "", {"0", "1"}), std::vector<Index>{});
    EXPECT_REFUSED("tape: got symbol '2'", parse_word("tape", "12", {"0", "1"}));
}

TEST(PaddedTape, RefusesAWordThatIsTooLongAndAHeadElsewhere) {
    EXPECT_EQ(padded_tape({1}, 3, 2).cells, (std::vector<Index>{1, 0, 0}));
    EXPECT_REFUSED("tape: got a word of 2 letters", padded_tape({1, 1}, 1, 0));
    EXPECT_REFUSED("tape: the head starts on cell 2", padded_tape({1}, 2, 2));
}

}  // namespace
}  // namespace attest::test
