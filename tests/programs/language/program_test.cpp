#include "core/features/coefficients.hpp"
#include "core/model/autoregressive.hpp"
#include "programs/language/compile.hpp"
#include "programs/language/execute.hpp"
#include "programs/language/program_examples.hpp"
#include "programs/language/program_text.hpp"
#include "programs/machines/utm2.hpp"
#include "tests/programs/random_machines.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest::test {

namespace {

/// A program of random terms.
Program arbitrary_program() {
    Program program{"random", {}, {}};
    const Index d = *rc::gen::inRange<Index>(1, 5);
    (void)program.schema.add("a", d);
    const auto terms = [d] {
        std::vector<MatrixTerm> list;
        for (Index i = *rc::gen::inRange<Index>(1, 4); i > 0; --i) {
            list.push_back({*rc::gen::inRange<Index>(0, d),
                            *rc::gen::inRange<Index>(0, d),
                            *rc::gen::inRange<std::int64_t>(-3, 4)});
        }
        return list;
    };
    for (Index h = *rc::gen::inRange<Index>(0, 4); h > 0; --h) {
        program.heads.push_back({formatted("h{}", h), terms(), terms()});
    }
    return program;
}

Matrix in_full(const SparseCoefficients& coefficients) {
    Matrix P = Matrix::Zero(feature_dim(coefficients.d), coefficients.d);
    for (const Coefficient& c : coefficients.entries) {
        P(pack_index(coefficients.d, c.b, c.k) * coefficients.d + c.e, c.output) +=
            static_cast<double>(c.value);
    }
    return P;
}

RC_GTEST_PROP(Compile, SparseCoefficientsAreThoseOfTheDenseHeads, ()) {
    const Program program = arbitrary_program();
    RC_ASSERT(in_full(sparse_coefficients(program)) == coefficients(dense_parameters(program)));
}

RC_GTEST_PROP(IntegerAttention, AgreesWithTheLiteralModel, ()) {
    const Program program = arbitrary_program();
    const Index d = program.schema.dim();
    IntegerAttention model(sparse_coefficients(program));
    std::vector<Token> tokens;
    for (int t = 0; t < 4; ++t) {
        std::vector<TokenEntry> entries;
        for (Index row = 0; row < d; ++row) {
            entries.push_back({row, *rc::gen::inRange<std::int64_t>(-4, 5)});
        }
        tokens.push_back(make_token(entries));
        model.append(tokens.back());
    }
    const Matrix Z = to_columns(tokens, d);
    const Vector z = Z.col(3);
    RC_ASSERT(to_column(*model.next(), d) == attend(dense_parameters(program), Z, z));
    RC_ASSERT(static_cast<double>(model.moment(0, d - 1)) == Z.row(0).dot(Z.row(d - 1)));
}

TEST(IntegerAttention, RefusesToWrapAround) {
    Program program{"square", {}, {}};
    const Block a = program.schema.add("a", 1);
    program.heads.push_back({"square", map_block(a, a), map_block(a, a)});
    IntegerAttention model(sparse_coefficients(program));
    const std::int64_t big = std::int64_t{1} << 31;
    model.append(make_token({{0, big}}));

    EXPECT_REFUSED("IntegerAttention: a sum exceeds 64 bits", model.next());
    EXPECT_REFUSED("IntegerAttention: a sum exceeds 64 bits",
                   model.append(make_token({{0, big * big / 2}})));
}

TEST(IntegerAttention, AFractionIsNoToken) {
    const SparseCoefficients half{1, 2, {{0, 0, 0, 0, 1}}};
    IntegerAttention model(half);
    model.append(make_token({{0, 1}}));
    EXPECT_FALSE(model.next().has_value());
    EXPECT_EQ(run_attention(half,
                            {make_token({{0, 1}})},
                            3,
                            [](const IntegerAttention&, const Token&) { return Continue::yes; })
                  .ending,
              AttentionEnding::fraction);
}

Program example(const char* name) {
    return parse_program(find_program_example(name)->text);
}

Token next_token(const Program& program, const std::vector<Token>& tokens) {
    IntegerAttention model(sparse_coefficients(program));
    for (const Token& token : tokens) {
        model.append(token);
    }
    return *model.next();
}

Token rows(const Program& program, const std::vector<std::pair<const char*, Index>>& values) {
    std::vector<Index> at;
    at.reserve(values.size());
    for (const auto& [block, value] : values) {
        at.push_back(program.schema.block(block).at(value));
    }
    return one_hot_token(at);
}

TEST(ProgramExamples, LookupRecallsTheValueOfAKey) {
    const Program program = example("lookup");
    const std::vector<Token> prompt{rows(program, {{"key", 0}, {"value", 3}}),
                                    rows(program, {{"key", 2}, {"value", 1}}),
                                    rows(program, {{"query", 2}})};
    EXPECT_EQ(next_token(program, prompt), rows(program, {{"answer", 1}}));
}

TEST(ProgramExamples, CopyRepeatsTheLetterTwoPlacesBack) {
    const Program program = example("copy");
    const std::vector<Token> prompt{rows(program, {{"one", 0}, {"P", 0}, {"letter", 2}}),
                                    rows(program, {{"P", 1}, {"letter", 1}})};
    const AttentionRun run = run_attention(
        sparse_coefficients(program), prompt, 3, [](const IntegerAttention&, const Token&) {
            return Continue::yes;
        });
    ASSERT_EQ(run.trace.generated.size(), 3U);
    EXPECT_EQ(run.trace.generated[0], rows(program, {{"P", 2}, {"letter", 2}}));
    EXPECT_EQ(run.trace.generated[1], rows(program, {{"P", 3}, {"letter", 1}}));
    EXPECT_EQ(run.trace.generated[2], rows(program, {{"P", 4}, {"letter", 2}}));
}

TEST(ProgramExamples, IfThenChoosesTheBranchOfX) {
    const Program program = example("if_then");
    for (Index x = 0; x < 3; ++x) {
        const std::vector<Token> prompt{rows(
            program, {{"x", x}, {"a0", 1}, {"b0", 0}, {"a1", 2}, {"b1", 1}, {"P", 0}, {"R", 0}})};
        const AttentionRun run = run_attention(
            sparse_coefficients(program), prompt, 3, [](const IntegerAttention&, const Token&) {
                return Continue::yes;
            });
        // Neither branch speaks of x = 0: nothing is printed.
        const Token expected = x == 0 ? Token{} : rows(program, {{"answer", x - 1}});
        EXPECT_EQ(run.trace.generated.at(2), expected) << x;
    }
}

TEST(ProgramText, ReadsBackWhatItPrints) {
    const Utm2 utm({3, 2, 2, 4, Moves::with_stay});
    std::vector<Program> programs{utm.program()};
    for (const ProgramExample& example : program_examples()) {
        programs.push_back(parse_program(example.text));
    }
    for (const Program& program : programs) {
        const Program again = parse_program(program_text(program));
        EXPECT_EQ(again.name, program.name);
        EXPECT_EQ(program_text(again), program_text(program));
        EXPECT_EQ(sparse_coefficients(again).entries, sparse_coefficients(program).entries);
    }
}

TEST(ProgramText, MapsRowsAndSums) {
    const Program program = parse_program(
        "block K 2\nblock one 1\nhead h: K <- K, one <- 3*K[1] ; one <- K, K[0] <- -one\n");
    EXPECT_EQ(program.heads[0].V, (std::vector<MatrixTerm>{{0, 0, 1}, {1, 1, 1}, {2, 1, 3}}));
    EXPECT_EQ(program.heads[0].Q, (std::vector<MatrixTerm>{{2, 0, 1}, {2, 1, 1}, {0, 2, -1}}));
    EXPECT_EQ(token_text(make_token({{0, -1}, {1, 2}, {2, 1}}), program.schema),
              "-K[0] 2*K[1] one");
}

TEST(ProgramText, NamesTheLineOfTheMistake) {
    const auto message = [](const char* text) {
        return invalid_input_message([&] { (void)parse_program(text); });
    };
    EXPECT_EQ(message(""), "program: there is no block");
    EXPECT_SAYS(message("blok K 2"), "program: line 1: got 'blok'");
    EXPECT_EQ(message("block K"), "program: line 1: expected block NAME SIZE");
    EXPECT_SAYS(message("block K 0"), "program: line 1: schema: block K got size 0");
    EXPECT_EQ(message("block K 2\nblock K 2"), "program: line 2: schema: block K is defined twice");
    EXPECT_SAYS(message("block K 99999999999999999999"),
                "program: line 1: got '99999999999999999999'");
    EXPECT_EQ(message("block K 2\nhead h: K <- K"), "program: line 2: expected head NAME: V ; Q");
    EXPECT_EQ(message("block K 2\nhead h: K <- L ; K <- K"),
              "program: line 2: schema: there is no block 'L'");
    EXPECT_EQ(message("block K 2\nhead h: K[2] <- K ; K <- K"),
              "program: line 2: block K: got rows from 2, 1, it has 2");
    EXPECT_SAYS(message("block K 2\nblock M 3\nhead h: K <- M ; K <- K"),
                "program: line 3: got 'K <- M', whose sides have 2 and 3 rows");
}

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
    const TuringMachine machine = random_machine(draws, 2, 3, 1, false);
    const Utm2 program(shape_of(machine, 4));
    const std::vector<Token> prompt =
        program.prompt(machine, random_word(draws, 4, 3), *rc::gen::inRange<Index>(0, 4));
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
    EXPECT_SAYS(complaint("P[0] letter[0]"),
                "prompt: token 1 lacks `one`, which starts every prompt of this program");
    EXPECT_EQ(complaint("one\nP[0] letter[0]\none P[1]"),
              "prompt: token 3 holds `one`, expected it in token 1 only");
    EXPECT_SAYS(complaint("one\nP[0] letter[0] letter[1]"),
                "prompt: token 2 holds 2 values of letter, letter[0] and letter[1]");
    EXPECT_SAYS(complaint("one\nP[1] letter[0]\nP[0] letter[0]\nP[1] letter[1]"),
                "prompt: tokens 2 and 4 both give a value to P[1] (head read)");
    EXPECT_EQ(complaint("one\n-P[0]"), "prompt: token 2 holds P[0] -1 times, expected once");
}

TEST(Prompt, ThatNamesNoRowIsRefusedWithItsLine) {
    EXPECT_EQ(complaint("one\n\nP[3]").rfind("prompt: line 3: ", 0), 0U);
    EXPECT_EQ(complaint("one\nQ[0]").rfind("prompt: line 2: ", 0), 0U);
    EXPECT_EQ(complaint("one\nP letter[0]"), "prompt: line 2: got 'P', expected one row, as P[0]");
}

}  // namespace

}  // namespace attest::test
