#include "bench/experiments/entries.hpp"
#include "core/base/text.hpp"
#include "core/rng/sample.hpp"
#include "core/stack/dimension.hpp"
#include "core/stack/stack_fit.hpp"
#include "record/cells.hpp"
#include "record/figure/series.hpp"
#include "record/summary.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

// Stacks with the same number of parameters and different numbers of heads, H·a = d, a = v: how
// many random labels can each be fitted to? Henry (Generic Fibers and Functional Dimension of
// Multi-Head Attention, 2026, its abstract) finds that memorisation in bits a parameter varies with
// the number of heads, and that most of it is explained by the functional dimension.
//
// Expected outcome: no more than D random numbers, D the dimension, for what a stack puts out is a
// D-dimensional set; and nearly as many. So labels a parameter grow with H as D/P does, and labels
// a dimension do not. Random signs are not bounded by D; whether they follow it is measured.

namespace {

/// Stacks of one kind that differ in H alone.
struct MemorySetting {
    StackScore score = StackScore::linear;
    Index layers = 1;
    Index d = 4;
    Index heads = 1;
    StackLoss labels = StackLoss::values;
    std::uint64_t seed = 0;
    Index repetition = 0;

    friend bool operator==(const MemorySetting&, const MemorySetting&) = default;

    /// The examples and labels depend on d alone, so that all stacks meet the same.
    [[nodiscard]] Stream stream() const {
        return Stream(seed).child("memorisation").child(d).child(repetition);
    }
};

constexpr Index kMemoryTokens = 4;
/// Random starts before a number of labels counts as too large.
constexpr Index kStartsAtMost = 2;
constexpr double kStartScale = 0.7;
/// Relative error below which numbers are fitted; signs are when no margin is missed.
constexpr double kRemembered = 1e-6;

constexpr Choices<StackLoss, 2> kLabels{
    {{StackLoss::values, "numbers"}, {StackLoss::signs, "signs"}}};

StackShape memory_shape(const MemorySetting& setting) {
    StackLayer layer;
    layer.score = setting.score;
    layer.heads = layer.groups = setting.heads;
    layer.key_size = layer.value_size = setting.d / setting.heads;
    layer.residual = layer.causal = true;
    StackShape shape;
    shape.d = setting.d;
    shape.layers.assign(static_cast<std::size_t>(setting.layers), layer);
    shape.readout = Readout::last;
    return shape;
}

/// The first `count` of a stream of random labels, d an example.
StackTargets random_labels(const MemorySetting& setting, Index count) {
    const Index d = setting.d;
    const Stream stream = setting.stream();
    StackTargets targets;
    targets.loss = setting.labels;
    targets.y = Vector(count);
    for (Index first = 0; first < count; first += d) {
        const Index i = first / d;
        targets.inputs.emplace_back(
            grid_matrix(grid_normal(), d, kMemoryTokens, stream.child("inputs").child(i)));
        const Matrix drawn = grid_matrix(grid_normal(), d, 1, stream.child("labels").child(i));
        for (Index k = 0; k < std::min(d, count - first); ++k) {
            targets.y(first + k) = setting.labels == StackLoss::values ? drawn(k)
                                   : drawn(k) < 0.0                    ? -1.0
                                                                       : 1.0;
        }
    }
    return targets;
}

/// Whether some start fits so many labels.
bool remembers(const MemorySetting& setting, const StackShape& shape, Index count) {
    const StackTargets targets = random_labels(setting, count);
    const Stream starts = setting.stream()
                              .child("starts")
                              .child(name_of(kStackScores, setting.score))
                              .child(setting.layers)
                              .child(setting.heads);
    for (Index start = 0; start < kStartsAtMost; ++start) {
        StackAt<double> student{shape, {}, {}};
        student.constants.resize(shape.layers.size());
        const Matrix theta = kStartScale * grid_matrix(grid_normal(),
                                                       layout_of(shape).num_parameters,
                                                       1,
                                                       starts.child(count).child(start));
        student.parameters.assign(theta.data(), theta.data() + theta.size());
        if (fit_stack(student, targets, {200, kRemembered, 25}).relative <= kRemembered) {
            return true;
        }
    }
    return false;
}

/// The largest number that is fitted, as if fewer labels were always easier: halving between one
/// and a number that is not.
Index most_remembered(const MemorySetting& setting, const StackShape& shape, Index dimension) {
    Index fits = 0;
    Index fails = dimension + 2;
    while (setting.labels == StackLoss::signs && remembers(setting, shape, fails)) {
        fits = fails;
        fails += dimension / 2 + 1;
    }
    while (fails - fits > 1) {
        // Most of the numbers that are not fitted lie just below D.
        const Index middle = fits == 0 ? fails - std::max(Index{1}, fails / 4) : (fits + fails) / 2;
        (remembers(setting, shape, middle) ? fits : fails) = middle;
    }
    return fits;
}

CaseOutcome measure_memory(const MemorySetting& setting) {
    const StackShape shape = memory_shape(setting);
    const StackDimension found = dimension({shape, kMemoryTokens});
    const Index labels = most_remembered(setting, shape, found.rank);
    CaseOutcome outcome;
    Metrics& metrics = outcome.metrics;
    const auto P = static_cast<double>(found.parameters);
    const auto D = static_cast<double>(found.rank);
    metrics["parameters"] = {P};
    metrics["dimension"] = {
        D, {}, "", found.proof == DimensionProof::none ? "" : std::to_string(found.rank)};
    metrics["labels"] = {static_cast<double>(labels)};
    metrics["per_parameter"] = {static_cast<double>(labels) / P};
    metrics["per_dimension"] = {static_cast<double>(labels) / D};
    return outcome;
}

std::string kind_of(const MemorySetting& setting) {
    return formatted(
        "{}, {}",
        name_of(kStackScores, setting.score),
        setting.layers == 1 ? std::string("1 layer") : formatted("{} layers", setting.layers));
}

Case memory_case(const MemorySetting& setting) {
    CaseKey key;
    key.task = "random_labels";
    key.parameters = {{"labels", std::string(name_of(kLabels, setting.labels))},
                      {"d", std::int64_t{setting.d}}};
    key.learner = "stack";
    key.learner_parameters = {{"kind", kind_of(setting)}, {"heads", std::int64_t{setting.heads}}};
    key.seed = setting.seed;
    key.stream = setting.stream().path();
    key.repetition = setting.repetition;
    return {key, [=] { return measure_memory(setting); }};
}

struct MemoryKind {
    StackScore score;
    Index layers;
};

/// Every H that divides d.
void add_heads(Experiment& experiment, MemorySetting setting) {
    for (setting.heads = 1; setting.heads <= setting.d; ++setting.heads) {
        for (setting.repetition = 0; setting.repetition < 3; ++setting.repetition) {
            if (setting.d % setting.heads == 0) {
                experiment.cases.push_back(memory_case(setting));
            }
        }
    }
}

Experiment make_memorisation(Profile profile, std::uint64_t seed) {
    Experiment experiment{"memorisation", profile, seed};
    const bool quick = profile == Profile::quick;
    const std::vector<MemoryKind> kinds{{StackScore::linear, 1},
                                        {StackScore::softmax, 1},
                                        {StackScore::linear, 2},
                                        {StackScore::softmax, 2}};
    for (const Index d : quick ? std::vector<Index>{4} : std::vector<Index>{4, 6}) {
        for (const StackLoss labels : {StackLoss::values, StackLoss::signs}) {
            for (const MemoryKind& kind : kinds) {
                // Two layers take half a minute a case.
                if (!quick || kind.layers == 1) {
                    add_heads(experiment, {kind.score, kind.layers, d, 1, labels, seed, 0});
                }
            }
        }
    }
    return experiment;
}

Table memory_table(const std::vector<Row>& rows) {
    const NumberFormat two{NumberFormat::Style::fixed, 2};
    Table table;
    table.columns = {{"labels", Alignment::left},
                     {"stack", Alignment::left},
                     {"d"},
                     {"heads"},
                     {"parameters P"},
                     {are_exact(rows, "dimension") ? "dimension D (proved)" : "dimension D"},
                     {"labels fitted, median"},
                     {"per parameter", Alignment::right, two},
                     {"per dimension", Alignment::right, two}};
    for (const std::vector<Row>& mine : split_rows(rows, {"labels", "kind", "d", "heads"})) {
        const std::vector<Row> ok = select_rows(mine, "status", "ok");
        if (ok.empty()) {
            continue;
        }
        const auto median = [&](const char* metric) {
            return cell_of(group_rows(ok, {}, metric).front(), Statistic::median);
        };
        table.rows.push_back({setting_cell(ok.front(), "labels"),
                              setting_cell(ok.front(), "kind"),
                              setting_cell(ok.front(), "d"),
                              setting_cell(ok.front(), "heads"),
                              whole(metric_cell(ok.front(), "parameters")),
                              whole(metric_cell(ok.front(), "dimension")),
                              whole(median("labels")),
                              median("per_parameter"),
                              median("per_dimension")});
    }
    return table;
}

Panel memory_panel(const std::vector<Row>& rows,
                   const std::string& metric,
                   const std::string& title) {
    Panel panel;
    panel.title = title;
    panel.x = {"heads H, of size d/H"};
    panel.y = {spaced(metric), Scale::linear, 0.0};
    panel.legend = Legend::none;
    panel.series = series_from_rows(rows, {"heads", metric, {"kind"}, Spread::range});
    if (metric == "per_dimension") {
        panel.guides = {{Guide::Direction::horizontal, 1.0, "D"}};
    }
    return panel;
}

Figure memory_figure(const std::vector<Row>& rows) {
    Figure figure;
    figure.title = "Random labels fitted, at equal numbers of parameters";
    figure.columns = 2;
    figure.panel_width = 520;
    figure.panel_height = 360;
    figure.legend = Legend::below;
    for (const std::string& labels : distinct_values(rows, "labels")) {
        const std::vector<Row> mine = select_rows(
            select_rows(rows, "labels", labels), "d", distinct_values(rows, "d").back());
        figure.panels.push_back(
            memory_panel(mine, "per_parameter", formatted("random {}, a parameter", labels)));
        figure.panels.push_back(
            memory_panel(mine, "per_dimension", formatted("random {}, a dimension", labels)));
    }
    return figure;
}

std::string memorisation_text(const std::vector<Row>& rows) {
    return "The most random labels that a stack is fitted to\n" + to_terminal(memory_table(rows));
}

Derived memorisation_derived(const std::vector<Row>& rows) {
    return {{{"memorisation", memory_table(rows)}}, {{"memorisation", memory_figure(rows)}}};
}

}  // namespace

ExperimentEntry memorisation() {
    return {
        .id = "memorisation",
        .summary = "how many random labels stacks of equal size and different H can be fitted to",
        .quick_seconds = 20.0,
        .full_seconds = 700.0,
        .make = make_memorisation,
        .text = memorisation_text,
        .derive_numbered = memorisation_derived};
}

}  // namespace attest
