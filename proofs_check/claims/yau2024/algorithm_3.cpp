#include "core/base/text.hpp"
#include "programs/language/execute.hpp"
#include "programs/language/program_examples.hpp"
#include "programs/language/program_text.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"

namespace attest::yau2024 {

namespace {

Program example(std::string_view name) {
    return parse_program(find_program_example(name)->text);
}

std::vector<Token> print_tokens(const Program& program,
                                const std::vector<Token>& prompt,
                                Index count) {
    return run_attention(sparse_coefficients(program),
                         prompt,
                         count,
                         [](const IntegerAttention&, const Token&) { return Continue::yes; })
        .trace.generated;
}

Token one_of_each(const Program& program,
                  const std::vector<std::pair<std::string_view, Index>>& values) {
    std::vector<Index> rows;
    rows.reserve(values.size());
    for (const auto& [block, value] : values) {
        rows.push_back(program.schema.block(block).at(value));
    }
    return one_hot_token(rows);
}

/// Every table of four keys with four values each, every query.
Answer looks_up(const Program& program) {
    Index right = 0;
    Index asked = 0;
    for (Index table = 0; table < 256; ++table) {
        std::vector<Token> prompt;
        for (Index key = 0; key < 4; ++key) {
            prompt.push_back(
                one_of_each(program, {{"key", key}, {"value", (table >> (2 * key)) % 4}}));
        }
        for (Index query = 0; query < 4; ++query, ++asked) {
            std::vector<Token> tokens = prompt;
            tokens.push_back(one_of_each(program, {{"query", query}}));
            const Token answer = one_of_each(program, {{"answer", (table >> (2 * query)) % 4}});
            right += print_tokens(program, tokens, 1).front() == answer ? 1 : 0;
        }
    }
    return {right == asked,
            formatted("Lookup, one head of {} terms: {} of {} queries of all tables of 4 keys and "
                      "4 values",
                      program.heads.front().V.size() + program.heads.front().Q.size(),
                      right,
                      asked)};
}

/// Every pair of letters, repeated three times from two tokens back.
Answer copies_from_two_back(const Program& program) {
    Index right = 0;
    for (Index letters = 0; letters < 9; ++letters) {
        const std::vector<Index> pair{letters % 3, letters / 3};
        const std::vector<Token> prompt{
            one_of_each(program, {{"one", 0}, {"P", 0}, {"letter", pair[0]}}),
            one_of_each(program, {{"P", 1}, {"letter", pair[1]}})};
        std::vector<Token> expected;
        for (Index i = 2; i < 5; ++i) {
            expected.push_back(one_of_each(
                program, {{"P", i}, {"letter", pair[static_cast<std::size_t>(i % 2)]}}));
        }
        right += print_tokens(program, prompt, 3) == expected ? 1 : 0;
    }
    return {right == 9,
            formatted("Copy from two tokens back, fed its own output, first head of {} terms: {} "
                      "of 9 pairs of letters are repeated",
                      program.heads.front().V.size() + program.heads.front().Q.size(),
                      right)};
}

/// What the program prints of x and two branches a → b.
struct Branching {
    Index x;
    std::vector<Index> a;
    std::vector<Index> b;

    [[nodiscard]] Token printed_by(const Program& program) const {
        const std::vector<Token> prompt{one_of_each(program,
                                                    {{"x", x},
                                                     {"a0", a[0]},
                                                     {"b0", b[0]},
                                                     {"a1", a[1]},
                                                     {"b1", b[1]},
                                                     {"P", 0},
                                                     {"R", 0}})};
        return print_tokens(program, prompt, 3).back();
    }
};

std::vector<Branching> all_branchings() {
    std::vector<Branching> choices;
    for (Index code = 0; code < Index{3} * 3 * 3 * 4; ++code) {
        choices.push_back({code % 3, {code / 3 % 3, code / 9 % 3}, {code / 27 % 2, code / 54}});
    }
    return choices;
}

/// Every x, two different conditions and their values.
Answer chooses(const Program& program) {
    Index right = 0;
    Index asked = 0;
    for (const Branching& branching : all_branchings()) {
        if (branching.a[0] == branching.a[1]) {
            continue;
        }
        ++asked;
        const Token expected =
            branching.x == branching.a[0]   ? one_of_each(program, {{"answer", branching.b[0]}})
            : branching.x == branching.a[1] ? one_of_each(program, {{"answer", branching.b[1]}})
                                            : Token{};
        right += branching.printed_by(program) == expected ? 1 : 0;
    }
    return {right == asked,
            formatted("If-Then by a table of two printed rows, first head of {} terms: {} of {} "
                      "choices of x, two different conditions and their values",
                      program.heads.front().V.size() + program.heads.front().Q.size(),
                      right,
                      asked)};
}

/// Keys must be unique: values of equal keys are added up.
void check_equal_conditions(Evidence& evidence) {
    const Program program = example("if_then");
    Index doubled = 0;
    for (const Branching& branching : all_branchings()) {
        if (branching.a[0] == branching.a[1] && branching.x == branching.a[0]) {
            const Token printed = branching.printed_by(program);
            const auto value = [&](Index b) {
                return value_at(printed, program.schema.block("answer").at(b));
            };
            doubled += value(branching.b[0]) + value(branching.b[1]) > 1 ? 1 : 0;
        }
    }
    evidence.check(Form::control,
                   doubled == 12,
                   formatted("with two equal conditions both values are added up in {} of the 12 "
                             "cases where x meets them: keys must be unique",
                             doubled));
}

/// Its first head without the last term.
Program forgetful(Program program) {
    program.heads.front().V.pop_back();
    return program;
}

Evidence test_algorithm_3(const ClaimContext& /*context*/) {
    Evidence evidence;
    const SharedTest lookup(evidence, looks_up);
    lookup.check(Form::printed, example("lookup"));
    lookup.control(forgetful(example("lookup")));
    const SharedTest copy(evidence, copies_from_two_back);
    copy.check(Form::printed, example("copy"));
    copy.control(forgetful(example("copy")));
    const SharedTest conditional(evidence, chooses);
    conditional.check(Form::printed, example("if_then"));
    conditional.control(forgetful(example("if_then")));
    check_equal_conditions(evidence);
    return evidence;
}

}  // namespace

Claim algorithm_3() {
    return {
        .id = "yau2024/algorithm_3",
        .place = "Algorithms 3, 4 and 5",
        .printed =
            "lookup, copy from a fixed distance and if-then (Algorithms 4 and 5) are programs of "
            "lookups (Algorithm 3); values of equal keys are added",
        .tested = "the same, run by attention",
        .depends_on = "yau2024/lemma_f1",
        .method = Method::exact,
        .severity = Severity::none,
        .remark =
            "the position of the new token is one more lookup, by a permutation of positions; two "
            "lookups into one attribute: see yau2024/lemma_f1",
        .explain =
            "Written in the text form of programs, compiled, and run over the integers on "
            "every input. A dictionary adds up the values of equal keys, so programs keep "
            "keys unique.",
        .run = test_algorithm_3,
    };
}

}  // namespace attest::yau2024
