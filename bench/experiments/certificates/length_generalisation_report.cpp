#include "bench/experiments/certificates/length_generalisation.hpp"
#include "bench/experiments/certificates/length_problem.hpp"
#include "bench/experiments/frame/report_files.hpp"
#include "core/base/text.hpp"
#include "record/figure/figure.hpp"
#include "record/summary.hpp"
#include "record/table.hpp"

namespace attest {

namespace {

constexpr NumberFormat kThree{NumberFormat::Style::significant, 3};

std::string title_of(std::string_view labels) {
    return labels == "linear"         ? "a linear layer"
           : labels == "linear_noisy" ? "a linear layer"
           : labels == "averaged"     ? "an averaging layer"
                                      : "a softmax head";
}

const std::vector<std::string> kFields{"labels", "train", "features"};

/// One line for each labels, training lengths and features; medians over repetitions.
Table main_table(const std::vector<Row>& rows) {
    Table table;
    table.columns = {{"labels", Alignment::left},
                     {"trained at n", Alignment::left},
                     {"features", Alignment::left}};
    const auto add = [&](const std::string& header, const std::string& metric) {
        table.columns.push_back({header, Alignment::right, kThree});
        const std::vector<RowGroup> groups = group_rows(rows, kFields, metric);
        for (std::size_t g = 0; g < groups.size(); ++g) {
            if (table.rows.size() <= g) {
                table.rows.push_back({to_string(groups[g].keys[0]),
                                      to_string(groups[g].keys[1]),
                                      to_string(groups[g].keys[2])});
            }
            const Summary& summary = groups[g].summary;
            table.rows[g].push_back(summary.count > 0 ? Cell(summary.median) : Cell());
        }
    };
    add("rank", "rank");
    add("λ_min(Λ_D), numerical", "lambda_min");
    for (const Index n : kTestLengths) {
        add(formatted("error at n = {}", n), formatted("error_n{}", n));
    }
    return table;
}

/// Measured error over the predicted one, where there is a prediction.
Table noise_table(const std::vector<Row>& rows) {
    Table table;
    table.columns = {{"trained at n", Alignment::left},
                     {"asked at n"},
                     {"predicted", Alignment::right, kThree},
                     {"measured", Alignment::right, kThree},
                     {"± standard error", Alignment::right, kThree}};
    const std::vector<Row> noisy =
        select_rows(select_rows(rows, "labels", "linear_noisy"), "features", "sum");
    for (const Index n : kTestLengths) {
        const std::vector<RowGroup> predicted =
            group_rows(noisy, {"train"}, formatted("predicted_n{}", n));
        const std::vector<RowGroup> measured =
            group_rows(noisy, {"train"}, formatted("error_n{}", n));
        for (std::size_t g = 0; g < predicted.size(); ++g) {
            if (predicted[g].summary.count > 0) {
                table.rows.push_back({to_string(predicted[g].keys[0]),
                                      std::int64_t{n},
                                      predicted[g].summary.mean,
                                      measured[g].summary.mean,
                                      measured[g].summary.standard_error});
            }
        }
    }
    return table;
}

/// One curve for each training length; medians with the range over repetitions.
Panel labels_panel(const std::vector<Row>& rows,
                   std::string_view labels,
                   std::string_view features) {
    Panel panel;
    panel.title = formatted("labels: {}; features: {}", title_of(labels), features);
    panel.x = {"tokens n of the sequences asked about", Scale::log10};
    panel.x.ticks.assign(kTestLengths.begin(), kTestLengths.end());
    panel.y = {"relative error", Scale::log10, labels == "softmax" ? 0.1 : 1e-5, 1e4};
    panel.legend = Legend::none;
    const std::vector<Row> mine =
        select_rows(select_rows(rows, "labels", labels), "features", features);
    for (const RowGroup& group : group_rows(mine, {"train"}, "rank")) {
        const std::string train = to_string(group.keys[0]);
        const std::vector<Row> curve = select_rows(mine, "train", train);
        Series series{"trained at n = " + train};
        for (const Index n : kTestLengths) {
            const Summary summary =
                group_rows(curve, {"train"}, formatted("error_n{}", n)).front().summary;
            if (summary.count > 0) {
                series.points.push_back(
                    {static_cast<double>(n), summary.median, summary.min, summary.max});
            }
        }
        panel.series.push_back(series);
    }
    // The label would meet curves in the other panels.
    panel.guides = {
        {Guide::Direction::horizontal, 1.0, labels == "linear_noisy" ? "zero function" : ""}};
    return panel;
}

}  // namespace

std::string length_generalisation_text(const std::vector<Row>& rows) {
    return "Relative errors at other lengths, medians over repetitions\n" +
           to_terminal(main_table(rows));
}

std::vector<std::filesystem::path> derive_length_generalisation(
    const std::vector<Row>& rows, const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder / "figures");
    std::vector<std::filesystem::path> files;
    write_table(main_table(rows), folder / "tables" / "length_generalisation", files);
    write_table(noise_table(rows), folder / "tables" / "length_generalisation_noise", files);
    Figure figure;
    figure.title = "Trained at one length, asked at others";
    figure.columns = 3;
    figure.panel_width = 480;
    figure.panel_height = 380;
    figure.legend = Legend::below;
    for (const auto& [features, name] : kLengthFeatures) {
        for (const char* labels : {"linear_noisy", "averaged", "softmax"}) {
            figure.panels.push_back(labels_panel(rows, labels, name));
        }
    }
    const std::filesystem::path svg = folder / "figures" / "length_generalisation.svg";
    write_figure(figure, svg);
    files.push_back(svg);
    return files;
}

}  // namespace attest
