#include "bench/experiments/memory/fig2b_heads.hpp"
#include "bench/experiments/frame/median_table.hpp"
#include "bench/experiments/frame/report_files.hpp"
#include "record/figure/figure.hpp"
#include "record/summary.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace attest {

namespace {

Table heads_table(const std::vector<Row>& rows) {
    const NumberFormat two{NumberFormat::Style::significant, 2};
    return median_table(rows,
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
std::map<double, std::vector<Row>, std::greater<>> by_mixture(const std::vector<Row>& rows,
                                                              const std::string& teacher) {
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
    for (const auto& [num_gaussian, group] : by_mixture(rows, teacher)) {
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
Panel loss_panel(const std::vector<Row>& rows, const std::string& teacher) {
    Panel panel;
    panel.title = "Every training, " + teacher_title(teacher);
    panel.x = {"relative training loss", Scale::log10};
    panel.y = {"relative distance of p", Scale::log10};
    panel.legend = Legend::right;
    for (const auto& [num_gaussian, group] : by_mixture(rows, teacher)) {
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

}  // namespace

std::string fig2b_text(const std::vector<Row>& rows) {
    return "Heads trained by Adam, median over seeds\n" + to_terminal(heads_table(rows)) +
           "\nrelative bound: on the distance, from the training loss and lambda_min > 0 "
           "(Lemma A.7)\n";
}

std::vector<std::filesystem::path> derive_fig2b(const std::vector<Row>& rows,
                                                const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    write_table(heads_table(rows), folder / "tables" / "fig2b", files);
    Figure figure;
    figure.title = "Associative memory by gradient descent: distance, heads and training loss";
    figure.columns = 2;
    for (const char* teacher : {"paper", "random"}) {
        if (!by_mixture(rows, teacher).empty()) {
            figure.panels.push_back(final_panel(rows, teacher));
            figure.panels.push_back(loss_panel(rows, teacher));
        }
    }
    std::filesystem::create_directories(folder / "figures");
    files.push_back(folder / "figures" / "fig2b.svg");
    write_figure(figure, files.back());
    return files;
}

}  // namespace attest
