#include "programs/machines/dfa.hpp"

#include "programs/language/literal_model.hpp"
#include "programs/language/token.hpp"
#include "programs/machines/weighted.hpp"
#include "tests/programs/random_machines.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace attest::test {
namespace {

constexpr const char* kParity = "accept even\neven 0 even\neven 1 odd\nodd 0 odd\nodd 1 even\n";

std::unique_ptr<DfaProgram> make_program(int tokens, const DfaShape& shape) {
    if (tokens == 2) {
        return std::make_unique<Dfa2>(shape);
    }
    return std::make_unique<Dfa5>(shape);
}

TEST(DfaPrograms, HaveTheSizesThatTheyState) {
    for (const Index L : {1, 2, 5}) {
        const Dfa2 two({3, 2, L});
        EXPECT_EQ(two.program().schema.dim(), 6 + 3 + 4 + 2 * L + 2);
        EXPECT_EQ(static_cast<Index>(two.program().heads.size()), 3 + L + 4 - (L == 1 ? 1 : 0));
        const Dfa5 five({3, 2, L});
        EXPECT_EQ(five.program().schema.dim(), 6 + 6 + 4 + 6 * L + 8);
        EXPECT_EQ(static_cast<Index>(five.program().heads.size()),
                  5 * L + 6 + 9 - (L == 1 ? 1 : 0));
        const WeightedAutomaton weighted({3, 2, L});
        EXPECT_EQ(weighted.program().schema.dim(), 6 + 3 + 4 + 2 * L + 4);
    }
}

TEST(Dfa2, DecidesParity) {
    const Automaton parity = parse_automaton(kParity, AutomatonKind::deterministic);
    const Dfa2 program({2, 2, 5});

    const DfaRun run = program.run(sparse_coefficients(program.program()), parity, {1, 0, 1, 1});

    EXPECT_TRUE(run.readable);
    EXPECT_EQ(run.result, (WordResult{false, 4, 1}));
    EXPECT_FALSE(parity.accepts(run.result.state));
    EXPECT_EQ(run.trace.generated.size(), 7U);
}

TEST(DfaPrograms, AttentionPrintsTheAutomatonsComputation) {
    Draws draws(Stream(4).child("dfa"));
    const auto below = [&](Index n) {
        return static_cast<Index>(draws.below(static_cast<std::uint64_t>(n)));
    };
    for (const int tokens : {2, 5}) {
        Index stuck = 0;
        for (int i = 0; i < 150; ++i) {
            const DfaShape shape{1 + below(4), 1 + below(3), 1 + below(6)};
            Automaton automaton =
                random_automaton(draws, 1 + below(shape.states), 1 + below(shape.letters));
            for (std::vector<Index>& next : automaton.table) {
                if (below(6) == 0) {
                    next.clear();
                }
            }
            automaton.start = below(automaton.num_states());
            const std::vector<Index> word =
                random_word(draws, 1 + below(shape.length), automaton.num_letters());
            const std::unique_ptr<DfaProgram> program = make_program(tokens, shape);
            const Trace expected = program->expected(automaton, word);

            const DfaRun run =
                program->run(sparse_coefficients(program->program()), automaton, word);

            EXPECT_TRUE(run.readable);
            EXPECT_EQ(run.result, read_word(automaton, word));
            EXPECT_EQ(run.trace, expected);
            EXPECT_TRUE(literal_model_prints(program->program(), expected));
            stuck += run.result.stuck ? 1 : 0;
        }
        EXPECT_GT(stuck, 20);
        EXPECT_LT(stuck, 130);
    }
}

TEST(DfaPrograms, RunTheLargestSizesThatWeClaim) {
    Draws draws(Stream(5).child("dfa"));
    for (const int tokens : {2, 5}) {
        const std::unique_ptr<DfaProgram> program = make_program(tokens, {8, 8, 32});
        const SparseCoefficients coefficients = sparse_coefficients(program->program());
        for (int i = 0; i < 5; ++i) {
            const Automaton automaton = random_automaton(draws, 8, 8);
            const std::vector<Index> word = random_word(draws, 32, 8);
            EXPECT_EQ(program->run(coefficients, automaton, word).trace,
                      program->expected(automaton, word));
        }
    }
}

TEST(DfaPrograms, EveryHeadIsNeeded) {
    for (const int tokens : {2, 5}) {
        const std::unique_ptr<DfaProgram> program = make_program(tokens, {2, 2, 3});
        for (std::size_t h = 0; h < program->program().heads.size(); ++h) {
            Program altered = program->program();
            altered.heads.erase(altered.heads.begin() + static_cast<std::ptrdiff_t>(h));
            Draws draws(Stream(6).child("heads"));
            Index broken = 0;
            for (int i = 0; i < 40; ++i) {
                const Automaton automaton = random_automaton(draws, 2, 2);
                const std::vector<Index> word = random_word(draws, 3, 2);
                broken += program->run(sparse_coefficients(altered), automaton, word).trace ==
                                  program->expected(automaton, word)
                              ? 0
                              : 1;
            }
            EXPECT_GT(broken, 0) << tokens << ' ' << program->program().heads[h].name;
        }
    }
}

TEST(WeightedAutomaton, CountsAcceptingPaths) {
    // Paths with a 1 somewhere from the end on: words of 0s and 1s, state b after any 1.
    const Automaton automaton = parse_automaton("accept b\na 0 a\na 1 a\na 1 b\nb 0 b\nb 1 b\n",
                                                AutomatonKind::nondeterministic);
    const WeightedAutomaton program({2, 2, 6});
    const SparseCoefficients coefficients = sparse_coefficients(program.program());

    EXPECT_EQ(program.run(coefficients, automaton, {1, 0, 1, 1}),
              (std::vector<std::int64_t>{1, 3}));
    EXPECT_TRUE(literal_model_prints(program.program(), program.expected(automaton, {1, 0, 1, 1})));
}

TEST(WeightedAutomaton, AcceptsAStateOnceHoweverOftenItIsListed) {
    const Automaton automaton =
        parse_automaton("accept b b\naccept b\na 0 b\n", AutomatonKind::nondeterministic);
    EXPECT_EQ(automaton.accepting, (std::vector<Index>{1}));
}

TEST(WeightedAutomaton, AgreesWithCountPathsForRandomAutomata) {
    Draws draws(Stream(7).child("weighted"));
    const WeightedAutomaton program({3, 2, 8});
    const SparseCoefficients coefficients = sparse_coefficients(program.program());
    for (int i = 0; i < 100; ++i) {
        Automaton automaton = random_automaton(draws, 3, 2);
        for (std::vector<Index>& next : automaton.table) {
            next.resize(draws.below(4), static_cast<Index>(draws.below(3)));
        }
        const std::vector<Index> word = random_word(draws, 1 + i % 8, 2);
        const std::vector<std::int64_t> counts = count_paths(automaton, word).back();
        EXPECT_EQ(program.run(coefficients, automaton, word), counts);
        EXPECT_TRUE(literal_model_prints(program.program(), program.expected(automaton, word)));
    }
}

TEST(Automata, TheLineOfAMistakeIsNamed) {
    const auto message = [](const char* text) {
        return invalid_input_message(
            [&] { (void)parse_automaton(text, AutomatonKind::deterministic); });
    };
    EXPECT_EQ(message("# empty\n"), "automaton: there is no transition");
    EXPECT_EQ(message("a 0\n"), "automaton: line 1: expected STATE LETTER NEXT");
    EXPECT_SAYS(message("a 0 a\na 0 b\n"),
                "automaton: line 2: state a and letter 0 have a line already");
    EXPECT_EQ(message("start b\na 0 a\n"), "automaton: line 1: state 'b' has no transition");
    EXPECT_EQ(message("accept a b\na 0 a\n"), "automaton: line 1: state 'b' has no transition");
}

TEST(Automata, WordsThatDoNotFitAreRefused) {
    const Automaton parity = parse_automaton(kParity, AutomatonKind::deterministic);
    const Automaton both = parse_automaton("a 0 a\na 0 b\n", AutomatonKind::nondeterministic);
    const Dfa2 program({2, 2, 3});
    const auto message = [&](const Automaton& automaton, const std::vector<Index>& word) {
        return invalid_input_message([&] { (void)program.expected(automaton, word); });
    };
    EXPECT_EQ(message(parity, {}), "word: got 0 letters, expected 1 … 3");
    EXPECT_EQ(message(parity, {0, 0, 0, 0}), "word: got 4 letters, expected 1 … 3");
    EXPECT_EQ(message(parity, {2}), "word: got letter 2 of 2");
    EXPECT_EQ(message(both, {0}), "automaton: two transitions share a state and a letter");
    EXPECT_REFUSED("automaton: it is larger than the class of this program",
                   Dfa2({1, 2, 3}).expected(parity, {0}));
    EXPECT_REFUSED("word: got letter 2 of 2", WeightedAutomaton({2, 2, 3}).expected(parity, {2}));
    EXPECT_REFUSED("dfa5: states, letters and length must be at least 1", Dfa5({2, 0, 3}));
    const Automaton growing = parse_automaton("a 0 a\na 0 a\n", AutomatonKind::nondeterministic);
    EXPECT_REFUSED("count_paths: a count reaches 2^31",
                   count_paths(growing, std::vector<Index>(31, 0)));
}

}  // namespace
}  // namespace attest::test
