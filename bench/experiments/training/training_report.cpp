#include "bench/experiments/training/training_report.hpp"

#include "bench/experiments/frame/group_table.hpp"
#include "bench/experiments/training/training_cases.hpp"
#include "record/cells.hpp"

namespace attest {

namespace {

/// What tells learners and their settings apart.
const std::vector<std::string> kFields{
    "d", "learner", "heads", "layers", "sequences", "rate", "batch_size", "updates", "precision"};

/// How many diverged; learners that cannot have none.
Cell diverged_cell(const RowGroup& group) {
    const Cell sum = whole(cell_of(group, Statistic::sum));
    return sum.is_number() ? sum : Cell(std::string("0"));
}

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
                     {"median", Alignment::right, kThreeDigits},
                     {"least", Alignment::right, kThreeDigits},
                     {"greatest", Alignment::right, kThreeDigits},
                     {"train, median", Alignment::right, kThreeDigits},
                     {"seconds", Alignment::right, kThreeDigits}};
    const std::vector<RowGroup> finals = group_rows(rows, kFields, "held_out_relative");
    const std::vector<RowGroup> training = group_rows(rows, kFields, "train_relative");
    const std::vector<RowGroup> seconds = group_rows(rows, kFields, "training_seconds");
    const std::vector<RowGroup> diverged = group_rows(rows, kFields, "diverged");
    for (std::size_t i = 0; i < finals.size(); ++i) {
        const RowGroup& group = finals[i];
        Row example;
        example.key.learner = to_string(group.keys[1]);
        for (const std::size_t k : {2U, 3U}) {
            if (!to_string(group.keys[k]).empty()) {
                example.key.learner_parameters[kFields[k]] = group.keys[k];
            }
        }
        const auto setting = [&](std::size_t k) {
            return to_string(group.keys[k]).empty() ? Cell() : as_text(key_cell(group, k));
        };
        table.rows.push_back({key_cell(group, 0),
                              learner_title(example),
                              setting(5),
                              setting(6),
                              setting(7),
                              setting(4),
                              cell_of(group, Statistic::count),
                              diverged_cell(diverged[i]),
                              cell_of(group, Statistic::median),
                              cell_of(group, Statistic::least),
                              cell_of(group, Statistic::greatest),
                              cell_of(training[i], Statistic::median),
                              cell_of(seconds[i], Statistic::median)});
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
                     {"held out", Alignment::right, kThreeDigits},
                     {"train", Alignment::right, kThreeDigits}};
    for (const Row& row : rows) {
        const bool diverged =
            row.metrics.contains("diverged") && row.metrics.at("diverged").value > 0.5;
        table.rows.push_back({setting_cell(row, "d"),
                              learner_title(row),
                              to_string(row.key.learner_parameters),
                              setting_cell(row, "seed"),
                              setting_cell(row, "repetition"),
                              std::string(diverged ? "diverged" : to_string(row.status)),
                              metric_cell(row, "updates"),
                              metric_cell(row, "held_out_relative"),
                              metric_cell(row, "train_relative")});
    }
    return table;
}

Derived training_derived(const std::vector<Row>& rows,
                         const std::string& id,
                         const std::string& title) {
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
    return {{{id, training_table(rows)}, {id + "_seeds", seeds_table(rows)}},
            {{id, paper}, {id + "_cost", cost}}};
}

}  // namespace attest
