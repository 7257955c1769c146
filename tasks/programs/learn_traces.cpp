#include "tasks/programs/learn_traces.hpp"

#include "core/algebra/symmetric_pack.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/exact/split_mix.hpp"

#include <algorithm>

namespace attest {

namespace {

using Row = std::span<const IntegerEntry>;

ColumnClasses find_classes(const TraceSource& source, Index count, Index d) {
    ColumnClasses classes(feature_dim(d));
    TraceRows rows(d);
    for (Index i = 0; i < count; ++i) {
        rows.visit(source(i), [&](Row row, Row /*label*/) { classes.observe(row); });
    }
    classes.close();
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

/// Feeds the learner; returns the numbers of the traces it took.
std::vector<Index> feed(
    ExactLearner& learner, const TraceSource& source, Index count, Index d, Selection selection) {
    TraceRows rows(d);
    std::vector<Index> taken;
    for (Index i = 0; i < count; ++i) {
        const Trace trace = source(i);
        if (selection == Selection::active && !is_news(learner, rows, trace)) {
            continue;
        }
        rows.visit(trace, [&](Row row, Row label) { learner.append(row, label); });
        taken.push_back(i);
        if (selection == Selection::active) {
            learner.flush();
        }
    }
    learner.flush();
    return taken;
}

/// Whether every training row is fitted and annihilated over Z. If not, residues were lifted to
/// the wrong fractions: the prime is too small.
bool proves(const ExactMinimiser& minimiser,
            const IntegerMap& null_vectors,
            const ColumnClasses& classes,
            const TraceSource& source,
            const std::vector<Index>& taken,
            Index d) {
    TraceRows rows(d);
    bool holds = true;
    for (const Index i : taken) {
        rows.visit(source(i), [&](Row row, Row label) {
            const std::optional<ClassRow> projected = classes.project(row);
            ensure(projected.has_value(), "learn_traces: a training row breaks the classes");
            const std::vector<std::int64_t> products = null_vectors.apply(*projected);
            holds = holds && fits(minimiser, row, label) &&
                    std::all_of(products.begin(), products.end(), [](auto v) { return v == 0; });
        });
    }
    return holds;
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

/// Random combinations of all null vectors: those of the classes, column = ± representative, and
/// the unit vectors of columns that were never active.
std::vector<Words> combine_null_vectors(const IntegerMap& null_vectors,
                                        const ColumnClasses& classes) {
    std::vector<Words> words(static_cast<std::size_t>(classes.num_columns()), Words{});
    std::uint64_t draws = 0;
    std::vector<Words> weights(static_cast<std::size_t>(null_vectors.num_outputs()));
    for (Words& weight : weights) {
        weight = {split_mix(++draws), split_mix(++draws)};
    }
    const auto add = [&](Index column, std::int64_t value, const Words& weight) {
        Words& to = words[static_cast<std::size_t>(column)];
        to[0] += static_cast<std::uint64_t>(value) * weight[0];
        to[1] += static_cast<std::uint64_t>(value) * weight[1];
    };
    for (const MapEntry& entry : null_vectors.entries()) {
        add(classes.representative(entry.column),
            entry.value,
            weights[static_cast<std::size_t>(entry.output)]);
    }
    for (Index j = 0; j < classes.num_columns(); ++j) {
        const Index number = classes.class_of(j);
        if (number >= 0 && classes.representative(number) == j) {
            continue;
        }
        const Words weight{split_mix(++draws), split_mix(++draws)};
        add(j, 1, weight);
        if (number >= 0) {
            add(classes.representative(number), -classes.sign(j), weight);
        }
    }
    return words;
}

}  // namespace

LearnedProgram learn_traces(const TraceSource& source, Index count, Index d, Selection selection) {
    const ColumnClasses classes = find_classes(source, count, d);
    for (const std::uint64_t prime : {kFloatPrime, kDefaultPrime}) {
        ExactLearner learner(classes, d, prime);
        const std::vector<Index> taken = feed(learner, source, count, d, selection);
        require(learner.num_inconsistent() == 0,
                concat("learn_traces: ",
                       learner.num_inconsistent(),
                       " of ",
                       learner.num_rows(),
                       " labels contradict the others; nothing is certified"));
        const std::optional<ExactMinimiser> minimiser = learner.minimiser();
        const std::optional<IntegerMap> null_vectors = learner.null_vectors();
        if (!minimiser || !null_vectors ||
            !proves(*minimiser, *null_vectors, classes, source, taken, d)) {
            continue;
        }
        return {to_coefficients(*minimiser, d),
                combine_null_vectors(*null_vectors, classes),
                static_cast<Index>(taken.size()),
                learner.num_rows(),
                classes.num_active(),
                classes.num_classes(),
                learner.rank(),
                prime};
    }
    throw NotAvailable("learn_traces: the minimiser's fractions are too large for one prime");
}

std::vector<bool> certified_tokens(const LearnedProgram& learned, const Trace& trace) {
    TraceRows rows(learned.coefficients.d);
    std::vector<bool> certified;
    rows.visit(trace, [&](Row row, Row /*label*/) {
        Words sum{};
        for (const IntegerEntry& entry : row) {
            const Words& word = learned.null_words[static_cast<std::size_t>(entry.column)];
            sum[0] += static_cast<std::uint64_t>(entry.value) * word[0];
            sum[1] += static_cast<std::uint64_t>(entry.value) * word[1];
        }
        certified.push_back(sum == Words{});
    });
    return certified;
}

}  // namespace attest
