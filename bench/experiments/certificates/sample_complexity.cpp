#include "bench/experiments/certificates/sample_complexity.hpp"

#include "bench/experiments/entries.hpp"
#include "bench/experiments/frame/group_table.hpp"
#include "core/algebra/lapack.hpp"
#include "core/certify/numerical/spectrum.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/cubic.hpp"
#include "core/moments/moment_sums.hpp"
#include "core/moments/triangular_factor.hpp"
#include "core/solve/orthogonal.hpp"
#include "record/cells.hpp"
#include "record/figure/series.hpp"
#include "record/summary.hpp"
#include "tasks/agnostic_labels.hpp"
#include "tasks/gaussian_population.hpp"
#include "tasks/iid_entries.hpp"
#include "tasks/noisy_labels.hpp"
#include "tasks/random_linear_attention.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace attest {

// Theorem 2.2 of arXiv 2410.10101: the excess risk of least squares over the best layer, against
// the number of sequences N and the token dimension d, for a planted layer with label noise, for a
// softmax head and for a random cubic function that no layer computes.
//
// Expected outcome: N·excess tends to a constant, E[‖r‖² HᵀΛ⁻¹H] with the residual r of the best
// layer: σ²·d·ψ ≈ σ²d⁴/2 for noise, a few times its counterpart for the other two. Near N = ψ the
// excess is far above that.

namespace {

constexpr std::array kMultiples{0.5, 1.0, 1.25, 1.5, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0};

CaseOutcome measure(const SamplingSetting& setting, Index N, SamplingProblems& problems) {
    const std::shared_ptr<const SamplingProblem> problem = problems.of(setting);
    const Matrix& Lambda = problem->Lambda;
    const TriangularFactor factor = triangular_factor(TaskSource(*problem->task, 0, N));
    const LeastSquaresFit fit = fit_svd(factor, setting.d, {});
    const auto psi = static_cast<double>(feature_dim(setting.d));
    // An estimated reference is off by an independent error, whose mean square adds to the excess.
    const double excess = squared_distance(fit.P, problem->best, Lambda) - problem->reference_error;
    const double scaled = static_cast<double>(N) * excess;
    CaseOutcome outcome;
    const double d4 = std::pow(static_cast<double>(setting.d), 4);
    outcome.metrics["excess"] = {excess};
    outcome.metrics["reference_excess"] = {problem->reference_error};
    outcome.metrics["n_excess_over_d4"] = {scaled / d4};
    outcome.metrics["inflation"] = {scaled / (psi * problem->floor)};
    outcome.metrics["floor"] = {problem->floor};
    outcome.metrics["limit_over_d4"] = {problem->limit / d4};
    outcome.metrics["limit_over_d4_standard_error"] = {problem->limit_error / d4};
    outcome.metrics["limit_inflation"] = {problem->limit / (psi * problem->floor)};
    outcome.metrics["rank"] = {static_cast<double>(fit.rank)};
    if (setting.labels == "noise" && fit.status == SolveStatus::unique) {
        outcome.metrics["predicted"] = {
            noise_excess(factor, Lambda, kSamplingNoise, setting.d).mean};
    }
    return outcome;
}

Case sample_case(const SamplingSetting& setting,
                 double multiple,
                 const std::shared_ptr<SamplingProblems>& problems) {
    const Index psi = feature_dim(setting.d);
    const auto N = static_cast<Index>(std::llround(multiple * static_cast<double>(psi)));
    CaseKey key;
    key.task = setting.labels == "noise" ? "random_linear_attention" : "iid_entries";
    key.parameters = {{"labels", setting.labels},
                      {"d", std::int64_t{setting.d}},
                      {"n", std::int64_t{kSamplingTokens}},
                      {"n_over_psi", multiple},
                      {"num_examples", std::int64_t{N}}};
    if (setting.reference_size > 0) {
        key.parameters["reference_size"] = std::int64_t{setting.reference_size};
    }
    key.learner = "minimum_norm";
    key.seed = setting.seed;
    key.stream = sampling_stream(setting).path();
    key.repetition = setting.repetition;
    return {key, [=] { return measure(setting, N, *problems); }};
}

/// One case for each multiple of ψ that the population can measure.
void add_multiples(Experiment& experiment,
                   const SamplingSetting& setting,
                   const std::shared_ptr<SamplingProblems>& problems) {
    for (const double multiple : kMultiples) {
        // A sample as population must be larger than what is measured by it.
        if (setting.reference_size == 0 || multiple <= 64.0) {
            experiment.cases.push_back(sample_case(setting, multiple, problems));
        }
    }
}

Experiment make_sample_complexity(Profile profile, std::uint64_t seed) {
    const bool quick = profile == Profile::quick;
    const std::vector<Index> sizes =
        quick ? std::vector<Index>{2, 3, 4, 5} : std::vector<Index>{2, 3, 4, 5, 6};
    Experiment experiment{"sample_complexity", profile, seed};
    const auto problems = std::make_shared<SamplingProblems>(sampling_problem);
    for (const char* labels : {"noise", "softmax", "token_cubic"}) {
        const bool softmax = std::string_view(labels) == "softmax";
        for (const Index d : sizes) {
            // What softmax makes of the tokens is known by a sample of 1024ψ alone.
            const Index reference = softmax ? 1024 * feature_dim(d) : 0;
            for (Index repetition = 0; repetition < (quick ? 5 : 20); ++repetition) {
                add_multiples(experiment, {labels, d, repetition, reference, seed}, problems);
            }
        }
    }
    return experiment;
}

/// Past this multiple of ψ the slopes are fitted.
constexpr double kAsymptotic = 16.0;

/// The collapse is drawn from here on; closer to ψ the mean is ruled by rare draws.
constexpr double kCollapse = 2.0;

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

struct SampleLabels {
    std::string labels;
    std::string title;
};

const std::array<SampleLabels, 3> kSettings{{{"noise", "planted layer and noise"},
                                             {"softmax", "softmax head"},
                                             {"token_cubic", "random cubic function"}}};

bool measured(const Row& row) {
    return row.status == RowStatus::ok && row.metrics.at("excess").value > 0.0;
}

Table excess_table(const std::vector<Row>& rows) {
    std::vector<GroupColumn> columns;
    const auto add = [&](const char* header, const char* metric) {
        columns.push_back({metric, kThreeDigits, header, Statistic::mean});
        columns.push_back({metric, kThreeDigits, "± standard error", Statistic::standard_error});
    };
    add("excess risk", "excess");
    add("N·excess/d⁴", "n_excess_over_d4");
    add("N·excess/(ψ·floor)", "inflation");
    return group_table(
        rows, {"labels", {"d", "d"}, {"n_over_psi", "N/ψ"}, {"num_examples", "N"}}, columns);
}

/// Exponents of N, one for each repetition: excess from 16ψ on.
Summary slope_in_n(const std::vector<Row>& rows) {
    std::map<Index, std::array<std::vector<double>, 2>> curves;
    for (const Row& row : rows) {
        if (measured(row) && number_field(row, "n_over_psi") >= kAsymptotic) {
            curves[row.key.repetition][0].push_back(number_field(row, "num_examples"));
            curves[row.key.repetition][1].push_back(row.metrics.at("excess").value);
        }
    }
    std::vector<double> exponents;
    for (const auto& [repetition, curve] : curves) {
        if (curve[0].size() >= 2) {
            exponents.push_back(fit_power_law(curve[0], curve[1]).exponent);
        }
    }
    return summarise(exponents);
}

/// Exponent of N in the excess over repetitions: its mean or the mean's standard error.
Cell slope_cell(const std::vector<Row>& rows, Statistic statistic) {
    return computed_cell(rows, "exponent of N in excess", [statistic](const auto& mine) {
        const Summary slope = slope_in_n(mine);
        return slope.count > (statistic == Statistic::mean ? 0 : 1) ? statistic_of(slope, statistic)
                                                                    : kNoNumber;
    });
}

/// Exponent of d of the mean over repetitions of N·excess/d⁴, at the largest N/ψ.
double slope_in_d(const std::vector<Row>& rows) {
    double largest = 0.0;
    for (const Row& row : rows) {
        largest = std::max(largest, number_field(row, "n_over_psi"));
    }
    std::vector<double> d;
    std::vector<double> values;
    for (const RowGroup& group : group_rows(rows, {"d", "n_over_psi"}, "n_excess_over_d4")) {
        if (group.summary.count > 0 && std::get<double>(group.keys[1]) >= largest) {
            d.push_back(static_cast<double>(std::get<std::int64_t>(group.keys[0])));
            values.push_back(group.summary.mean);
        }
    }
    return d.size() >= 2 ? fit_power_law(d, values).exponent : kNoNumber;
}

Table slope_table(const std::vector<Row>& rows) {
    Table table;
    table.columns = {{"labels", Alignment::left},
                     {"d"},
                     {"exponent of N", Alignment::right, kThreeDigits},
                     {"± standard error", Alignment::right, kThreeDigits},
                     {"N·excess/d⁴ at the largest N", Alignment::right, kThreeDigits},
                     {"its limit", Alignment::right, kThreeDigits},
                     {"limit/(ψ·floor)", Alignment::right, kThreeDigits},
                     {"exponent of d in N·excess/d⁴", Alignment::right, kThreeDigits}};
    for (const SampleLabels& setting : kSettings) {
        const std::vector<Row> mine = select_rows(rows, "labels", setting.labels);
        if (mine.empty()) {
            continue;
        }
        Cell in_d = computed_cell(mine, "exponent of d in N·excess/d⁴", slope_in_d);
        for (const RowGroup& group : group_rows(mine, {"d"}, "limit_over_d4")) {
            const std::vector<Row> of_d = select_rows(mine, "d", to_string(group.keys[0]));
            const auto mean = [](const RowGroup& one) { return cell_of(one, Statistic::mean); };
            table.rows.push_back({setting.labels,
                                  key_cell(group, 0),
                                  slope_cell(of_d, Statistic::mean),
                                  slope_cell(of_d, Statistic::standard_error),
                                  mean(group_rows(of_d, {"n_over_psi"}, "n_excess_over_d4").back()),
                                  mean(group),
                                  mean(group_rows(of_d, {"d"}, "limit_inflation").front()),
                                  std::exchange(in_d, Cell())});
        }
    }
    return table;
}

Panel panel_of(const std::vector<Row>& rows,
               const SampleLabels& setting,
               const SeriesChoice& choice,
               const Axis& x,
               const Axis& y) {
    Panel panel;
    panel.title = setting.title;
    panel.x = x;
    panel.y = y;
    panel.legend = Legend::none;
    panel.series = series_from_rows(select_rows(rows, "labels", setting.labels), choice);
    for (Series& series : panel.series) {
        series.name = "d = " + series.name;
    }
    return panel;
}

Figure sample_figure(const std::vector<Row>& rows) {
    Figure figure;
    figure.title = "Theorem 2.2: excess risk over the best layer";
    figure.columns = 3;
    figure.panel_width = 480;
    figure.panel_height = 380;
    figure.legend = Legend::below;
    for (const SampleLabels& setting : kSettings) {
        figure.panels.push_back(panel_of(rows,
                                         setting,
                                         {"num_examples", "excess", {"d"}},
                                         {"sequences N", Scale::log10},
                                         {"excess risk", Scale::log10}));
    }
    std::vector<Row> beyond = rows;
    beyond.erase(
        std::remove_if(beyond.begin(),
                       beyond.end(),
                       [](const Row& row) { return number_field(row, "n_over_psi") < kCollapse; }),
        beyond.end());
    for (const SampleLabels& setting : kSettings) {
        figure.panels.push_back(panel_of(beyond,
                                         setting,
                                         {"n_over_psi", "n_excess_over_d4", {"d"}},
                                         {"N/ψ", Scale::log10},
                                         {"N · excess / d⁴", Scale::log10}));
    }
    return figure;
}

/// No training set reaches this far: examples from here on are fresh.
constexpr Index kFirstFresh = Index{1} << 30;
constexpr Index kLimitSamples = 20000;

std::unique_ptr<Task> planted_and_noise(Index d, const Stream& stream) {
    RandomLinearAttentionOptions options;
    options.d = d;
    options.n = {kSamplingTokens, kSamplingTokens};
    options.heads = 2;
    return std::make_unique<NoisyLabels>(
        random_linear_attention(options, stream), kSamplingNoise, stream.child("noise"));
}

std::unique_ptr<Task> relabelled(Index d, AgnosticKind kind, const Stream& stream) {
    IidEntriesOptions options;
    options.d = d;
    options.n = {kSamplingTokens, kSamplingTokens};
    return std::make_unique<AgnosticLabels>(
        iid_entries(options, stream), kind, stream.child("labels"));
}

/// Least squares on a large sample in place of the population.
void estimate_best(SamplingProblem& problem, Index samples) {
    const TaskSource source(*problem.task, kFirstFresh, samples);
    const Moments moments = structured_moments(source, {});
    problem.best = cholesky_solve(cholesky(moments.Lambda), moments.cross);
    problem.floor = moments.label_power - problem.best.cwiseProduct(moments.cross).sum();
}

/// Mean and standard error over a fresh sample.
void estimate_limit(SamplingProblem& problem) {
    const TaskSource source(*problem.task, kFirstFresh, kLimitSamples);
    const CholeskyFactor factor = cholesky(problem.Lambda);
    std::vector<double> values;
    for (Index b = 0; b < source.shape().num_blocks; ++b) {
        const MomentBatch batch = source.block(b);
        const Matrix H = feature_columns(batch);
        const Matrix residual = batch.y - problem.best.transpose() * H;
        const Matrix solved = cholesky_solve(factor, H);
        for (Index i = 0; i < H.cols(); ++i) {
            values.push_back(residual.col(i).squaredNorm() * H.col(i).dot(solved.col(i)));
        }
    }
    const Summary summary = summarise(std::move(values));
    problem.limit = summary.mean;
    problem.limit_error = summary.standard_error;
}

}  // namespace

ExperimentEntry sample_complexity() {
    return {.id = "sample_complexity",
            .summary = "Theorem 2.2: excess risk against examples and token dimension",
            .quick_seconds = 11.0,
            .full_seconds = 80.0,
            .make = make_sample_complexity,
            .text = sample_complexity_text,
            .derive_numbered = sample_complexity_derived};
}

std::string sample_complexity_text(const std::vector<Row>& rows) {
    return "Excess risk for N → ∞, by labels and token dimension\n" +
           to_terminal(slope_table(rows));
}

Derived sample_complexity_derived(const std::vector<Row>& rows) {
    return {{{"sample_complexity", excess_table(rows)},
             {"sample_complexity_slopes", slope_table(rows)}},
            {{"sample_complexity", sample_figure(rows)}}};
}

Stream sampling_stream(const SamplingSetting& setting) {
    return Stream(setting.seed)
        .child("sample_complexity")
        .child(setting.labels)
        .child(setting.d)
        .child(setting.repetition);
}

SamplingProblem sampling_problem(const SamplingSetting& setting) {
    const Stream stream = sampling_stream(setting);
    const Index d = setting.d;
    SamplingProblem problem;
    problem.Lambda = gaussian_second_moment(d, kSamplingTokens);
    if (setting.labels == "noise") {
        problem.task = planted_and_noise(d, stream);
        problem.best = coefficients(*problem.task->truth().heads);
        problem.floor = kSamplingNoise * kSamplingNoise * static_cast<double>(d);
        problem.limit = problem.floor * static_cast<double>(feature_dim(d));
    } else if (setting.labels == "token_cubic") {
        problem.task = relabelled(d, AgnosticKind::token_cubic, stream);
        const CubicPopulation population =
            cubic_population(token_cubic_factors(d, d, stream.child("labels")), d, kSamplingTokens);
        problem.best = population.best;
        problem.floor = population.floor;
        estimate_limit(problem);
    } else {
        problem.task = relabelled(d, AgnosticKind::softmax, stream);
        estimate_best(problem, setting.reference_size);
        estimate_limit(problem);
        problem.reference_error = problem.limit / static_cast<double>(setting.reference_size);
    }
    return problem;
}

}  // namespace attest
