#include "bench/experiments/sketch/sketch_cases.hpp"

#include "bench/experiments/frame/timer.hpp"
#include "bench/experiments/sketch/moment_risk.hpp"
#include "record/figure/series.hpp"
#include "record/summary.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace attest {

namespace {

constexpr Index kSketchDraws = 5;
/// Keeps the factorisation of dependent features going; on features of mean square 1.
constexpr double kSketchRidge = 1e-9;

}  // namespace

Stream SketchChoice::stream(const Stream& root) const {
    return root.child(to_string(kind)).child(draw);
}

void SketchChoice::name(CaseKey& key, const Stream& root) const {
    key.learner = to_string(kind);
    key.learner_parameters = {{"features", std::int64_t{features}}};
    key.stream = stream(root).path();
    key.repetition = draw;
}

std::vector<SketchChoice> sketch_choices(Index most) {
    std::vector<SketchChoice> choices;
    for (const auto& [kind, name] : kSketchKinds) {
        for (Index m = 4; m < 4 * most; m *= 4) {
            for (Index draw = 0; draw < (is_random(kind) ? kSketchDraws : 1); ++draw) {
                choices.push_back({kind, std::min(m, most), draw});
            }
        }
    }
    return choices;
}

Metrics measure_sketch(const SketchChoice& choice,
                       const Moments& train,
                       const Moments& test,
                       Index d,
                       const Stream& root) {
    const Timer timer;
    const Matrix B = sketch(choice.kind, train, d, choice.features, choice.stream(root));
    Metrics metrics;
    metrics["choose_cpu_seconds"] = {timer.cpu_seconds(), {}, "s"};
    const Moments small = sketched(train, B);
    const Matrix P = scaled_ridge(small, kSketchRidge);
    const double rounding =
        static_cast<double>(choice.features) * std::numeric_limits<double>::epsilon();
    metrics["train_risk"] = zero_up_to(rounding, relative_risk(P, small));
    metrics["test_risk"] = {relative_risk(P, sketched(test, B))};
    return metrics;
}

Table sketch_table(const std::vector<Row>& rows, std::vector<KeyColumn> groups) {
    const NumberFormat four{NumberFormat::Style::fixed, 4};
    groups.emplace_back("learner");
    groups.emplace_back("features", "m");
    return group_table(rows,
                       groups,
                       {{"train_risk", four, "training risk", Statistic::mean},
                        {"test_risk", four, "test risk", Statistic::mean},
                        {"test_risk", four, "± s.e.", Statistic::standard_error},
                        {"choose_cpu_seconds", kThreeDigits, "CPU s to choose", Statistic::mean}});
}

Panel sketch_panel(const std::vector<Row>& rows,
                   const std::string& metric,
                   const std::string& title) {
    Panel panel;
    panel.title = formatted("{}, {}", title, spaced(metric));
    panel.x = {"features m", Scale::log10};
    panel.y = {"relative risk"};
    panel.legend = Legend::none;
    panel.series = series_from_rows(rows, {"features", metric, {"learner"}});
    return panel;
}

Derived sketch_derived(const std::string& name,
                       Table table,
                       std::vector<Panel> panels,
                       const std::string& title) {
    Derived derived{{{name, std::move(table)}}, {}};
    std::erase_if(panels, [](const Panel& panel) { return panel.series.empty(); });
    if (panels.empty()) {
        return derived;
    }
    Figure figure;
    figure.title = title;
    figure.columns = 2;
    figure.panel_width = 560;
    figure.legend = Legend::below;
    figure.panels = std::move(panels);
    derived.figures.push_back({name, std::move(figure)});
    return derived;
}

}  // namespace attest
