#include "bench/experiments/text/text_tables.hpp"

#include "bench/experiments/text/learners.hpp"
#include "bench/experiments/text/text_identifiability.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "record/figure/series.hpp"
#include "record/summary.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <limits>
#include <utility>

namespace attest {

namespace {

void add_series(Panel& panel, const std::string& name, std::vector<Series> found) {
    for (Series& series : found) {
        series.name = name;
        panel.series.push_back(std::move(series));
    }
}

Panel coverage_panel(const std::vector<Row>& rows) {
    Panel panel;
    panel.title = "Windows of 3 words that N leave open";
    panel.x = {"windows learned from, N", Scale::log10};
    panel.y = {"undetermined share", Scale::log10};
    panel.legend = Legend::below;
    const std::vector<Row> short_windows = select_rows(rows, "n", "3");
    for (const auto& [metric, name] : {std::pair{"bound", "bound rank/(N + 1)"},
                                       std::pair{"leave_one_out", "leave one out"},
                                       std::pair{"same_documents", "same documents"},
                                       std::pair{"other_family", "another family"}}) {
        add_series(panel, name, series_from_rows(short_windows, {"num_examples", metric}));
    }
    return panel;
}

/// The mean of a learner's metric as a line across the panel, named at its left end.
void add_floor(Panel& panel,
               const std::vector<Row>& rows,
               const char* metric,
               const std::string& name) {
    const std::vector<RowGroup> groups =
        group_rows(select_rows(rows, "learner", "least_squares"), {}, metric);
    if (!groups.empty() && groups.front().summary.count > 0) {
        const double at = groups.front().summary.mean;
        panel.guides.push_back({Guide::Direction::horizontal, at, ""});
        panel.notes.push_back({1.0, at, name});
    }
}

Panel heads_panel(const std::vector<Row>& rows) {
    const std::vector<Row> dense = select_rows(select_rows(rows, "labels", "ppmi"), "d", "8");
    const std::vector<Row> heads = select_rows(dense, "learner", "heads");
    Panel panel;
    panel.title = "Heads by Adam, d = 8";
    panel.x = {"heads", Scale::log10};
    panel.x.ticks = {1, 4, 36};
    panel.y = {"risk relative to the mean label's"};
    panel.legend = Legend::below;
    for (const auto& [metric, name] : {std::pair{"train_risk", "training"},
                                       std::pair{"test_risk", "held out"},
                                       std::pair{"early_test_risk", "held out, stopped early"}}) {
        add_series(panel, name, series_from_rows(heads, {"heads", metric}));
    }
    add_floor(panel, dense, "train_risk", "least squares, training");
    add_floor(panel, dense, "test_risk", "least squares, held out");
    return panel;
}

/// A representation a line: its name and what takes rank away, and below it the share of the rank
/// that is missing at each d.
Panel representation_panel(const std::vector<Row>& rows) {
    const std::vector<Row> text = select_rows(rows, "source", "text");
    Panel panel;
    panel.title = "What takes rank away, windows of 8";
    panel.x = {.label = "nullity / ψ", .min = -0.02, .max = 1.0};
    panel.y.is_hidden = true;
    panel.legend = Legend::below;
    for (const std::string& d : distinct_values(text, "d")) {
        panel.series.push_back({"d = " + d, {}, SeriesStyle::points});
    }
    double line = 0.0;
    for (const std::string& name : distinct_values(text, "representation")) {
        std::string reason;
        for (Series& series : panel.series) {
            const std::string d = series.name.substr(4);
            for (const Row& row : select_rows(select_rows(text, "representation", name), "d", d)) {
                if (const std::optional<double> nullity = finite_metric(row, "nullity")) {
                    const double share = *nullity / row.metrics.at("psi").value;
                    series.points.push_back({share, line, line, line});
                    reason = main_reason(row);
                }
            }
        }
        panel.notes.push_back({0.0, line, formatted("{}: {}", name, reason)});
        line -= 1.0;
    }
    panel.y.min = line + 0.5;
    panel.y.max = 0.8;
    return panel;
}

bool is_empty(const Panel& panel) {
    return std::all_of(panel.series.begin(), panel.series.end(), [](const Series& series) {
        return series.points.empty();
    });
}

std::optional<Figure> draw(const std::vector<std::vector<Row>>& rows) {
    Figure figure;
    figure.title = "Real text: what is determined, what is learned, what is certified";
    figure.columns = 3;
    figure.panel_width = 480;
    figure.panel_height = 560;
    figure.panels = {coverage_panel(rows[0]), heads_panel(rows[1]), representation_panel(rows[2])};
    for (const Panel& panel : figure.panels) {
        if (is_empty(panel)) {
            return std::nullopt;
        }
    }
    return figure;
}

constexpr std::array kTableWeights{0.3, 1.0, 3.0, 10.0, 30.0, 100.0};

using Predict = std::function<Vector(const Trigram&)>;

/// The expected label under a distribution of the next word, for each window: o×N.
Matrix expected_labels(const LearningPart& part, const TextTask& task, const Predict& predict) {
    Matrix words(task.text.size(), std::ssize(part.trigrams));
    for (Index i = 0; i < words.cols(); ++i) {
        words.col(i) = predict(part.trigrams[static_cast<std::size_t>(i)]);
    }
    return task.targets * words;
}

double risk_of(const LearningPart& part, const TextTask& task, const Predict& predict) {
    const Matrix outputs = expected_labels(part, task, predict);
    return (outputs - part.data.y).squaredNorm() / part.data.y.squaredNorm();
}

TextLearned learned_table(const LearningProblem& problem, const Predict& predict) {
    return {expected_labels(problem.test, problem.task, predict),
            risk_of(problem.train, problem.task, predict),
            risk_of(problem.validation, problem.task, predict),
            {}};
}

}  // namespace

JointFigure text_figure() {
    return {"text",
            "real text: what N windows determine, heads against least squares, representations",
            {"text_coverage", "text_learning", "text_identifiability"},
            draw};
}

TextLearned learn_mean(const LearningProblem& problem) {
    const NgramTables tables(problem.task.text.size(), problem.train.trigrams);
    return learned_table(problem, [&](const Trigram&) { return tables.unigram(); });
}

TextLearned learn_bigram(const LearningProblem& problem) {
    const NgramTables tables(problem.task.text.size(), problem.train.trigrams);
    double least = std::numeric_limits<double>::infinity();
    double best = 0.0;
    for (const double weight : kTableWeights) {
        const double risk = risk_of(problem.validation, problem.task, [&](const Trigram& window) {
            return tables.bigram(window.last, weight);
        });
        if (risk < least) {
            least = risk;
            best = weight;
        }
    }
    TextLearned learned = learned_table(
        problem, [&](const Trigram& window) { return tables.bigram(window.last, best); });
    learned.chosen["bigram_weight"] = {best};
    return learned;
}

TextLearned learn_trigram(const LearningProblem& problem) {
    const NgramTables tables(problem.task.text.size(), problem.train.trigrams);
    double least = std::numeric_limits<double>::infinity();
    Smoothing best;
    for (const double bigram : kTableWeights) {
        for (const double trigram : kTableWeights) {
            const Smoothing tried{bigram, trigram};
            const double risk =
                risk_of(problem.validation, problem.task, [&](const Trigram& window) {
                    return tables.trigram(window.before, window.last, tried);
                });
            if (risk < least) {
                least = risk;
                best = tried;
            }
        }
    }
    TextLearned learned = learned_table(problem, [&](const Trigram& window) {
        return tables.trigram(window.before, window.last, best);
    });
    learned.chosen["bigram_weight"] = {best.bigram};
    learned.chosen["trigram_weight"] = {best.trigram};
    return learned;
}

TextTask experiment_text(const TextOptions& options) {
    std::error_code ignored;
    if (options.corpus.path == kCommonLicenses &&
        !std::filesystem::is_directory(kCommonLicenses, ignored)) {
        throw NotAvailable(
            formatted("{} is absent; give a text of your own by --text FOLDER", kCommonLicenses));
    }
    return text_task(options);
}

std::string text_name(const std::string& path) {
    return path == kCommonLicenses ? "common-licenses" : path;
}

Experiment text_experiment(const char* id,
                           Profile profile,
                           std::uint64_t seed,
                           const std::string& path) {
    Experiment experiment{id, profile, seed};
    experiment.parameters = {{"text", text_name(path)}};
    return experiment;
}

Metric exact_metric(Index value) {
    return {static_cast<double>(value), 0.0, "", std::to_string(value)};
}

std::string leak_line(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
        if (const std::optional<double> share = finite_metric(row, "shared_8grams")) {
            return formatted("Of the test part's 8-grams {} % occur in training.\n",
                             100.0 * *share);
        }
    }
    return "No row says how much of the test part occurs in training.\n";
}

std::vector<ExperimentEntry> text_experiments(const std::string& path) {
    const std::string text = path.empty() ? std::string(kCommonLicenses) : path;
    return {text_identifiability(text),
            text_learning(text),
            text_coverage(text),
            text_wide(text),
            text_sketch(text)};
}

}  // namespace attest
