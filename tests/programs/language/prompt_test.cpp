#include "programs/language/program_examples.hpp"
#include "programs/language/program_text.hpp"
#include "programs/machines/utm2.hpp"
#include "tests/programs/random_machines.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest {
namespace {

using test::invalid_input_message;

/// A tape P -> letter with the constant that some head needs.
const Program& tape() {
    static const Program program = parse_program(
        "block one 1\nblock P 3\nblock letter 2\nblock R 3\n"
        "head read: letter <- letter ; P <- R\nhead start: R[0] <- one ; one <- one\n");
    return program;
}

std::string complaint(std::string_view prompt) {
    return invalid_input_message(
        [&] { check_prompt(tape(), parse_prompt(prompt, tape().schema)); });
}

TEST(Prompt, IsReadLineByLine) {
    const std::vector<Token> prompt =
        parse_prompt("# a tape\none P[0] letter[1]\n\n  letter[0]  P[2]\r\n", tape().schema);

    EXPECT_EQ(prompt, (std::vector<Token>{one_hot_token({0, 1, 5}), one_hot_token({3, 4})}));
    EXPECT_EQ(parse_prompt("-P[1] 3*one", tape().schema), (std::vector<Token>{{{0, 3}, {2, -1}}}));
}

RC_GTEST_PROP(Prompt, OfEveryMachineReadsBackAndIsValid, ()) {
    Draws draws(Stream(*rc::gen::arbitrary<std::uint64_t>()));
    const TuringMachine machine = test::random_machine(draws, 2, 3, 1, false);
    const Utm2 program(shape_of(machine, 4));
    const std::vector<Token> prompt =
        program.prompt(machine, test::random_word(draws, 4, 3), *rc::gen::inRange<Index>(0, 4));
    const Schema& schema = program.program().schema;
    std::string text;
    for (const Token& token : prompt) {
        text += token_text(token, schema) + "\n";
    }

    RC_ASSERT(parse_prompt(text, schema) == prompt);
    check_prompt(program.program(), prompt);
}

TEST(Prompt, WithoutMeaningIsRefused) {
    EXPECT_EQ(complaint(""), "prompt: got no token, expected at least one");
    EXPECT_EQ(complaint("P[0] letter[0]"),
              "prompt: token 1 lacks `one`, which starts every prompt of this program");
    EXPECT_EQ(complaint("one\nP[0] letter[0]\none P[1]"),
              "prompt: token 3 holds `one`, expected it in token 1 only");
    EXPECT_EQ(complaint("one\nP[0] letter[0] letter[1]"),
              "prompt: token 2 holds 2 values of letter, letter[0] and letter[1], expected one");
    EXPECT_EQ(complaint("one\nP[1] letter[0]\nP[0] letter[0]\nP[1] letter[1]"),
              "prompt: tokens 2 and 4 both give a value to P[1] (head read), expected one of them");
    EXPECT_EQ(complaint("one\n-P[0]"), "prompt: token 2 holds P[0] -1 times, expected once");
}

TEST(Prompt, ThatNamesNoRowIsRefusedWithItsLine) {
    EXPECT_EQ(complaint("one\n\nP[3]").rfind("prompt: line 3: ", 0), 0U);
    EXPECT_EQ(complaint("one\nQ[0]").rfind("prompt: line 2: ", 0), 0U);
    EXPECT_EQ(complaint("one\nP letter[0]"), "prompt: line 2: got 'P', expected one row, as P[0]");
}

}  // namespace
}  // namespace attest
