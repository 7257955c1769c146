#include "bench/experiments/softmax/chen_li_lower_bound.hpp"

#include "bench/experiments/entries.hpp"
#include "bench/experiments/softmax/chen_li_problem.hpp"
#include "core/softmax/baselines.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

// The exponential dependence on m cannot be avoided by statistical queries: C(d−1, n) layers of m =
// 2n heads compute parities on n coordinates of two tokens, and their S-dependent parts are
// pairwise orthogonal. The construction is ours, made to be executed; the paper's was not seen.
//
// Expected outcome: off-diagonal correlations 0 to rounding for β = 40, variance 1; the six phases
// stop at the first, since Σ W = 0.

namespace {

constexpr std::string_view kLowerBoundId = "chen_li_lower_bound";

/// All n-subsets of 1 … d−1, lexicographically.
std::vector<std::vector<Index>> coordinate_sets(Index d, Index n) {
    std::vector<std::vector<Index>> sets;
    for (Index mask = 0; mask < (Index{1} << (d - 1)); ++mask) {
        std::vector<Index> set;
        for (Index v = 1; v < d; ++v) {
            if ((mask >> (v - 1)) % 2 == 1) {
                set.push_back(v);
            }
        }
        if (static_cast<Index>(set.size()) == n) {
            sets.push_back(set);
        }
    }
    std::sort(sets.begin(), sets.end());
    return sets;
}

/// The inputs with x_11 = 1, x_21 = −1; the others with an output are their negatives.
Matrix inputs_with_output(Index d) {
    const Index count = Index{1} << (2 * (d - 1));
    Matrix X(d, 2 * count);
    for (Index i = 0; i < count; ++i) {
        X(0, 2 * i) = 1.0;
        X(0, 2 * i + 1) = -1.0;
        for (Index e = 0; e < 2 * (d - 1); ++e) {
            X(1 + e % (d - 1), 2 * i + e / (d - 1)) = (i >> e) % 2 == 0 ? 1.0 : -1.0;
        }
    }
    return X;
}

CaseOutcome measure_family(Index d, Index n, double beta) {
    const ParityFamily family = parity_family(d, n, beta);
    CaseOutcome outcome;
    outcome.metrics["size"] = {
        static_cast<double>(family.size), 0.0, "", std::to_string(family.size)};
    outcome.metrics["largest_error"] = {family.largest_error};
    outcome.metrics["error_bound"] = {4.0 * std::exp(-beta / 2.0)};
    outcome.metrics["variance"] = {family.variance};
    // A mean over 2^(2(d−1)) inputs: as many roundings.
    outcome.metrics["largest_correlation"] =
        zero_up_to(std::ldexp(1.0, static_cast<int>(2 * (d - 1)) - 53), family.largest_correlation);
    outcome.metrics["centred_correlation"] = {family.centred_correlation};
    return outcome;
}

/// The first member of the family, β = 8, learned from Boolean examples.
CaseOutcome learn_member(
    Index d, Index n, Index repetition, const std::string& learner, std::uint64_t seed) {
    SoftmaxAttentionOptions options;
    options.law = TokenLaw::boolean;
    options.teacher.d = d;
    options.teacher.heads = 2 * n;
    const Stream stream = Stream(seed).child(kLowerBoundId).child(repetition);
    const SoftmaxAttention task(
        options, parity_heads(d, coordinate_sets(d, n).front(), 8.0), stream);
    const SoftmaxExamples held_out = softmax_source(task, 5000, 2000).draw(0, 2000);
    CaseOutcome outcome;
    if (learner == "six_phases") {
        SoftmaxLearnOptions learning = chen_li_options(task.heads());
        const SoftmaxResult result =
            learn_softmax(softmax_source(task, 0, 5000), held_out, learning);
        outcome.metrics["exact"] = {result.outcome == SoftmaxOutcome::recovered ? 1.0 : 0.0};
        outcome.metrics["sum_zero"] = {result.has(SoftmaxNotice::sum_zero) ? 1.0 : 0.0};
        return outcome;
    }
    const SoftmaxFit fit = fit_from_random(
        softmax_source(task, 0, 1500).draw(0, 1500), 2 * n, 0.3, 1, stream.child("start"));
    const double error = relative_error(fit.heads, held_out);
    outcome.metrics["exact"] = {error < kExactSuccess ? 1.0 : 0.0};
    outcome.metrics["held_out_error"] = {error};
    return outcome;
}

CaseKey key_of(Index d, Index n, const std::string& learner, Index repetition, std::uint64_t seed) {
    CaseKey key;
    key.task = "parity_heads";
    key.parameters = {{"d", std::int64_t{d}}, {"m", std::int64_t{2 * n}}};
    key.learner = learner;
    key.seed = seed;
    key.stream = Stream(seed).child(kLowerBoundId).child(repetition).path();
    key.repetition = repetition;
    return key;
}

Table family_table(const std::vector<Row>& rows) {
    return chen_li_table(rows,
                         {"d", "m", "beta"},
                         {{"layers", "size"},
                          {"max |F − limit|", "largest_error"},
                          {"4 exp(−β/2)", "error_bound"},
                          {"variance", "variance"},
                          {"max correlation", "largest_correlation"},
                          {"centred", "centred_correlation"}});
}

Table learner_table(const std::vector<Row>& rows) {
    return chen_li_table(rows,
                         {"d", "m", "learner"},
                         {{"exact", "exact", Statistic::mean},
                          {"stopped by ΣW = 0", "sum_zero", Statistic::mean},
                          {"held out", "held_out_error"}});
}

/// Rows of the exhaustive family, which have a β, or of the learners, which have none.
enum class Kind : std::uint8_t { family, learner };

std::vector<Row> rows_of(const std::vector<Row>& rows, Kind kind) {
    std::vector<Row> result;
    for (const Row& row : rows) {
        if ((row.key.learner == "family") == (kind == Kind::family)) {
            result.push_back(row);
        }
    }
    return result;
}

Experiment make_chen_li_lower_bound(Profile profile, std::uint64_t seed) {
    const bool quick = profile == Profile::quick;
    Experiment experiment{std::string(kLowerBoundId), profile, seed};
    for (const auto& [d, n] :
         std::vector<std::pair<Index, Index>>{{5, 1}, {5, 2}, {6, 1}, {6, 2}, {6, 3}, {7, 3}}) {
        if (d == 7 && quick) {
            continue;
        }
        for (const double beta : {8.0, 40.0}) {
            CaseKey key = key_of(d, n, "family", 0, seed);
            key.parameters["beta"] = beta;
            experiment.cases.push_back(
                {key, [d = d, n = n, beta] { return measure_family(d, n, beta); }});
        }
    }
    for (const auto& [d, n] :
         std::vector<std::pair<Index, Index>>{{6, 1}, {6, 2}, {6, 3}, {8, 1}, {8, 2}, {8, 3}}) {
        if (quick && (d == 8 || n == 3)) {
            continue;
        }
        for (const char* learner : {"six_phases", "levenberg_marquardt"}) {
            for (Index repetition = 0; repetition < (quick ? 2 : 6); ++repetition) {
                experiment.cases.push_back(
                    {key_of(d, n, learner, repetition, seed),
                     [d = d, n = n, repetition, name = std::string(learner), seed] {
                         return learn_member(d, n, repetition, name, seed);
                     }});
            }
        }
    }
    return experiment;
}

std::string chen_li_lower_bound_text(const std::vector<Row>& rows) {
    return "Layers of m heads that compute parities of m bits, over all inputs\n" +
           to_terminal(family_table(rows_of(rows, Kind::family))) +
           "\nLearning one of them, β = 8\n" +
           to_terminal(learner_table(rows_of(rows, Kind::learner)));
}

Derived chen_li_lower_bound_derived(const std::vector<Row>& rows) {
    return {
        .tables = {{"chen_li_lower_bound", family_table(rows_of(rows, Kind::family))},
                   {"chen_li_lower_bound_learners", learner_table(rows_of(rows, Kind::learner))}}};
}

}  // namespace

ParityFamily parity_family(Index d, Index n, double beta) {
    require(n >= 1 && n < d && d <= 8,
            "parity_family: got d = {} and n = {}, expected 1 <= n < d <= 8",
            d,
            n);
    const std::vector<std::vector<Index>> sets = coordinate_sets(d, n);
    const Matrix X = inputs_with_output(d);
    const Index inputs = X.cols() / 2;
    ParityFamily family;
    family.size = static_cast<Index>(sets.size());
    Matrix parts(inputs, family.size);
    for (Index s = 0; s < family.size; ++s) {
        const std::vector<Index>& set = sets[static_cast<std::size_t>(s)];
        const Matrix Y = softmax_attention(parity_heads(d, set, beta), X, 2);
        for (Index i = 0; i < inputs; ++i) {
            const Matrix limit = parity_target(X.middleCols(2 * i, 2), set);
            family.largest_error = std::max(family.largest_error,
                                            (Y.middleCols(2 * i, 2) - limit).cwiseAbs().maxCoeff());
            parts(i, s) = Y(0, 2 * i) - 1.0;  // (x_11 − x_21)/2 = 1 on these inputs
        }
    }
    const Matrix gram = parts.transpose() * parts / static_cast<double>(inputs);
    const Matrix centred = parts.colwise() - parts.rowwise().mean();
    const Matrix centred_gram = centred.transpose() * centred / static_cast<double>(inputs);
    family.variance = gram.diagonal().mean();
    for (Index s = 0; s < family.size; ++s) {
        for (Index t = 0; t < s; ++t) {
            const double correlation = gram(s, t) / std::sqrt(gram(s, s) * gram(t, t));
            const double other =
                centred_gram(s, t) / std::sqrt(centred_gram(s, s) * centred_gram(t, t));
            family.largest_correlation =
                std::max(family.largest_correlation, std::abs(correlation));
            if (std::abs(other) > std::abs(family.centred_correlation)) {
                family.centred_correlation = other;
            }
        }
    }
    return family;
}

ExperimentEntry chen_li_lower_bound() {
    return {
        .id = "chen_li_lower_bound",
        .summary = "layers that compute parities: exponential dependence on the number of heads",
        .quick_seconds = 6.0,
        .full_seconds = 300.0,
        .make = make_chen_li_lower_bound,
        .text = chen_li_lower_bound_text,
        .derive_numbered = chen_li_lower_bound_derived};
}

}  // namespace attest
