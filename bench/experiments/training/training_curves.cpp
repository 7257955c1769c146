#include "bench/experiments/training/training_curves.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "record/summary.hpp"
#include "record/table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace attest {

namespace {

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
