#include "bench/experiments/training/training_cases.hpp"

#include "bench/experiments/frame/group_table.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/base/timer.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/split_heads.hpp"
#include "core/moments/triangular_factor.hpp"
#include "core/solve/orthogonal.hpp"
#include "core/train/heads_model.hpp"
#include "core/train/linear_layers.hpp"
#include "core/train/residuals.hpp"
#include "core/train/transformer.hpp"
#include "record/summary.hpp"
#include "record/table.hpp"
#include "tasks/random_linear_attention.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <set>

namespace attest {

namespace {

constexpr Index kMomentsUpTo = 4;       // memory of the moments grows as d⁶
constexpr int kTransformerThreads = 2;  // its results do not depend on them

template <class Scalar>
std::unique_ptr<TrainedModel<Scalar>> model_of(const TrainedLearner& learner,
                                               const PrefixData<Scalar>& data) {
    if (learner.name == "layers") {
        return std::make_unique<LinearLayers<Scalar>>(data, learner.size);
    }
    if (learner.name == "transformer") {
        TransformerShape shape;
        shape.layers = learner.size;
        return std::make_unique<Transformer<Scalar>>(data, shape, kTransformerThreads);
    }
    require(learner.name == "heads", "training_case: got no learner {}", learner.name);
    if (data.d <= kMomentsUpTo) {
        return std::make_unique<HeadsMoments<Scalar>>(data, learner.size);
    }
    return std::make_unique<HeadsResidual<Scalar>>(data, learner.size);
}

/// "loss_000016": sorted by name is sorted by update.
std::string curve_name(Index update) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "loss_%06lld", static_cast<long long>(update));
    return text.data();
}

Stream learner_stream(const TrainingSetting& setting, const TrainedLearner& learner) {
    return Stream(setting.seed)
        .child("training")
        .child(setting.repetition)
        .child(learner.name)
        .child(learner.size);
}

template <class Scalar>
CaseOutcome measure(const TrainingSetting& setting,
                    const TrainedLearner& learner,
                    TrainingProblems& problems) {
    const std::shared_ptr<const TrainingProblem> problem = problems.of(setting);
    const PrefixData<Scalar> data = prefix_data<Scalar>(problem->training);
    const PrefixData<Scalar> held_out = prefix_data<Scalar>(problem->held_out);
    const Timer timer;
    const std::unique_ptr<TrainedModel<Scalar>> model = model_of(learner, data);
    CaseOutcome outcome;
    Metrics& metrics = outcome.metrics;
    metrics["preparation_seconds"] = {timer.seconds(), {}, "s"};
    TrainOptions options;
    options.optimiser.rate = learner.rate;
    options.updates = learner.updates;
    options.batch_size = learner.batch_size;
    // A transformer's losses on the way cost as much as updates do.
    options.curve_points = learner.name == "transformer" ? 20 : 40;
    const TrainResult<Scalar> result =
        train(*model, held_out, options, learner_stream(setting, learner));
    metrics["training_seconds"] = {result.seconds, {}, "s"};
    metrics["updates"] = {static_cast<double>(result.updates)};
    metrics["diverged"] = {result.status == TrainStatus::diverged ? 1.0 : 0.0};
    for (const LossPoint& point : result.curve) {
        metrics[curve_name(point.update)] = {point.loss};
    }
    if (result.status == TrainStatus::finished) {
        metrics["held_out_relative"] = {result.curve.back().loss};
        metrics["train_relative"] = {model->loss(result.theta, data)};
    }
    outcome.message = result.note;
    return outcome;
}

CaseOutcome run_algorithm_1(const TrainingSetting& setting,
                            Index sequences,
                            TrainingProblems& problems) {
    const std::shared_ptr<const TrainingProblem> problem = problems.of(setting);
    const Dataset given = subset(problem->training, 0, sequences);
    const Timer timer;
    const LeastSquaresFit fit = fit_qr(triangular_factor(DatasetSource(given)), setting.d, {});
    CaseOutcome outcome;
    if (fit.status == SolveStatus::refused) {
        outcome.status = RowStatus::refused;
        outcome.message = fit.note;
        return outcome;
    }
    const Matrix P = coefficients(split_heads(fit.P, setting.d).heads);
    Metrics& metrics = outcome.metrics;
    metrics["training_seconds"] = {timer.seconds(), {}, "s"};
    metrics["train_relative"] = {relative_loss(P, prefix_data<double>(given))};
    metrics["held_out_relative"] = {relative_loss(P, prefix_data<double>(problem->held_out))};
    return outcome;
}

bool is_algorithm_1(const Row& row) {
    return row.key.learner == "algorithm_1";
}

bool in_main_protocol(const Row& row) {
    if (is_algorithm_1(row)) {
        return true;
    }
    const double rate = row.key.learner == "transformer" ? 0.001 : 0.01;
    return std::abs(number_field(row, "rate") - rate) < 1e-9 &&
           number_field(row, "batch_size") < 40.0;
}

/// Rows of one d in the main protocol that ended well.
std::vector<Row> drawn(const std::vector<Row>& rows, std::int64_t d) {
    std::vector<Row> chosen;
    for (const Row& row : select_rows(rows, "d", std::to_string(d))) {
        if (row.status == RowStatus::ok && in_main_protocol(row)) {
            chosen.push_back(row);
        }
    }
    return chosen;
}

/// Rows that share a title, in order of first appearance.
std::vector<std::vector<Row>> by_title(const std::vector<Row>& rows) {
    std::vector<std::vector<Row>> groups;
    for (const Row& row : rows) {
        const auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
            return learner_title(group.front()) == learner_title(row);
        });
        if (found == groups.end()) {
            groups.push_back({row});
        } else {
            found->push_back(row);
        }
    }
    return groups;
}

double median(const std::vector<Row>& rows, const std::string& metric) {
    std::vector<double> values;
    for (const Row& row : rows) {
        const auto found = row.metrics.find(metric);
        if (found != row.metrics.end()) {
            values.push_back(found->second.value);
        }
    }
    return summarise(values).median;
}

/// Where this many updates of these trainings stand on an axis.
double position(const std::vector<Row>& group, double update, TrainingAxis axis) {
    const Row& row = group.front();
    switch (axis) {
        case TrainingAxis::epochs:
            return update * number_field(row, "batch_size") / number_field(row, "num_sequences");
        case TrainingAxis::updates:
            return update;
        case TrainingAxis::seconds:
            return median(group, "preparation_seconds") +
                   update * median(group, "training_seconds") / median(group, "updates");
    }
    throw BrokenInvariant("training_report: unknown axis");
}

/// Geometric mean and its standard error, which is arithmetic in the logarithm.
Point point_of(double x, const std::vector<double>& losses) {
    std::vector<double> logarithms;
    logarithms.reserve(losses.size());
    for (const double loss : losses) {
        logarithms.push_back(std::log10(std::max(loss, 1e-300)));
    }
    const Summary summary = summarise(logarithms);
    return {x,
            std::pow(10.0, summary.mean),
            std::pow(10.0, summary.mean - summary.standard_error),
            std::pow(10.0, summary.mean + summary.standard_error)};
}

Series curve(const std::vector<Row>& group, TrainingAxis axis) {
    Series series{learner_title(group.front()), {}, SeriesStyle::band};
    std::set<std::string> names;
    for (const Row& row : group) {
        for (const auto& [name, metric] : row.metrics) {
            if (name.rfind("loss_", 0) == 0) {
                names.insert(name);
            }
        }
    }
    for (const std::string& name : names) {
        std::vector<double> losses;
        for (const Row& row : group) {
            const auto found = row.metrics.find(name);
            if (found != row.metrics.end()) {
                losses.push_back(found->second.value);
            }
        }
        const double update = std::stod(name.substr(5));
        if (update > 0.0 || axis == TrainingAxis::epochs) {
            series.points.push_back(point_of(position(group, update, axis), losses));
        }
    }
    return series;
}

Axis x_axis(TrainingAxis axis) {
    switch (axis) {
        case TrainingAxis::epochs:
            return {"epochs"};
        case TrainingAxis::updates:
            return {"updates", Scale::log10};
        case TrainingAxis::seconds:
            return {"seconds, preparation included", Scale::log10};
    }
    throw BrokenInvariant("training_report: unknown axis");
}

std::string learner_field(const Row& row) {
    return row.key.learner == "heads" ? "heads" : "layers";
}

/// Algorithm 1 as a horizontal line, against seconds as points too; named in the title where a line
/// would lie so far below `lowest`, every curve's least value, that it flattens the curves.
void add_algorithm_1(Panel& panel,
                     const std::vector<Row>& solved,
                     TrainingAxis axis,
                     double lowest) {
    const double error = median(solved, "held_out_relative");
    if (axis != TrainingAxis::seconds && error < 1e-12 * lowest) {
        panel.title += formatted("; Algorithm 1 ends at {}",
                                 format_number(error, {NumberFormat::Style::scientific, 0}));
        return;
    }
    panel.guides = {{Guide::Direction::horizontal, error, "Algorithm 1"}};
    if (axis == TrainingAxis::seconds) {
        Series series{learner_title(solved.front()), {}, SeriesStyle::points};
        for (const Row& row : solved) {
            const double loss = row.metrics.at("held_out_relative").value;
            series.points.push_back({row.metrics.at("training_seconds").value, loss, loss, loss});
        }
        panel.series.push_back(series);
    }
}

}  // namespace

Case training_case(const TrainingSetting& setting,
                   const TrainedLearner& learner,
                   const std::shared_ptr<TrainingProblems>& problems) {
    CaseKey key = training_key(setting);
    key.learner = learner.name;
    key.learner_parameters = {
        {learner.name == "heads" ? "heads" : "layers", std::int64_t{learner.size}},
        {"rate", learner.rate},
        {"batch_size", std::int64_t{learner.batch_size}},
        {"updates", std::int64_t{learner.updates}}};
    key.precision = learner.precision;
    key.stream = learner_stream(setting, learner).path();
    return {key, [setting, learner, problems] {
                return learner.precision == "float" ? measure<float>(setting, learner, *problems)
                                                    : measure<double>(setting, learner, *problems);
            }};
}

Case algorithm_1_case(const TrainingSetting& setting,
                      Index sequences,
                      const std::shared_ptr<TrainingProblems>& problems) {
    CaseKey key = training_key(setting);
    key.learner = "algorithm_1";
    key.learner_parameters = {{"sequences", std::int64_t{sequences}}};
    return {key, [setting, sequences, problems] {
                return run_algorithm_1(setting, sequences, *problems);
            }};
}

std::vector<Index> algorithm_1_sequences(const TrainingSetting& setting) {
    const Index psi = feature_dim(setting.d);
    std::vector<Index> counts;
    if (psi <= kTrainingLength) {
        counts.push_back(1);
    }
    counts.push_back(
        std::min(setting.num_sequences, (2 * psi + kTrainingLength - 1) / kTrainingLength));
    if (psi < 300) {
        counts.push_back(setting.num_sequences);
    }
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    return counts;
}

TrainingProblem training_problem(const TrainingSetting& setting) {
    const auto task =
        random_linear_attention(figure_1_options(setting.d, kTrainingLength),
                                Stream(setting.seed).child("training").child(setting.repetition));
    return {.training = materialise(*task, kHeldOutSequences, setting.num_sequences, 1),
            .held_out = materialise(*task, 0, kHeldOutSequences, 1)};
}

CaseKey training_key(const TrainingSetting& setting) {
    CaseKey key;
    key.task = "random_linear_attention";
    key.parameters = {{"d", std::int64_t{setting.d}},
                      {"num_sequences", std::int64_t{setting.num_sequences}}};
    key.seed = setting.seed;
    key.repetition = setting.repetition;
    key.stream = Stream(setting.seed).child("training").child(setting.repetition).path();
    return key;
}

std::string learner_title(const Row& row) {
    if (is_algorithm_1(row)) {
        return "Algorithm 1";
    }
    if (row.key.learner == "transformer") {
        return "transformer";
    }
    const auto size = static_cast<std::int64_t>(number_field(row, learner_field(row)));
    return formatted(
        "{}{}{}", size, row.key.learner == "heads" ? " head" : " layer", size == 1 ? "" : "s");
}

std::vector<std::int64_t> training_sizes(const std::vector<Row>& rows) {
    std::set<std::int64_t> sizes;
    for (const Row& row : rows) {
        sizes.insert(static_cast<std::int64_t>(number_field(row, "d")));
    }
    return {sizes.begin(), sizes.end()};
}

Panel training_panel(const std::vector<Row>& rows, std::int64_t d, TrainingAxis axis) {
    Panel panel;
    panel.title = formatted("d = {}", d);
    panel.x = x_axis(axis);
    panel.y = {"relative MSE, held out", Scale::log10};
    panel.legend = Legend::none;
    double lowest = std::numeric_limits<double>::infinity();
    std::vector<Row> solved;
    for (const std::vector<Row>& group : by_title(drawn(rows, d))) {
        if (is_algorithm_1(group.front())) {
            solved = group;
            continue;
        }
        panel.series.push_back(curve(group, axis));
        for (const Point& point : panel.series.back().points) {
            lowest = std::min(lowest, point.y);
        }
    }
    if (!solved.empty()) {
        add_algorithm_1(panel, solved, axis, lowest);
    }
    return panel;
}

Panel heads_panel(const std::vector<Row>& rows, std::int64_t d) {
    Panel panel;
    panel.title = formatted("d = {}", d);
    panel.x = {"heads", Scale::log10};
    panel.y = {"final relative MSE, held out", Scale::log10};
    panel.legend = Legend::none;
    Series seeds{"every seed", {}, SeriesStyle::points};
    Series medians{"median", {}, SeriesStyle::line};
    for (const std::vector<Row>& group :
         by_title(select_rows(drawn(rows, d), "learner", "heads"))) {
        const double x = number_field(group.front(), "heads");
        panel.x.ticks.push_back(x);
        for (const Row& row : group) {
            const auto found = row.metrics.find("held_out_relative");
            if (found != row.metrics.end()) {
                const double loss = found->second.value;
                seeds.points.push_back({x, loss, loss, loss});
            }
        }
        const double middle = median(group, "held_out_relative");
        medians.points.push_back({x, middle, middle, middle});
    }
    panel.series = {medians, seeds};  // marks above the line
    const double most =
        std::max(panel.x.ticks.empty() ? 1.0 : panel.x.ticks.back(), static_cast<double>(d * d));
    panel.x.min = 0.7;
    panel.x.max = 3.0 * most;  // room for the guide's label
    for (const std::vector<Row>& group :
         by_title(select_rows(drawn(rows, d), "learner", "algorithm_1"))) {
        panel.guides.push_back(
            {Guide::Direction::horizontal, median(group, "held_out_relative"), "Algorithm 1"});
    }
    panel.guides.push_back({Guide::Direction::vertical, static_cast<double>(d * d), "d² heads"});
    return panel;
}

}  // namespace attest
