#include "bench/experiments/training/training_report.hpp"

#include "bench/experiments/frame/report_files.hpp"
#include "bench/experiments/training/training_curves.hpp"
#include "record/summary.hpp"

#include <cmath>
#include <utility>

namespace attest {

namespace {

constexpr NumberFormat kThree{NumberFormat::Style::significant, 3};

/// What tells learners and their settings apart.
const std::vector<std::string> kFields{
    "d", "learner", "heads", "layers", "sequences", "rate", "batch_size", "updates", "precision"};

}  // namespace

Table training_table(const std::vector<Row>& rows) {
    Table table;
    table.columns = {{"d"},
                     {"learner", Alignment::left},
                     {"rate"},
                     {"batch"},
                     {"updates"},
                     {"sequences"},
                     {"seeds"},
                     {"diverged"},
                     {"median", Alignment::right, kThree},
                     {"least", Alignment::right, kThree},
                     {"greatest", Alignment::right, kThree},
                     {"train, median", Alignment::right, kThree},
                     {"seconds", Alignment::right, kThree}};
    const std::vector<RowGroup> finals = group_rows(rows, kFields, "held_out_relative");
    const std::vector<RowGroup> training = group_rows(rows, kFields, "train_relative");
    const std::vector<RowGroup> seconds = group_rows(rows, kFields, "training_seconds");
    const std::vector<RowGroup> diverged = group_rows(rows, kFields, "diverged");
    const auto cell = [](const ParameterValue& value) -> Cell {
        return to_string(value).empty() ? Cell() : Cell(to_string(value));
    };
    for (std::size_t i = 0; i < finals.size(); ++i) {
        const RowGroup& group = finals[i];
        Row example;
        example.key.learner = to_string(group.keys[1]);
        for (const std::size_t k : {2U, 3U}) {
            if (!to_string(group.keys[k]).empty()) {
                example.key.learner_parameters[kFields[k]] = group.keys[k];
            }
        }
        const bool any = group.summary.count > 0;
        const auto failed =
            diverged[i].summary.mean * static_cast<double>(diverged[i].summary.count);
        table.rows.push_back({std::get<std::int64_t>(group.keys[0]),
                              learner_title(example),
                              cell(group.keys[5]),
                              cell(group.keys[6]),
                              cell(group.keys[7]),
                              cell(group.keys[4]),
                              std::int64_t{group.summary.count + group.missing},
                              static_cast<std::int64_t>(std::llround(failed)),
                              any ? Cell(group.summary.median) : Cell(),
                              any ? Cell(group.summary.min) : Cell(),
                              any ? Cell(group.summary.max) : Cell(),
                              any ? Cell(training[i].summary.median) : Cell(),
                              any ? Cell(seconds[i].summary.median) : Cell()});
    }
    return table;
}

Table seeds_table(const std::vector<Row>& rows) {
    Table table;
    table.columns = {{"d"},
                     {"learner", Alignment::left},
                     {"setting", Alignment::left},
                     {"seed"},
                     {"repetition"},
                     {"status", Alignment::left},
                     {"updates"},
                     {"held out", Alignment::right, kThree},
                     {"train", Alignment::right, kThree}};
    for (const Row& row : rows) {
        const auto metric = [&](const char* name) -> Cell {
            const auto found = row.metrics.find(name);
            return found == row.metrics.end() ? Cell() : Cell(found->second.value);
        };
        const bool diverged =
            row.metrics.contains("diverged") && row.metrics.at("diverged").value > 0.5;
        table.rows.push_back({std::get<std::int64_t>(*field(row, "d")),
                              learner_title(row),
                              to_string(row.key.learner_parameters),
                              static_cast<std::int64_t>(row.key.seed),
                              std::int64_t{row.key.repetition},
                              std::string(diverged ? "diverged" : to_string(row.status)),
                              metric("updates"),
                              metric("held_out_relative"),
                              metric("train_relative")});
    }
    return table;
}

void write_training_report(const std::vector<Row>& rows,
                           const std::string& id,
                           const std::string& title,
                           const std::filesystem::path& folder,
                           std::vector<std::filesystem::path>& files) {
    write_table(training_table(rows), folder / "tables" / id, files);
    write_table(seeds_table(rows), folder / "tables" / (id + "_seeds"), files);
    const std::vector<std::int64_t> sizes = training_sizes(rows);
    Figure paper;
    paper.title = title;
    paper.columns = static_cast<Index>(sizes.size());
    paper.panel_width = 520;
    paper.legend = Legend::below;
    Figure cost = paper;
    cost.title = title + ": what it costs";
    for (const std::int64_t d : sizes) {
        paper.panels.push_back(training_panel(rows, d, TrainingAxis::epochs));
        cost.panels.push_back(training_panel(rows, d, TrainingAxis::updates));
    }
    for (const std::int64_t d : sizes) {
        cost.panels.push_back(training_panel(rows, d, TrainingAxis::seconds));
    }
    std::filesystem::create_directories(folder / "figures");
    for (const auto& [figure, name] : {std::pair{&paper, id}, std::pair{&cost, id + "_cost"}}) {
        files.push_back(folder / "figures" / (name + ".svg"));
        write_figure(*figure, files.back());
    }
}

}  // namespace attest
