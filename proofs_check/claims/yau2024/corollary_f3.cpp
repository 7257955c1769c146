#include "core/algebra/symmetric_pack.hpp"
#include "core/base/text.hpp"
#include "programs/learning/exhaust.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"

#include <algorithm>
#include <cstdlib>

namespace attest::yau2024 {

namespace {

constexpr TuringShape kShape{2, 1, 2, 2, Moves::left_right};
constexpr Index kStride = 64;
constexpr Index kSteps = 4;

/// Whether printed tokens are rounded to whole entries before they are appended.
enum class Rounding : std::uint8_t { none, nearest };

/// Errors of a learned layer over a whole class, exactly.
struct ClassErrors {
    Index runs = 0;
    Index different = 0;   ///< runs with a token that is not printed, after the right prefix
    Index tokens = 0;      ///< tokens of all runs
    Rational squares = 0;  ///< Σ ‖layer − token‖² after the right prefix
};

/// ŷ − y of one row, as whole numbers over the minimiser's denominator.
std::vector<std::int64_t> errors_of(const ExactMinimiser& minimiser,
                                    std::span<const IntegerEntry> row,
                                    std::span<const IntegerEntry> label) {
    std::vector<std::int64_t> sums = minimiser.values.apply(row);
    for (const IntegerEntry& entry : label) {
        sums.at(static_cast<std::size_t>(entry.column)) -= minimiser.denominator * entry.value;
    }
    return sums;
}

ExactMinimiser to_minimiser(const SparseCoefficients& coefficients) {
    const Index d = coefficients.d;
    std::vector<MapEntry> entries;
    for (const Coefficient& c : coefficients.entries) {
        entries.push_back({c.output, pack_index(d, c.b, c.k) * d + c.e, c.value});
    }
    return {coefficients.denominator, IntegerMap(d, feature_dim(d), std::move(entries))};
}

ClassErrors measure(const SparseCoefficients& learned,
                    const Utm2& program,
                    const TuringClass& machines,
                    Rounding rounding) {
    const ExactMinimiser minimiser = to_minimiser(learned);
    const Integer squared_denominator = Integer(minimiser.denominator) * minimiser.denominator;
    std::vector<Index> all;
    for (Index i = 0; i < machines.size(); i += kStride) {
        all.push_back(i);
    }
    const TraceSource traces = class_traces(program, machines, all);
    TraceRows rows(learned.d);
    ClassErrors errors;
    for (Index i = 0; i < static_cast<Index>(all.size()); ++i) {
        bool differs = false;
        rows.visit(traces(i), [&](auto row, auto label) {
            Integer total = 0;
            for (const std::int64_t error : errors_of(minimiser, row, label)) {
                total += Integer(error) * error;
                differs = differs || (rounding == Rounding::none
                                          ? error != 0
                                          : 2 * std::abs(error) >= minimiser.denominator);
            }
            ++errors.tokens;
            errors.squares += Rational(total, squared_denominator);
        });
        ++errors.runs;
        errors.different += differs ? 1 : 0;
    }
    return errors;
}

/// The layer with one coefficient moved by 1/scale.
SparseCoefficients moved(SparseCoefficients layer, std::int64_t scale) {
    layer.denominator *= scale;
    for (Coefficient& coefficient : layer.entries) {
        coefficient.value *= scale;
    }
    layer.entries.front().value += 1;
    return layer;
}

Evidence test_corollary_f3(const ClaimContext& context) {
    Evidence evidence;
    const Utm2 program(kShape);
    const TuringClass machines(kShape, kSteps);
    const SparseCoefficients truth = sparse_coefficients(program.program());
    // Markov: a row of a token is rounded wrong only if its error is 1/2 or more.
    const SharedTest bound(
        evidence,
        [&](const SparseCoefficients& layer,
            Rounding rounding,
            Index times,
            const std::string& what) -> Answer {
            const ClassErrors errors = measure(layer, program, machines, rounding);
            const Rational allowed = times * errors.squares;
            return {Rational(errors.different) <= allowed,
                    formatted("{}, tokens {}: {} of {} histories differ; {} times the sum of "
                              "squared token errors is {} over {} tokens",
                              what,
                              rounding == Rounding::none ? "as they are" : "rounded",
                              errors.different,
                              errors.runs,
                              times,
                              six_digits(allowed.convert_to<double>()),
                              errors.tokens)};
        },
        kSampled);
    const std::string thousandth = "one coefficient off by 1/1000";
    const std::string half = "one coefficient off by 1/2";
    bound.check(Form::printed, moved(truth, 1000), Rounding::none, Index{4}, thousandth);
    bound.check(Form::tested, moved(truth, 1000), Rounding::nearest, Index{4}, thousandth);
    bound.check(Form::tested, moved(truth, 2), Rounding::nearest, Index{4}, half);
    // An error of 1/2 in every history that differs: no smaller constant will do.
    bound.control(moved(truth, 2), Rounding::nearest, Index{3}, half);
    const std::vector<Index> runs = machines.sample(context.pick(100, 400), context.stream);
    for (const Index count : {20, 50, 100}) {
        const std::vector<Index> some(runs.begin(), runs.begin() + count);
        const LearnedProgram learned = learn_traces(class_traces(program, machines, some),
                                                    count,
                                                    program.program().schema.dim(),
                                                    Selection::all);
        bound.check(Form::tested,
                    learned.coefficients,
                    Rounding::nearest,
                    Index{4},
                    formatted("learned from {} random runs", count));
    }
    return evidence;
}

}  // namespace

Claim corollary_f3() {
    return {
        .id = "yau2024/corollary_f3",
        .place = "Lemma C.5, Corollary F.3",
        .printed =
            "if the learned layer has mean squared error eps on the tokens of histories, its "
            "Phi-step history on a fresh machine and word differs from the true one with "
            "probability O(eps Phi); the definitions of histories round nothing",
        .tested =
            "with every token rounded before it is appended: at most 4 times the sum of the mean "
            "squared errors of its tokens, each after the right prefix",
        .deviation =
            "the proof rounds, and Definition G.2 takes a matrix for the tokens it rounds to; the "
            "definition of a history appends outputs as they are. Read so, an entry that is off by "
            "1/1000 makes another history",
        .depends_on = "yau2024/lemma_f1 yau2024/lemma_b1_overwriting",
        .method = Method::exact,
        .documented = Outcome::holds_after_correction,
        .severity = Severity::convention,
        .remark = "histories must be drawn whole, run by run: their tokens are not independent",
        .explain =
            "A union bound over the tokens of a history, each judged after the right prefix. An "
            "entry is rounded wrong only if its error is 1/2 or more, and by Markov's inequality "
            "that has probability at most 4 times its mean square. Errors are computed over Q on "
            "every 64th run of a class.",
        .run = test_corollary_f3,
    };
}

}  // namespace attest::yau2024
