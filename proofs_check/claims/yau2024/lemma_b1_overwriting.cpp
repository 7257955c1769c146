#include "core/base/text.hpp"
#include "programs/machines/turing_class.hpp"
#include "programs/machines/utm2.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"

namespace attest::yau2024 {

namespace {

constexpr TuringShape kOverwritten{2, 1, 2, 3, Moves::left_right};
constexpr Index kOverwritingSteps = 5;

/// Random runs of the class by these lookups: printed token by token, two tokens a step.
Answer overwriting_runs(const Utm2& machine,
                        const Program& program,
                        const Stream& stream,
                        Index count) {
    const TuringClass machines(kOverwritten, kOverwritingSteps);
    const SparseCoefficients layer = sparse_coefficients(program);
    Index agree = 0;
    Index short_enough = 0;
    for (const Index number : machines.sample(count, stream)) {
        const auto [table, tape] = machines.at(number);
        const TuringRun run = simulate(table, tape.cells, tape.head, kOverwritingSteps);
        const Utm2Run found = machine.run(layer, table, tape.cells, tape.head, kOverwritingSteps);
        agree += found.trace == machine.expected(table, tape.cells, tape.head, run) &&
                         found.result == run.result
                     ? 1
                     : 0;
        short_enough +=
            static_cast<Index>(found.trace.generated.size()) <= 2 * run.result.steps ? 1 : 0;
    }
    return {agree == count && short_enough == count,
            formatted("{} heads, d = {} for any number of steps: {} of {} random runs are printed "
                      "token by token, {} of them in at most two tokens a step",
                      program.heads.size(),
                      program.schema.dim(),
                      agree,
                      count,
                      short_enough)};
}

Evidence test_lemma_b1_overwriting(const ClaimContext& context) {
    Evidence evidence;
    const Utm2 machine(kOverwritten);
    Program undisarmed = machine.program();
    undisarmed.heads.pop_back();
    const SharedTest runs(
        evidence,
        [&](const Program& program) {
            return overwriting_runs(machine, program, context.stream, context.pick(300, 5000));
        },
        kSampled);
    runs.check(Form::tested, machine.program());
    runs.control(undisarmed);
    return evidence;
}

}  // namespace

Claim lemma_b1_overwriting() {
    return {
        .id = "yau2024/lemma_b1_overwriting",
        .place = "Beside Lemma B.1",
        .tested =
            "a layer whose d and H do not depend on the number of steps runs every machine of its "
            "size on n cells, two tokens a step",
        .deviation =
            "no witness of Lemma B.1: it prints changes of the tape, so x^t is never among its "
            "last tokens",
        .depends_on = "yau2024/lemma_f1",
        .method = Method::sampled,
        .explain =
            "The tape is an associative memory, overwritten by signed tokens. What the machine "
            "reads is a sum over all tokens that name the cell.",
        .run = test_lemma_b1_overwriting,
    };
}

}  // namespace attest::yau2024
