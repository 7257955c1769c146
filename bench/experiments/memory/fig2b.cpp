#include "bench/experiments/memory/fig2b.hpp"

#include "bench/experiments/entries.hpp"
#include "bench/experiments/frame/group_table.hpp"
#include "bench/experiments/memory/fig2.hpp"
#include "core/train/heads_model.hpp"
#include "core/train/train.hpp"
#include "record/figure/figure.hpp"
#include "record/summary.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace attest {

// Figure 2 (b) of arXiv 2410.10101: heads trained by gradient descent on the associative memory of
// Figure 2 (a). The paper's claim: with λ_min(Λ_D) near 0.06 training finds the true coefficients,
// with λ_min = 0 it ends far from them.
//
// Expected outcome: with λ_min > 0 the distance is bounded by the training loss, ‖p̂ − p‖² ≤
// loss/λ_min (Lemma A.7), whatever the heads. With λ_min = 0 many heads fit every label and end far
// from the truth, but few heads may still return it: that p̂ is made of few heads is knowledge which
// the certificate does not use. A training cut short looks like missing identifiability, so every
// distance stands beside its training loss.

namespace {

std::vector<Index> training_mixtures(Index N, Profile profile) {
    return profile == Profile::quick ? std::vector<Index>{N, 3 * N / 16, 0}
                                     : std::vector<Index>{N, 3 * N / 16, N / 20, 0};
}

std::vector<Index> head_counts(Profile profile) {
    return profile == Profile::quick ? std::vector<Index>{1, 4, 64}
                                     : std::vector<Index>{1, 2, 4, 8, 16, 64};
}

std::vector<Index> budgets(Profile profile) {
    return profile == Profile::quick ? std::vector<Index>{400, 6400}
                                     : std::vector<Index>{400, 6400, 25600};
}

Table heads_table(const std::vector<Row>& rows) {
    const NumberFormat two{NumberFormat::Style::significant, 2};
    return group_table(rows,
                       {"teacher", "num_gaussian", "heads", "updates"},
                       {{"rank", {NumberFormat::Style::fixed, 0}},
                        {"lambda_min", two},
                        {"train_relative", two},
                        {"relative_distance", two},
                        {"relative_bound", two},
                        {"ood_relative", two}});
}

/// "100 % Gaussian", "12.5 % Gaussian", "unitary only".
std::string mixture_title(const Row& row) {
    const double share = number_field(row, "num_gaussian") / number_field(row, "num_sequences");
    if (share <= 0.0) {
        return "unitary only";
    }
    return format_number(100.0 * share, {NumberFormat::Style::significant, 3}) + " % Gaussian";
}

std::string teacher_title(const std::string& teacher) {
    return teacher == "paper" ? "the paper's teacher" : "a random teacher";
}

/// Trainings of one teacher that did not diverge, by mixture, most Gaussian sequences first.
std::map<double, std::vector<Row>, std::greater<>> trainings_by_mixture(
    const std::vector<Row>& rows, const std::string& teacher) {
    std::map<double, std::vector<Row>, std::greater<>> groups;
    for (const Row& row : select_rows(rows, "teacher", teacher)) {
        if (row.status == RowStatus::ok && row.metrics.contains("train_relative")) {
            groups[number_field(row, "num_gaussian")].push_back(row);
        }
    }
    return groups;
}

/// The distance after the longest training, against the number of heads: medians, range over seeds.
Panel final_panel(const std::vector<Row>& rows, const std::string& teacher) {
    Panel panel;
    panel.title = "After the longest training, " + teacher_title(teacher);
    panel.x = {"heads", Scale::log10};
    panel.y = {"relative distance of p", Scale::log10};
    panel.legend = Legend::none;
    std::set<double> ticks;
    for (const auto& [num_gaussian, group] : trainings_by_mixture(rows, teacher)) {
        const auto whole = [](const Row& row, const char* name) {
            return std::lround(number_field(row, name));
        };
        const Row& last =
            *std::max_element(group.begin(), group.end(), [&](const Row& a, const Row& b) {
                return whole(a, "updates") < whole(b, "updates");
            });
        std::map<long, std::vector<double>> distances;
        for (const Row& row : group) {
            if (whole(row, "updates") == whole(last, "updates")) {
                distances[whole(row, "heads")].push_back(row.metrics.at("relative_distance").value);
            }
        }
        Series series{mixture_title(group.front())};
        for (const auto& [heads, values] : distances) {
            const Summary summary = summarise(values);
            const auto x = static_cast<double>(heads);
            series.points.push_back({x, summary.median, summary.min, summary.max});
            ticks.insert(x);
        }
        panel.series.push_back(series);
    }
    panel.x.ticks.assign(ticks.begin(), ticks.end());
    return panel;
}

/// Every training, short ones too: its distance against its training loss. What identifiability
/// promises is a line of slope 1/2.
Panel every_training_panel(const std::vector<Row>& rows, const std::string& teacher) {
    Panel panel;
    panel.title = "Every training, " + teacher_title(teacher);
    panel.x = {"relative training loss", Scale::log10};
    panel.y = {"relative distance of p", Scale::log10};
    panel.legend = Legend::right;
    for (const auto& [num_gaussian, group] : trainings_by_mixture(rows, teacher)) {
        Series series{mixture_title(group.front()), {}, SeriesStyle::points};
        for (const Row& row : group) {
            const double distance = row.metrics.at("relative_distance").value;
            series.points.push_back(
                {row.metrics.at("train_relative").value, distance, distance, distance});
        }
        panel.series.push_back(series);
    }
    return panel;
}

Experiment make_fig2b(Profile profile, std::uint64_t seed) {
    const bool quick = profile == Profile::quick;
    const Index N = quick ? 2048 : 16384;
    Experiment experiment{"fig2b", profile, seed};
    const auto problems = std::make_shared<Fig2Problems>(fig2_problem);
    const auto add = [&](const Fig2Setting& setting) {
        for (const Index heads : head_counts(profile)) {
            for (const Index updates : budgets(profile)) {
                experiment.cases.push_back(memory_training_case(setting, heads, updates, problems));
            }
        }
    };
    for (const Index num_gaussian : training_mixtures(N, profile)) {
        for (Index repetition = 0; repetition < (quick ? 2 : 5); ++repetition) {
            add({4, N, num_gaussian, "paper", 0.0, seed, repetition});
            if (!quick) {
                add({4, N, num_gaussian, "random", 0.0, seed, repetition});
            }
        }
    }
    return experiment;
}

std::string fig2b_text(const std::vector<Row>& rows) {
    return "Heads trained by Adam, median over seeds\n" + to_terminal(heads_table(rows)) +
           "\nrelative bound: on the distance, from the training loss and lambda_min > 0 "
           "(Lemma A.7)\n";
}

Derived fig2b_derived(const std::vector<Row>& rows) {
    Figure figure;
    figure.title = "Associative memory by gradient descent: distance, heads and training loss";
    figure.columns = 2;
    for (const char* teacher : {"paper", "random"}) {
        if (!trainings_by_mixture(rows, teacher).empty()) {
            figure.panels.push_back(final_panel(rows, teacher));
            figure.panels.push_back(every_training_panel(rows, teacher));
        }
    }
    return {{{"fig2b", heads_table(rows)}}, {{"fig2b", figure}}};
}

constexpr double kRate = 0.01;
constexpr Index kHeadsBatch = 32;

Stream training_stream(const Fig2Setting& setting, Index heads) {
    return Stream(setting.seed)
        .child("fig2b")
        .child("training")
        .child(setting.repetition)
        .child(heads);
}

CaseOutcome measure(const Fig2Setting& setting,
                    Index heads,
                    Index updates,
                    Fig2Problems& problems) {
    const std::shared_ptr<const Fig2Problem> problem = problems.of(setting);
    const PrefixData<double> data = prefix_data<double>(problem->data);
    const HeadsResidual<double> model(data, heads);
    TrainOptions options;
    options.optimiser.rate = kRate;
    options.updates = updates;
    options.batch_size = kHeadsBatch;
    options.curve_points = 1;
    const TrainResult<double> result =
        train(model, prefix_data<double>(problem->fresh), options, training_stream(setting, heads));
    CaseOutcome outcome;
    Metrics& metrics = outcome.metrics;
    metrics["lambda_min"] = {problem->spectrum.lambda_min, problem->spectrum.lambda_min_bound()};
    metrics["psi"] = {static_cast<double>(problem->spectrum.psi)};
    metrics["rank"] = {static_cast<double>(problem->spectrum.rank)};
    metrics["training_seconds"] = {result.seconds, {}, "s"};
    metrics["diverged"] = {result.status == TrainStatus::diverged ? 1.0 : 0.0};
    if (result.status == TrainStatus::finished) {
        const Matrix P = HeadMap<double>(data.d, data.o, heads).coefficients(result.theta);
        const double distance = (P - problem->truth).norm();
        metrics["train_relative"] = {model.loss(result.theta, data)};
        metrics["distance"] = {distance};
        metrics["relative_distance"] = {distance / problem->truth.norm()};
        metrics["ood_relative"] = {result.curve.back().loss};
        if (problem->spectrum.rank == problem->spectrum.psi) {
            // Lemma A.7 for p itself: λ_min ‖p̂ − p‖² ≤ mean squared error.
            const double error = metrics["train_relative"].value * data.label_power;
            metrics["relative_bound"] = {std::sqrt(error / problem->spectrum.lambda_min) /
                                         problem->truth.norm()};
        }
    }
    outcome.message = result.note;
    return outcome;
}

}  // namespace

ExperimentEntry fig2b() {
    return {.id = "fig2b",
            .summary = "associative memory by gradient descent, with and without identifiability",
            .quick_seconds = 12.0,
            .full_seconds = 1100.0,
            .make = make_fig2b,
            .text = fig2b_text,
            .derive_numbered = fig2b_derived};
}

Case memory_training_case(const Fig2Setting& setting,
                          Index heads,
                          Index updates,
                          const std::shared_ptr<Fig2Problems>& problems) {
    CaseKey key = fig2_key(setting);
    key.learner = "heads";
    key.learner_parameters = {{"heads", std::int64_t{heads}},
                              {"rate", kRate},
                              {"batch_size", std::int64_t{kHeadsBatch}},
                              {"updates", std::int64_t{updates}}};
    key.stream = training_stream(setting, heads).path();
    return {key, [=] { return measure(setting, heads, updates, *problems); }};
}

}  // namespace attest
