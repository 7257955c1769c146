#include "core/base/text.hpp"
#include "programs/machines/turing_class.hpp"
#include "programs/machines/utm1.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"

#include <algorithm>

namespace attest::yau2024 {

namespace {

struct Sizes {
    Index d = 0;
    Index heads = 0;
};

Sizes sizes_of(const Program& program) {
    return {program.schema.dim(), static_cast<Index>(program.heads.size())};
}

/// Whether every entry of every printed token is −1, 0 or 1: two bits.
bool two_bits(const Trace& trace) {
    for (const Token& token : trace.generated) {
        for (const TokenEntry& entry : token) {
            if (entry.value != 1 && entry.value != -1) {
                return false;
            }
        }
    }
    return true;
}

void check_growth(Evidence& evidence) {
    // Constants that suffice: T = (n+1)(Φ+1) <= 4nΦ; h <= Q here.
    constexpr Index kHeads = 30;
    constexpr Index kRows = 40;
    Index most_heads = 0;
    Index most_rows = 0;
    for (const Index Q : {1, 3, 9, 27}) {
        for (const Index S : {1, 2, 8}) {
            for (const Index n : {1, 4, 16}) {
                for (const Index steps : {1, 5, 20}) {
                    const Sizes sizes =
                        sizes_of(Utm1({Q, 1, S, n, Moves::left_right}, steps).program());
                    most_heads = std::max(most_heads, sizes.heads / (n * steps * S));
                    most_rows = std::max(most_rows, sizes.d / (n * steps * S * std::max(S, Q)));
                }
            }
        }
    }
    evidence.check(
        Form::tested,
        most_heads < kHeads && most_rows < kRows,
        formatted("Algorithms 6 and 7 over 108 classes, Q <= 27, symbols <= 8, n <= 16, steps <= "
                  "20: H / (n steps symbols) < {}, d / (n steps symbols max(symbols, Q)) < {}",
                  most_heads + 1,
                  most_rows + 1));
}

Evidence run(const ClaimContext& context) {
    Evidence evidence;
    check_growth(evidence);
    const TuringShape shape{2, 1, 2, 3, Moves::left_right};
    constexpr Index kSteps = 5;
    const Utm1 copying(shape, kSteps);
    const Utm2 overwriting(shape);
    const TuringClass machines(shape, kSteps);
    const SparseCoefficients slow = sparse_coefficients(copying.program());
    const SparseCoefficients quick = sparse_coefficients(overwriting.program());
    const Index count = context.pick(300, 5000);
    Program undisarmed = overwriting.program();
    undisarmed.heads.pop_back();
    const SparseCoefficients faulty = sparse_coefficients(undisarmed);
    Index broken = 0;
    Index agree = 0;
    Index small = 0;
    Index in_time = 0;
    for (const Index number : machines.sample(count, context.stream)) {
        const auto [machine, tape] = machines.at(number);
        const TuringRun run = simulate(machine, tape.cells, tape.head, kSteps);
        const Utm1Run first = copying.run(slow, machine, tape.cells, tape.head);
        const Utm2Run second = overwriting.run(quick, machine, tape.cells, tape.head, kSteps);
        const bool same =
            first.trace == copying.expected(machine, tape.cells, tape.head) &&
            second.trace == overwriting.expected(machine, tape.cells, tape.head, run) &&
            second.result == run.result && first.tape == run.result.last.tape;
        agree += same ? 1 : 0;
        broken +=
            overwriting.run(faulty, machine, tape.cells, tape.head, kSteps).trace == second.trace
                ? 0
                : 1;
        small += two_bits(first.trace) && two_bits(second.trace) ? 1 : 0;
        const Index t = run.result.steps;
        const auto printed = static_cast<Index>(first.trace.generated.size());
        in_time += printed <= 6 * (shape.cells + t) * t ? 1 : 0;
    }
    const Sizes one = sizes_of(copying.program());
    const Sizes two = sizes_of(overwriting.program());
    evidence.check(Form::tested,
                   agree == count,
                   formatted("{} of {} random runs are printed token by token, by the algorithm "
                             "that prints every cell (d = {}, H = {} for {} steps) and by one that "
                             "overwrites its tape (d = {}, H = {} for any number of steps)",
                             agree,
                             count,
                             one.d,
                             one.heads,
                             kSteps,
                             two.d,
                             two.heads));
    evidence.check(Form::tested,
                   small == count,
                   formatted("{} of them with entries -1, 0 and 1 only: two bits", small));
    evidence.check(Form::tested,
                   in_time == count,
                   formatted("step t is printed within 6 (n + t) t tokens in {} of them; the other "
                             "program prints 2 tokens a step",
                             in_time));
    evidence.check(
        Form::control,
        broken > 0,
        formatted("without the head that disarms products {} of {} runs are printed wrong",
                  broken,
                  count));
    return evidence;
}

}  // namespace

Claim lemma_b1() {
    return {
        .id = "yau2024/lemma_b1",
        .paper = "arXiv 2410.10101",
        .place = "Lemma B.1",
        .printed = kNotAtHand,
        .tested =
            "one layer runs every machine of Q states and S symbols on n cells for Phi "
            "steps with H = O(n Phi S), d = O(n Phi S max(S, Q)), step t printed within "
            "O((n + t) t) tokens, entries of two bits",
        .deviation = "",
        .depends_on = "yau2024/lemma_f1",
        .method = Method::exact,
        .documented = Outcome::holds,
        .explain =
            "The program of Algorithms 6 and 7 prints every cell of every configuration. "
            "A second program keeps the tape as an associative memory and overwrites cells "
            "by signed tokens: its size does not depend on the number of steps at all.",
        .run = run,
    };
}

}  // namespace attest::yau2024
