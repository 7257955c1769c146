#include "bench/experiments/certificates/robustness.hpp"

#include "bench/experiments/entries.hpp"
#include "bench/experiments/frame/group_table.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/predict.hpp"
#include "core/moments/moment_sums.hpp"
#include "core/rng/sample.hpp"
#include "core/solve/orthogonal.hpp"
#include "record/cells.hpp"
#include "record/figure/series.hpp"
#include "tasks/gaussian_population.hpp"
#include "tasks/teacher.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace attest {

// How far a layer learned from data that hardly identify it errs on other inputs: four ways of
// losing the certificate by degrees, Gaussian inputs as the other distribution.
//
// Expected outcome: the error on fresh data of the same distribution shows nothing; out of
// distribution it grows with tr(Λ_ood Λ_D⁻¹) by many orders of magnitude, as predicted by
// σ²·o·tr(Λ_ood Λ_D⁻¹)/N. A ridge caps it at about the error of the zero function.

namespace {

/// A learned P and the ridge it was learned with.
struct Learned {
    Matrix P;
    double ridge = 0.0;
};

Learned fit(const RobustnessProblem& problem, Index d, double ridge) {
    return {fit_svd(problem.factor, d, {ridge}).P, ridge};
}

Learned fit_minimum_norm(const RobustnessProblem& problem, const RobustnessSetting& setting) {
    return fit(problem, setting.d, 0.0);
}

/// σ²·o·ψ/(N‖P‖²): Bayes for coefficients of the truth's mean square, which no learner knows.
Learned fit_known_ridge(const RobustnessProblem& problem, const RobustnessSetting& setting) {
    const double norm = coefficient_norm(problem.truth, setting.d, Norm::sym);
    const auto unknowns = static_cast<double>(problem.truth.size());
    return fit(
        problem,
        setting.d,
        setting.sigma * setting.sigma * unknowns / (static_cast<double>(setting.N) * norm * norm));
}

/// The ridge of least risk on held-out data of the same distribution.
Learned learn_ridge_validated(const RobustnessProblem& problem, const RobustnessSetting& setting) {
    const DatasetSource validation(problem.validation);
    Learned best = fit(problem, setting.d, 0.0);
    double least = empirical_risk(best.P, validation).risk;
    for (int exponent = -12; exponent <= 2; ++exponent) {
        const Learned other = fit(problem, setting.d, std::pow(10.0, exponent));
        const double risk = empirical_risk(other.P, validation).risk;
        if (risk < least) {
            least = risk;
            best = other;
        }
    }
    return best;
}

struct Learner {
    std::string_view name;
    Learned (*learn)(const RobustnessProblem&, const RobustnessSetting&);
};

constexpr std::array kRobustnessLearners{Learner{"minimum_norm", fit_minimum_norm},
                                         Learner{"ridge", fit_known_ridge},
                                         Learner{"ridge_validated", learn_ridge_validated}};

CaseOutcome measure(const Learner& learner,
                    const RobustnessSetting& setting,
                    RobustnessProblems& problems) {
    const std::shared_ptr<const RobustnessProblem> problem = problems.of(setting);
    const Learned learned = learner.learn(*problem, setting);
    const Matrix& Lambda = problem->elsewhere;
    const Matrix zero = Matrix::Zero(learned.P.rows(), learned.P.cols());
    const double power = squared_distance(problem->truth, zero, Lambda);
    const double in_power = squared_distance(problem->truth, zero, problem->fresh);
    const double ood = squared_distance(learned.P, problem->truth, Lambda);
    CaseOutcome outcome;
    outcome.metrics["in_distribution"] = {
        squared_distance(learned.P, problem->truth, problem->fresh) / in_power};
    outcome.metrics["ood"] = {ood / power};
    outcome.metrics["lambda_min"] = {problem->spectrum.lambda_min,
                                     problem->spectrum.lambda_min_bound()};
    outcome.metrics["rank"] = {static_cast<double>(problem->spectrum.rank)};
    outcome.metrics["ridge"] = {learned.ridge};
    if (problem->predicted && learner.name == "minimum_norm") {
        const NoiseExcess& predicted = *problem->predicted;
        outcome.metrics["predicted"] = {predicted.mean / power};
        outcome.metrics["predicted_deviation"] = {predicted.deviation / power};
        outcome.metrics["factor"] = {ood / predicted.mean};
    }
    return outcome;
}

Case robustness_case(const Learner& learner,
                     const RobustnessSetting& setting,
                     const std::shared_ptr<RobustnessProblems>& problems) {
    CaseKey key;
    key.task = "robustness";
    key.parameters = {{"violation", std::string(name_of(kViolations, setting.violation))},
                      {"degree", setting.degree},
                      {"d", std::int64_t{setting.d}},
                      {"n", std::int64_t{setting.n}},
                      {"num_examples", std::int64_t{setting.N}},
                      {"sigma", setting.sigma}};
    key.learner = learner.name;
    key.seed = setting.seed;
    key.stream = setting.stream().path();
    key.repetition = setting.repetition;
    return {key, [&learner, setting, problems] { return measure(learner, setting, *problems); }};
}

Experiment make_robustness(Profile profile, std::uint64_t seed) {
    const bool quick = profile == Profile::quick;
    const std::vector<double> degrees =
        quick ? std::vector<double>{1.0, 0.3, 0.1, 0.03, 0.01, 0.0}
              : std::vector<double>{1.0, 0.5, 0.3, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01, 0.0};
    Experiment experiment{"robustness", profile, seed};
    const auto problems = std::make_shared<RobustnessProblems>(robustness_problem);
    for (const auto& [violation, name] : kViolations) {
        for (const double degree : degrees) {
            for (Index repetition = 0; repetition < (quick ? 5 : 20); ++repetition) {
                RobustnessSetting setting;
                setting.violation = violation;
                setting.degree = degree;
                setting.repetition = repetition;
                setting.seed = seed;
                for (const Learner& learner : kRobustnessLearners) {
                    experiment.cases.push_back(robustness_case(learner, setting, problems));
                }
            }
        }
    }
    return experiment;
}

constexpr Index kFreshDegraded = 4000;
constexpr Index kValidationSequences = 1000;

/// Data sets of one repetition share the subspace.
Dataset draw(const RobustnessSetting& setting, Index count, const Stream& stream) {
    return degraded_sequences({setting.violation, setting.degree, setting.d, setting.n},
                              count,
                              stream,
                              setting.stream().child("subspace"));
}

Dataset with_noisy_labels(Dataset data, const Matrix& truth, double sigma, const Stream& noise) {
    data.y = predict(truth, DatasetSource(data)) +
             sigma * grid_matrix(grid_normal(), truth.cols(), data.num_sequences(), noise);
    data.labels = LabelKind::per_sequence;
    return data;
}

std::string title_of_violation(std::string_view violation) {
    return violation == "low_rank"       ? "low-rank tokens + jitter"
           : violation == "single_token" ? "mostly single tokens"
           : violation == "signs"        ? "entries ±1 + jitter"
                                         : "one-hot tokens + jitter";
}

std::string title_of_learner(const std::string& learner) {
    return learner == "minimum_norm" ? "least squares"
           : learner == "ridge"      ? "ridge, truth's norm known"
                                     : "ridge, validated";
}

/// Medians over repetitions: one line for each violation and degree.
Table degree_table(const std::vector<Row>& rows) {
    std::vector<GroupColumn> columns;
    const auto add = [&](const char* header, const char* learner, const char* metric) {
        columns.push_back({metric, kThreeDigits, header, Statistic::median, learner});
    };
    add("rank", "minimum_norm", "rank");
    add("λ_min(Λ_D), numerical", "minimum_norm", "lambda_min");
    add("same distribution", "minimum_norm", "in_distribution");
    add("predicted elsewhere", "minimum_norm", "predicted");
    add("measured elsewhere", "minimum_norm", "ood");
    add("with ridge", "ridge", "ood");
    add("ridge, same distribution", "ridge", "in_distribution");
    add("with validated ridge", "ridge_validated", "ood");
    return group_table(rows, {"violation", {"degree", "degree"}}, columns);
}

struct LogPair {
    double x;
    double y;
};

double correlation(const std::vector<LogPair>& pairs) {
    const auto count = static_cast<double>(pairs.size());
    double mean_x = 0.0;
    double mean_y = 0.0;
    for (const LogPair& pair : pairs) {
        mean_x += pair.x / count;
        mean_y += pair.y / count;
    }
    double xx = 0.0;
    double yy = 0.0;
    double xy = 0.0;
    for (const LogPair& pair : pairs) {
        xx += (pair.x - mean_x) * (pair.x - mean_x);
        yy += (pair.y - mean_y) * (pair.y - mean_y);
        xy += (pair.x - mean_x) * (pair.y - mean_y);
    }
    return xy / std::sqrt(xx * yy);
}

/// Logarithms of two metrics of the rows that have both.
std::vector<LogPair> logarithms(const std::vector<Row>& rows,
                                const std::string& x,
                                const std::string& y) {
    std::vector<LogPair> pairs;
    for (const Row& row : rows) {
        if (row.status == RowStatus::ok && row.metrics.contains("predicted")) {
            pairs.push_back({std::log(row.metrics.at(x).value), std::log(row.metrics.at(y).value)});
        }
    }
    return pairs;
}

double spread(const std::vector<LogPair>& pairs) {
    const auto [low, high] = std::minmax_element(
        pairs.begin(), pairs.end(), [](const LogPair& a, const LogPair& b) { return a.y < b.y; });
    return std::exp(high->y - low->y);
}

/// Least or greatest measured over predicted.
double factor(const std::vector<Row>& rows, Statistic statistic) {
    const std::vector<LogPair> pairs = logarithms(rows, "predicted", "ood");
    const auto [low, high] =
        std::minmax_element(pairs.begin(), pairs.end(), [](const LogPair& a, const LogPair& b) {
            return a.y - a.x < b.y - b.x;
        });
    const LogPair& end = statistic == Statistic::least ? *low : *high;
    return std::exp(end.y - end.x);
}

/// How well the prediction does, and how well two simpler numbers would: of rows that have one.
std::vector<Cell> prediction_cells(const std::string& name, const std::vector<Row>& all) {
    std::vector<Row> rows;
    std::copy_if(all.begin(), all.end(), std::back_inserter(rows), [](const Row& row) {
        return row.status == RowStatus::ok && row.metrics.contains("predicted");
    });
    if (rows.empty()) {
        std::vector<Cell> nothing(9);
        nothing.front() = name;
        return nothing;
    }
    const auto correlated = [&](const std::string& x) {
        return computed_cell(
            rows, "log-correlation of " + x + " and ood", [x](const std::vector<Row>& mine) {
                return correlation(logarithms(mine, x, "ood"));
            });
    };
    const auto extreme = [&](Statistic statistic) {
        return computed_cell(
            rows, "ood/predicted", [=](const auto& mine) { return factor(mine, statistic); });
    };
    const auto ratio = [&](const std::string& metric) {
        return computed_cell(rows, "max/min of " + metric, [metric](const std::vector<Row>& mine) {
            return spread(logarithms(mine, "predicted", metric));
        });
    };
    return {name,
            cell_of(group_rows(rows, {}, "predicted").front(), Statistic::count),
            correlated("predicted"),
            extreme(Statistic::least),
            extreme(Statistic::greatest),
            correlated("lambda_min"),
            correlated("in_distribution"),
            ratio("in_distribution"),
            ratio("ood")};
}

Table prediction_table(const std::vector<Row>& rows) {
    Table table;
    table.columns = {
        {"violation", Alignment::left},
        {"rows"},
        {"log-correlation with the prediction", Alignment::right, {NumberFormat::Style::fixed, 4}},
        {"least measured/predicted", Alignment::right, kThreeDigits},
        {"largest", Alignment::right, kThreeDigits},
        {"log-correlation with λ_min", Alignment::right, kThreeDigits},
        {"with the error on the same distribution", Alignment::right, kThreeDigits},
        {"max/min on the same distribution", Alignment::right, kThreeDigits},
        {"max/min elsewhere", Alignment::right, kThreeDigits}};
    const std::vector<Row> mine = select_rows(rows, "learner", "minimum_norm");
    for (const auto& [violation, name] : kViolations) {
        table.rows.push_back(
            prediction_cells(std::string(name), select_rows(mine, "violation", name)));
    }
    table.rows.push_back(prediction_cells("all", mine));
    return table;
}

/// One curve for each learner, and the prediction; degree 0 has no place on the axis.
Panel degree_panel(const std::vector<Row>& rows, std::string_view violation) {
    Panel panel;
    panel.title = title_of_violation(violation);
    panel.x = {"degree", Scale::log10};
    panel.y = {"relative error", Scale::log10};
    panel.legend = Legend::none;
    std::vector<Row> mine = select_rows(rows, "violation", violation);
    mine.erase(std::remove_if(mine.begin(),
                              mine.end(),
                              [](const Row& row) {
                                  return std::get<double>(field(row, "degree").value()) <= 0.0;
                              }),
               mine.end());
    const auto add = [&](const std::string& learner, const char* metric, const std::string& name) {
        std::vector<Series> curve = series_from_rows(select_rows(mine, "learner", learner),
                                                     {"degree", metric, {}, Spread::range});
        for (Series& series : curve) {
            series.name = name;
            panel.series.push_back(series);
        }
    };
    add("minimum_norm", "in_distribution", "least squares, same distribution");
    add("minimum_norm", "predicted", "predicted elsewhere");
    for (const char* learner : {"minimum_norm", "ridge", "ridge_validated"}) {
        add(learner, "ood", title_of_learner(learner) + ", elsewhere");
    }
    panel.guides = {{Guide::Direction::horizontal, 1.0, "zero function"}};
    return panel;
}

}  // namespace

ExperimentEntry robustness() {
    return {.id = "robustness",
            .summary =
                "four ways of losing identifiability: the certificate predicts the error elsewhere",
            .quick_seconds = 10.0,
            .full_seconds = 40.0,
            .make = make_robustness,
            .text = robustness_text,
            .derive_numbered = robustness_derived};
}

Stream RobustnessSetting::stream() const {
    return Stream(seed)
        .child("robustness")
        .child(name_of(kViolations, violation))
        .child(static_cast<Index>(std::llround(1e6 * degree)))
        .child(repetition);
}

RobustnessProblem robustness_problem(const RobustnessSetting& setting) {
    const Stream stream = setting.stream();
    const Index d = setting.d;
    TeacherOptions teacher;
    teacher.d = d;
    teacher.o = d;
    teacher.heads = 2;
    RobustnessProblem problem;
    problem.truth = coefficients(random_teacher(teacher, stream.child("teacher")));
    const Dataset data = with_noisy_labels(draw(setting, setting.N, stream.child("train")),
                                           problem.truth,
                                           setting.sigma,
                                           stream.child("noise"));
    problem.factor = triangular_factor(DatasetSource(data));
    problem.spectrum = numerical_spectrum(problem.factor);
    const Dataset fresh = draw(setting, kFreshDegraded, stream.child("fresh"));
    problem.fresh = structured_moments(DatasetSource(fresh), {}).Lambda;
    problem.validation =
        with_noisy_labels(draw(setting, kValidationSequences, stream.child("validation")),
                          problem.truth,
                          setting.sigma,
                          stream.child("validation_noise"));
    problem.elsewhere = gaussian_second_moment(d, setting.n);
    if (problem.spectrum.nullity() == 0) {
        problem.predicted = noise_excess(problem.factor, problem.elsewhere, setting.sigma, d);
    }
    return problem;
}

std::string robustness_text(const std::vector<Row>& rows) {
    return "Relative errors, medians over repetitions; elsewhere: standard normal entries\n" +
           to_terminal(degree_table(rows)) + "\n" + to_terminal(prediction_table(rows));
}

Derived robustness_derived(const std::vector<Row>& rows) {
    Figure figure;
    figure.title = "Errors by degrees of identifiability; elsewhere = standard normal entries";
    figure.columns = 2;
    figure.panel_width = 560;
    figure.panel_height = 400;
    figure.legend = Legend::below;
    for (const auto& [violation, name] : kViolations) {
        figure.panels.push_back(degree_panel(rows, name));
    }
    return {{{"robustness", degree_table(rows)}, {"robustness_prediction", prediction_table(rows)}},
            {{"robustness", figure}}};
}

}  // namespace attest
