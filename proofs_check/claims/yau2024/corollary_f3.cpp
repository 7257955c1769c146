#include "core/algebra/symmetric_pack.hpp"
#include "core/base/text.hpp"
#include "programs/learning/exhaust.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"

#include <algorithm>

namespace attest::yau2024 {

namespace {

constexpr TuringShape kShape{2, 1, 2, 2, Moves::left_right};
constexpr Index kStride = 64;
constexpr Index kSteps = 4;

/// Errors of a learned layer over a whole class, exactly.
struct ClassErrors {
    Index runs = 0;
    Index different = 0;   ///< runs whose history is not printed
    Index tokens = 0;      ///< tokens of all runs
    Rational squares = 0;  ///< Σ ‖layer − token‖² after the right prefix
};

/// Σ_a (ŷ_a − y_a)² of one row.
Rational squared_error(const ExactMinimiser& minimiser,
                       std::span<const IntegerEntry> row,
                       std::span<const IntegerEntry> label) {
    std::vector<std::int64_t> sums = minimiser.values.apply(row);
    for (const IntegerEntry& entry : label) {
        sums.at(static_cast<std::size_t>(entry.column)) -= minimiser.denominator * entry.value;
    }
    Integer total = 0;
    for (const std::int64_t sum : sums) {
        total += Integer(sum) * sum;
    }
    return Rational(total, Integer(minimiser.denominator) * minimiser.denominator);
}

ExactMinimiser to_minimiser(const SparseCoefficients& coefficients) {
    const Index d = coefficients.d;
    std::vector<MapEntry> entries;
    for (const Coefficient& c : coefficients.entries) {
        entries.push_back({c.output, pack_index(d, c.b, c.k) * d + c.e, c.value});
    }
    return {coefficients.denominator, IntegerMap(d, feature_dim(d), std::move(entries))};
}

ClassErrors measure(const LearnedProgram& learned,
                    const Utm2& program,
                    const TuringClass& machines) {
    const ExactMinimiser minimiser = to_minimiser(learned.coefficients);
    std::vector<Index> all;
    for (Index i = 0; i < machines.size(); i += kStride) {
        all.push_back(i);
    }
    const TraceSource traces = class_traces(program, machines, all);
    TraceRows rows(learned.coefficients.d);
    ClassErrors errors;
    for (Index i = 0; i < static_cast<Index>(all.size()); ++i) {
        bool differs = false;
        rows.visit(traces(i), [&](auto row, auto label) {
            const Rational error = squared_error(minimiser, row, label);
            ++errors.tokens;
            errors.squares += error;
            differs = differs || error != 0;
        });
        ++errors.runs;
        errors.different += differs ? 1 : 0;
    }
    return errors;
}

Evidence run(const ClaimContext& context) {
    Evidence evidence;
    const Utm2 program(kShape);
    const TuringClass machines(kShape, kSteps);
    const Index d = program.program().schema.dim();
    const std::vector<Index> runs = machines.sample(3200, context.stream);
    bool improves = true;
    Index before = machines.size();
    for (const Index count : {800, 1600, 3200}) {
        const std::vector<Index> some(runs.begin(), runs.begin() + count);
        const LearnedProgram learned =
            learn_traces(class_traces(program, machines, some), count, d, Selection::all);
        const ClassErrors errors = measure(learned, program, machines);
        // A history of at most 2 Phi tokens differs if one of them does, and the minimiser's
        // errors are whole numbers over its denominator: at least 1/den^2 each.
        const Integer den = learned.coefficients.denominator;
        const Rational bound = errors.squares * Rational(den * den);
        evidence.check(Form::tested,
                       Rational(errors.different) <= bound,
                       formatted("{} training runs: {} of {} histories differ; the sum of squared "
                                 "token errors is {} over {} tokens, denominator {}",
                                 count,
                                 errors.different,
                                 errors.runs,
                                 errors.squares,
                                 errors.tokens,
                                 den));
        improves = improves && errors.different <= before;
        before = errors.different;
    }
    evidence.check(Form::tested,
                   before == 0 && improves,
                   "with 3200 runs every 64th history of the class is printed");
    LearnedProgram altered =
        learn_traces(class_traces(program, machines, runs), 3200, d, Selection::all);
    altered.coefficients.entries.front().value += 1;
    const ClassErrors errors = measure(altered, program, machines);
    evidence.check(Form::control,
                   errors.different > 0,
                   formatted("one coefficient off by one: {} histories differ", errors.different));
    return evidence;
}

}  // namespace

Claim corollary_f3() {
    return {
        .id = "yau2024/corollary_f3",
        .paper = "arXiv 2410.10101",
        .place = "Lemma C.5, Corollary F.3",
        .printed = kNotAtHand,
        .tested =
            "the probability that a learned layer prints another history is at most the "
            "number of tokens times their squared error, O(eps Phi), up to the constant "
            "that separates a wrong token from a right one",
        .deviation = "the constant is 1/den^2 for a minimiser with common denominator den",
        .depends_on = "yau2024/lemma_b1",
        .method = Method::exact,
        .documented = Outcome::holds,
        .explain =
            "A union bound over the tokens of a history, each judged after the right "
            "prefix. Errors are computed over Q on every 64th run of a class.",
        .run = run,
    };
}

}  // namespace attest::yau2024
