#include "bench/experiments/softmax/distil.hpp"

#include "bench/experiments/entries.hpp"
#include "bench/experiments/frame/group_table.hpp"
#include "core/base/bitwise.hpp"
#include "core/base/text.hpp"
#include "core/certify/rank/exact_rank.hpp"
#include "core/distil/distil.hpp"
#include "core/layers/parse_layer.hpp"
#include "core/rng/sample.hpp"
#include "core/solve/solvers.hpp"
#include "record/cells.hpp"
#include "tasks/iid_entries.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace attest {

// What is lost when a softmax head is replaced by the best linear layer, as its scores get smaller,
// and what training finds in the place of least squares.
//
// Expected outcome: without a constant (linear) the mean of the tokens is missed and the risk
// stays; with one (affine, degree=0..p) it falls as τ², however large p, since the softmax's
// denominator is a second sum over the tokens; a normalised head has that sum and falls as τ⁴.
// Constants are those of the series in docs/distil.md. No training passes below the floor.

namespace {

constexpr std::string_view kHighestDegree = "degree=0..3";
constexpr std::array<std::string_view, 6> kLayerFamilies{
    "linear", "affine", "degree=0..1", "degree=0..2", kHighestDegree, "affine normalised"};
constexpr std::array kTrainedFamilies{"linear", "affine", "degree=0..1"};
constexpr Index kLargestTrained = 3;  ///< d of the problems on which training is tried

using ProblemsOfDistil = std::shared_ptr<DistilProblems>;

void add_linear(CaseOutcome& outcome, const Dataset& train, const Dataset& held_out) {
    const DatasetSource source(train);
    const Matrix P = fit_least_squares(source, "svd", {}).P;
    const Risk risk = empirical_risk(P, source);
    outcome.metrics["risk"] = {risk.risk};
    outcome.metrics["relative"] = {risk.relative};
    outcome.metrics["held_out_relative"] = {empirical_risk(P, DatasetSource(held_out)).relative};
    outcome.metrics["rank"] = {static_cast<double>(certify_rank(train).rank_lower)};
    outcome.metrics["psi"] = {static_cast<double>(P.rows())};
}

void add_normalised(CaseOutcome& outcome, const Dataset& train, const Dataset& held_out) {
    const DistilledNormalised found = distil_normalised(train, &held_out);
    outcome.metrics["risk"] = {found.fit.risk};
    outcome.metrics["relative"] = {found.fit.risk / found.power};
    outcome.metrics["held_out_relative"] = {*found.held_out_relative};
    outcome.metrics["floor_relative"] = {found.fit.floor / found.power};
}

CaseOutcome measure_distil(const DistilSetting& setting, double tau, DistilProblems& problems) {
    const auto problem = problems.of(setting);
    SoftmaxLayer softmax = problem->softmax;
    softmax.tau = tau;
    const Dataset train = labelled_by(softmax, problem->train);
    const Dataset held_out = labelled_by(softmax, problem->held_out);
    CaseOutcome outcome;
    if (setting.normalised()) {
        add_normalised(outcome, train, held_out);
    } else {
        add_linear(outcome, train, held_out);
        const double power = train.y.squaredNorm() / static_cast<double>(train.num_examples());
        outcome.metrics["single_sum_relative"] = {problem->single_sum * tau * tau / power};
    }
    outcome.metrics["predicted"] = {problem->leading.constant *
                                    std::pow(tau, problem->leading.power)};
    outcome.metrics["predicted_exponent"] = {static_cast<double>(problem->leading.power)};
    return outcome;
}

/// The best or the worst start of an optimiser; nothing where all diverged.
void add_starts(CaseOutcome& outcome, const std::vector<Contender>& contenders) {
    for (const OptimiserKind kind : {OptimiserKind::adam, OptimiserKind::sgd}) {
        std::vector<double> found;
        for (const Contender& each : contenders) {
            if (each.optimiser == kind && each.relative_risk) {
                found.push_back(*each.relative_risk);
            }
        }
        if (!found.empty()) {
            const auto [best, worst] = std::minmax_element(found.begin(), found.end());
            outcome.metrics[std::string(to_string(kind)) + "_relative"] = {*best};
            outcome.metrics[std::string(to_string(kind)) + "_worst"] = {*worst};
        }
    }
}

CaseOutcome train_beside(const DistilSetting& setting,
                         double tau,
                         Index updates,
                         DistilProblems& problems) {
    const auto problem = problems.of(setting);
    SoftmaxLayer softmax = problem->softmax;
    softmax.tau = tau;
    const Dataset train = labelled_by(softmax, problem->train);
    DistilRequest request;
    request.contenders = {3, updates, 32, setting.seed};
    const Distilled found = distil(train, nullptr, request);
    const double power = found.train.risk / found.train.relative;
    CaseOutcome outcome;
    outcome.metrics["relative"] = {found.train.relative};
    outcome.metrics["floor_relative"] = {found.floor.value / power};
    outcome.metrics["floor_proved"] = {found.floor.basis == FloorBasis::numerical ? 0.0 : 1.0};
    add_starts(outcome, found.contenders);
    return outcome;
}

CaseKey distil_key(const DistilSetting& setting, double tau, const char* learner) {
    CaseKey key;
    key.task = "distil";
    key.parameters = {{"d", std::int64_t{setting.d}},
                      {"n", std::int64_t{setting.n}},
                      {"num_examples", std::int64_t{setting.N}},
                      {"tau", tau}};
    key.learner = learner;
    key.learner_parameters = {{"family", setting.family}};
    key.seed = setting.seed;
    key.stream = setting.stream().path();
    return key;
}

void add_problem(Experiment& experiment,
                 DistilSetting setting,
                 const std::vector<double>& taus,
                 const ProblemsOfDistil& problems) {
    // ψ = 944 of the highest degree at d = 4 would cost more than all the rest.
    const Index largest = experiment.profile == Profile::quick ? 2 : 3;
    for (const std::string_view family : kLayerFamilies) {
        if (family == kHighestDegree && setting.d > largest) {
            continue;
        }
        setting.family = family;
        for (const double tau : taus) {
            experiment.cases.push_back(
                {distil_key(setting, tau, "least_squares"),
                 [setting, tau, problems] { return measure_distil(setting, tau, *problems); }});
        }
    }
}

/// On fewer sequences: exact floors are wanted.
void add_training(Experiment& experiment,
                  DistilSetting setting,
                  const std::vector<double>& taus,
                  const ProblemsOfDistil& problems) {
    const Index updates = experiment.profile == Profile::quick ? 1000 : 6000;
    setting.N = 200;
    for (const char* family : kTrainedFamilies) {
        setting.family = family;
        for (const double tau : {taus.front(), taus.back()}) {
            Case one{distil_key(setting, tau, "trained"), [setting, tau, updates, problems] {
                         return train_beside(setting, tau, updates, *problems);
                     }};
            one.key.learner_parameters["updates"] = std::int64_t{updates};
            experiment.cases.push_back(std::move(one));
        }
    }
}

Experiment make_distil(Profile profile, std::uint64_t seed) {
    const bool quick = profile == Profile::quick;
    Experiment experiment{"distil", profile, seed};
    const auto problems = std::make_shared<DistilProblems>(distil_problem);
    const std::vector<double> taus =
        quick ? std::vector<double>{1.0, 0.25, 0.0625, 0.015625}
              : std::vector<double>{4.0, 2.0, 1.0, 0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625};
    for (const Index d : quick ? std::vector<Index>{2, 3} : std::vector<Index>{2, 3, 4}) {
        for (const Index n : quick ? std::vector<Index>{4, 16} : std::vector<Index>{3, 4, 8, 32}) {
            const DistilSetting setting{d, n, quick ? 1000 : 4000, "", seed};
            add_problem(experiment, setting, taus, problems);
            if (d <= kLargestTrained && n == 4) {
                add_training(experiment, setting, taus, problems);
            }
        }
    }
    return experiment;
}

Dataset tokens(const DistilSetting& setting, const SoftmaxLayer& softmax, std::string_view name) {
    IidEntriesOptions options;
    options.d = setting.d;
    options.n = {setting.n, setting.n};
    const Stream stream = setting.stream().child(name);
    Dataset data = materialise(*iid_entries(options, stream), 0, setting.N, 1);
    data.layer = layer_named(setting.layer());
    return labelled_by(softmax, std::move(data));
}

/// Rows at the smallest temperatures' scores that an exponent is fitted to.
constexpr std::size_t kPointsOfFit = 2;

std::vector<Row> by_tau(std::vector<Row> rows) {
    std::erase_if(rows, [](const Row& row) { return row.status != RowStatus::ok; });
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return number_field(a, "tau") < number_field(b, "tau");
    });
    return rows;
}

double measured_exponent(const std::vector<Row>& rows) {
    std::vector<double> x;
    std::vector<double> y;
    for (const Row& row : by_tau(rows)) {
        if (x.size() < kPointsOfFit) {
            x.push_back(number_field(row, "tau"));
            y.push_back(row.metrics.at("risk").value);
        }
    }
    return x.size() < 2 ? std::nan("") : fit_power_law(x, y).exponent;
}

/// The risk of one row over the leading term of its series.
double over_theory(const std::vector<Row>& rows) {
    const Metrics& metrics = rows.front().metrics;
    return metrics.at("risk").value / metrics.at("predicted").value;
}

/// One line for each problem and family: the risk at full scores, and how it falls.
Table distil_table(const std::vector<Row>& all) {
    Table table;
    table.columns = {{"d"},
                     {"n"},
                     {"family", Alignment::left},
                     {"rank"},
                     {"τ = 1", Alignment::right, kThreeDigits},
                     {"held out", Alignment::right, kThreeDigits},
                     {"least τ"},
                     {"there", Alignment::right, kThreeDigits},
                     {"over theory", Alignment::right, kThreeDigits},
                     {"exponent", Alignment::right, kThreeDigits},
                     {"theory"}};
    for (const std::vector<Row>& group :
         split_rows(select_rows(all, "learner", "least_squares"), {"d", "n", "family"})) {
        const std::vector<Row> rows = by_tau(group);
        if (rows.empty()) {
            continue;
        }
        const Row& small = rows.front();
        const auto whole_scores = std::find_if(rows.begin(), rows.end(), [](const Row& row) {
            return bitwise_equal(number_field(row, "tau"), 1.0);
        });
        const Row& large = whole_scores == rows.end() ? rows.back() : *whole_scores;
        table.rows.push_back({setting_cell(small, "d"),
                              setting_cell(small, "n"),
                              setting_cell(small, "family"),
                              whole(metric_cell(small, "rank")),
                              metric_cell(large, "relative"),
                              metric_cell(large, "held_out_relative"),
                              setting_cell(small, "tau"),
                              metric_cell(small, "relative"),
                              computed_cell({small}, "risk/predicted", over_theory),
                              computed_cell(rows, "exponent of risk in tau", measured_exponent),
                              whole(metric_cell(small, "predicted_exponent"))});
    }
    return table;
}

/// Training beside the least risk, in units of it.
Table training_table_of(const std::vector<Row>& rows) {
    return group_table(select_rows(rows, "learner", "trained"),
                       {{"d", "d"}, {"n", "n"}, "family", {"tau", "τ"}},
                       {{"floor_relative", kThreeDigits, "floor"},
                        {"relative", kThreeDigits, "least squares"},
                        {"adam_relative", kThreeDigits, "Adam, best start"},
                        {"adam_worst", kThreeDigits, "Adam, worst start"},
                        {"sgd_relative", kThreeDigits, "SGD, best start"}});
}

Series curve_of_metric(const std::vector<Row>& rows,
                       const std::string& metric,
                       std::string name,
                       SeriesStyle style) {
    Series series{std::move(name), {}, style};
    for (const Row& row : by_tau(rows)) {
        if (const auto value = finite_metric(row, metric); value && *value > 0.0) {
            series.points.push_back({number_field(row, "tau"), *value, *value, *value});
        }
    }
    return series;
}

Panel family_panel(const std::vector<Row>& rows) {
    Panel panel;
    panel.title = formatted("d = {}, n = {} tokens",
                            to_string(*field(rows.front(), "d")),
                            to_string(*field(rows.front(), "n")));
    panel.x = {"τ, the factor of all scores", Scale::log10};
    panel.y = {"relative least risk", Scale::log10};
    panel.legend = Legend::none;
    for (const std::vector<Row>& family : split_rows(rows, {"family"})) {
        panel.series.push_back(curve_of_metric(family,
                                               "relative",
                                               to_string(*field(family.front(), "family")),
                                               SeriesStyle::line_points));
    }
    const std::vector<Row> first = split_rows(rows, {"family"}).front();
    panel.series.push_back(curve_of_metric(
        first, "single_sum_relative", "bound for all single sums", SeriesStyle::line));
    std::erase_if(panel.series, [](const Series& series) { return series.points.empty(); });
    return panel;
}

}  // namespace

ExperimentEntry distil() {
    return {.id = "distil",
            .summary = "the best linear layer in place of a softmax head, against the temperature",
            .quick_seconds = 4.0,
            .full_seconds = 120.0,
            .make = make_distil,
            .text = distil_text,
            .derive_numbered = distil_derived};
}

Stream DistilSetting::stream() const {
    return Stream(seed).child("distil").child(d).child(n);
}

DistilProblem distil_problem(const DistilSetting& setting) {
    const Index d = setting.d;
    const Stream stream = setting.stream();
    const Matrix V = grid_matrix(grid_normal(), d, d, stream.child("V"));
    const Matrix A = grid_matrix(grid_normal(), d, d, stream.child("A"));
    const auto root = std::sqrt(static_cast<double>(d));
    DistilProblem problem;
    problem.softmax = {d, d, false, {{V / V.norm() * root, A / A.norm()}}, {}, 1.0};
    const Head& head = problem.softmax.heads.front();
    problem.train = tokens(setting, problem.softmax, "train");
    problem.held_out = tokens(setting, problem.softmax, "held_out");
    problem.leading = setting.normalised() ? normalised_leading_risk(problem.softmax, problem.train)
                                           : leading_risk(problem.softmax, problem.train);
    const auto n = static_cast<double>(setting.n);
    problem.single_sum =
        (n - 1.0) * (n - 2.0) / (n * n * n * n) *
        (head.V.squaredNorm() * head.Q.squaredNorm() + (head.V * head.Q).squaredNorm());
    return problem;
}

std::string distil_text(const std::vector<Row>& rows) {
    return "The best layer in place of a softmax head, and how its risk falls with the scores\n" +
           to_terminal(distil_table(rows)) + "\nTraining beside it\n" +
           to_terminal(training_table_of(rows));
}

Derived distil_derived(const std::vector<Row>& rows) {
    Derived derived{{{"distil", distil_table(rows)}, {"distil_training", training_table_of(rows)}},
                    {}};
    Figure figure;
    figure.title = "The least risk of layers in place of a softmax head";
    figure.columns = 2;
    figure.panel_width = 480;
    figure.panel_height = 380;
    figure.legend = Legend::below;
    for (const std::vector<Row>& problem :
         split_rows(select_rows(rows, "learner", "least_squares"), {"d", "n"})) {
        Panel panel = family_panel(problem);
        if (!panel.series.empty()) {
            figure.panels.push_back(std::move(panel));
        }
    }
    if (!figure.panels.empty()) {
        derived.figures.push_back({"distil", figure});
    }
    return derived;
}

}  // namespace attest
