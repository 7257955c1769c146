#include "programs/learning/learn_traces.hpp"

#include "core/algebra/symmetric_pack.hpp"
#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/text.hpp"
#include "core/certify/lifted_solution.hpp"

#include <array>
#include <utility>

namespace attest {

namespace {

using Row = std::span<const IntegerEntry>;

/// LiftOptions' unit. Allows about 26 primes, entries of 800 bits, for 2600 null vectors of rank
/// 940: 400 runs of the two-state class on three cells, which need 11.
constexpr double kLiftSeconds = 300.0;

ColumnClasses find_classes(const TraceSource& source, Index count, Index d, ClassOrder order) {
    ColumnClasses classes(feature_dim(d));
    TraceRows rows(d);
    for (Index i = 0; i < count; ++i) {
        rows.visit(source(i), [&](Row row, Row /*label*/) { classes.observe(row); });
    }
    classes.close(order);
    require(classes.num_classes() > 0, "learn_traces: no trace prints a token");
    return classes;
}

/// Whether some printed token of the trace is not determined yet.
bool is_news(const ExactLearner& learner, TraceRows& rows, const Trace& trace) {
    bool news = false;
    rows.visit(trace, [&](Row row, Row label) {
        news = news || learner.judge(row, label) == RowJudgement::outside;
    });
    return news;
}

/// Active choice judges by the traces before the last elimination, and eliminates whenever this
/// share of those taken waits: one elimination a trace would cost far more than the traces saved.
constexpr Index kWaitingShare = 16;

/// Feeds the learner; returns the numbers of the traces it took.
std::vector<Index> feed(
    ExactLearner& learner, const TraceSource& source, Index count, Index d, Selection selection) {
    TraceRows rows(d);
    std::vector<Index> taken;
    Index waiting = 0;
    for (Index i = 0; i < count; ++i) {
        throw_if_interrupted("learn_traces");
        const Trace trace = source(i);
        if (selection == Selection::active && !is_news(learner, rows, trace)) {
            continue;
        }
        rows.visit(trace, [&](Row row, Row label) { learner.append(row, label); });
        taken.push_back(i);
        if (selection == Selection::active &&
            ++waiting * kWaitingShare >= static_cast<Index>(taken.size())) {
            learner.flush();
            waiting = 0;
        }
    }
    learner.flush();
    return taken;
}

/// What the training rows determine.
struct Solution {
    ExactMinimiser minimiser;
    RowSpan span;
    Index primes = 1;
};

/// Whether every training row is fitted and annihilated over Z. If not, residues were lifted to
/// the wrong fractions: the prime is too small.
bool proves(const Solution& solution,
            const TraceSource& source,
            const std::vector<Index>& taken,
            Index d) {
    TraceRows rows(d);
    bool holds = true;
    for (const Index i : taken) {
        throw_if_interrupted("learn_traces");
        rows.visit(source(i), [&](Row row, Row label) {
            holds = holds && solution.span.contains(row) && fits(solution.minimiser, row, label);
        });
    }
    return holds;
}

/// From the residues of the learner's own prime; no value when it is too small.
std::optional<Solution> solve_with_one_prime(const ExactLearner& learner,
                                             const TraceSource& source,
                                             const std::vector<Index>& taken,
                                             Index d) {
    std::optional<ExactMinimiser> minimiser = learner.minimiser();
    if (!minimiser) {
        return std::nullopt;
    }
    std::optional<IntegerMap> null_vectors = learner.null_vectors();
    if (!null_vectors) {
        return std::nullopt;
    }
    Solution solution{std::move(*minimiser), {learner.classes(), std::move(*null_vectors)}};
    if (!proves(solution, source, taken, d)) {
        return std::nullopt;
    }
    return solution;
}

Solution solve_with_many_primes(const ExactLearner& learner,
                                const TraceSource& source,
                                const std::vector<Index>& taken,
                                Index d) {
    LabelledRows labelled(learner.classes(), d);
    TraceRows rows(d);
    for (const Index i : taken) {
        rows.visit(source(i), [&](Row row, Row label) { labelled.append(row, label); });
    }
    LiftedSolution lifted =
        lift_solution(labelled, learner.profile(), {.budget_seconds = kLiftSeconds});
    return {std::move(lifted.minimiser), std::move(lifted.span), lifted.primes};
}

SparseCoefficients to_coefficients(const ExactMinimiser& minimiser, Index d) {
    SparseCoefficients coefficients{d, minimiser.denominator, {}};
    for (const MapEntry& entry : minimiser.values.entries()) {
        const auto [b, k] = packed_pair(d, entry.column / d);
        coefficients.entries.push_back({entry.output, b, k, entry.column % d, entry.value});
    }
    coefficients.entries = collect(std::move(coefficients.entries));
    return coefficients;
}

void require_consistent(const ExactLearner& learner) {
    require(learner.num_inconsistent() == 0,
            "learn_traces: {} of {} labels contradict the others; nothing is certified",
            learner.num_inconsistent(),
            learner.num_rows());
}

enum class Primes : std::uint8_t { one, as_many_as_needed };

/// How to learn. Later attempts cost more and reach further: rare pivot features keep the
/// minimiser's fractions short when few traces leave it much freedom.
struct Attempt {
    ClassOrder order;
    std::uint64_t prime;
    Primes primes;
};

constexpr std::array<Attempt, 4> kAttempts{{
    {ClassOrder::lowest_first, kFloatPrime, Primes::one},
    {ClassOrder::lowest_first, kDefaultPrime, Primes::one},
    {ClassOrder::rarest_first, kFloatPrime, Primes::one},
    {ClassOrder::rarest_first, kDefaultPrime, Primes::as_many_as_needed},
}};

std::optional<LearnedProgram> try_to_learn(
    const Attempt& attempt, const TraceSource& source, Index count, Index d, Selection selection) {
    const ColumnClasses classes = find_classes(source, count, d, attempt.order);
    ExactLearner learner(classes, d, attempt.prime);
    const std::vector<Index> taken = feed(learner, source, count, d, selection);
    require_consistent(learner);
    std::optional<Solution> solution = solve_with_one_prime(learner, source, taken, d);
    if (!solution && attempt.primes == Primes::as_many_as_needed) {
        solution = solve_with_many_primes(learner, source, taken, d);
    }
    if (!solution) {
        return std::nullopt;
    }
    std::vector<Words> words = null_words(solution->span);
    return LearnedProgram{to_coefficients(solution->minimiser, d),
                          std::move(solution->span),
                          std::move(words),
                          static_cast<Index>(taken.size()),
                          learner.num_rows(),
                          classes.num_active(),
                          classes.num_classes(),
                          learner.rank(),
                          attempt.order,
                          attempt.prime,
                          solution->primes,
                          taken};
}

}  // namespace

LearnedProgram learn_traces(const TraceSource& source, Index count, Index d, Selection selection) {
    std::optional<LearnedProgram> learned;
    for (std::size_t i = 0; i < kAttempts.size() && !learned; ++i) {
        learned = try_to_learn(kAttempts[i], source, count, d, selection);
    }
    ensure(learned.has_value(), "learn_traces: the last attempt lifts or throws");
    return std::move(*learned);
}

std::vector<bool> certified_tokens(const LearnedProgram& learned, const Trace& trace) {
    TraceRows rows(learned.coefficients.d);
    std::vector<bool> certified;
    rows.visit(trace, [&](Row row, Row /*label*/) {
        // The words let almost nothing through that the exact test would refuse.
        certified.push_back(vanishes(learned.null_words, row) && learned.span->contains(row));
    });
    return certified;
}

Dataset printed_tokens(const TraceSource& source, Index count, Index d) {
    Dataset data;
    data.labels = LabelKind::per_sequence;
    std::vector<Token> tokens;
    std::vector<Token> labels;
    data.offsets = {0};
    for (Index i = 0; i < count; ++i) {
        const Trace trace = source(i);
        std::vector<Token> seen = trace.prompt;
        for (const Token& printed : trace.generated) {
            tokens.insert(tokens.end(), seen.begin(), seen.end());
            data.offsets.push_back(static_cast<Index>(tokens.size()));
            labels.push_back(printed);
            seen.push_back(printed);
        }
    }
    data.tokens = to_columns(tokens, d);
    data.y = to_columns(labels, d);
    return data;
}

}  // namespace attest
