#include "core/base/text.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "tasks/programs/turing_class.hpp"
#include "tasks/programs/utm1.hpp"

#include <algorithm>

namespace attest::yau2024 {

namespace {

/// Both neighbours' branches test the move L, as the algorithm is printed.
Program as_printed(Program program) {
    const auto named = [&](std::string_view name) {
        return std::find_if(program.heads.begin(), program.heads.end(), [&](const auto& head) {
            return head.name == name;
        });
    };
    named("from_left")->V = named("from_right")->V;
    return program;
}

/// The branch of the cell itself looks δ up with its neighbour's letter instead of its own.
Program with_other_letter(Program program) {
    for (ProgramHead& head : program.heads) {
        if (head.name.rfind("KC_", 0) == 0) {
            const Index letter = program.schema.block("aL").at(head.name.back() - '0');
            head.Q.front().from = letter;
        }
    }
    return program;
}

Evidence run(const ClaimContext& context) {
    Evidence evidence;
    const TuringShape shape{2, 1, 2, 4, Moves::left_right};
    const Utm1 program(shape, 4);
    const TuringClass machines(shape, 4);
    const SparseCoefficients right = sparse_coefficients(program.program());
    const SparseCoefficients printed = sparse_coefficients(as_printed(program.program()));
    const SparseCoefficients other = sparse_coefficients(with_other_letter(program.program()));
    const Index count = context.pick(200, 4000);
    Index agree = 0;
    Index printed_agree = 0;
    Index other_agree = 0;
    for (const Index number : machines.sample(count, context.stream)) {
        const auto [machine, tape] = machines.at(number);
        const Trace expected = program.expected(machine, tape.cells, tape.head);
        const auto prints = [&, &machine = machine, &tape = tape](const SparseCoefficients& c) {
            return program.run(c, machine, tape.cells, tape.head).trace == expected ? 1 : 0;
        };
        agree += prints(right);
        printed_agree += prints(printed);
        other_agree += prints(other);
    }
    evidence.check(Form::printed,
                   printed_agree == count,
                   concat("with L tested for both neighbours, ",
                          printed_agree,
                          " of ",
                          count,
                          " random runs are printed right"));
    evidence.check(
        Form::tested,
        agree == count,
        concat("with L for a head on the right and R for one on the left: ", agree, " of ", count));
    evidence.check(Form::control,
                   other_agree < count,
                   concat("with a letter that is not the scanned one only ", other_agree));
    return evidence;
}

}  // namespace

Claim algorithm_7() {
    return {
        .id = "yau2024/algorithm_7",
        .paper = "arXiv 2410.10101",
        .place = "Algorithms 6 and 7",
        .printed = "the state moves onto a cell if the head is on either neighbour and moves L",
        .tested =
            "it moves onto a cell from the right by L, from the left by R; delta is looked "
            "up at the scanned letter",
        .deviation = "a head on the left neighbour reaches the cell by moving right",
        .depends_on = "yau2024/lemma_f1",
        .method = Method::exact,
        .documented = Outcome::holds_after_correction,
        .explain =
            "Each cell of the next configuration depends on three cells of the last one. "
            "The program runs as attention, three tokens a cell, and is compared with a "
            "plain simulator.",
        .run = run,
    };
}

}  // namespace attest::yau2024
