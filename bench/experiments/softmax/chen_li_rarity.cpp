#include "bench/experiments/entries.hpp"
#include "bench/experiments/softmax/chen_li_problem.hpp"
#include "core/softmax/diagnostics.hpp"
#include "record/figure/figure.hpp"

#include <cmath>

namespace attest {

// How often the heads agree to within ε on a row of a Gaussian sequence: P ≈ const·ε^{(m−1)(k−1)},
// the reason for the exponential dependence of the algorithm's sample size on m.
//
// Expected outcome: slopes near 1, 1.9, 2.8 for m = 2, 3, 4 at k = 2, and 1.9, 2.9 for k = 3, 4 at
// m = 2 (below the integers, since all p ≥ 0.05 is asked for).

namespace {

constexpr std::string_view kRarityId = "chen_li_rarity";

const std::vector<double> kEpsilons{0.1, 0.05, 0.02, 0.01};

std::string metric_of(double epsilon) {
    return formatted("agreement_{}_thousandths", static_cast<int>(std::lround(1000.0 * epsilon)));
}

CaseOutcome count_agreement(const ChenLiSetting& setting, std::uint64_t seed) {
    const SoftmaxAttention task = chen_li_task(setting, kRarityId, seed);
    const Rarity rarity =
        agreement(task.heads(), softmax_source(task, 0, setting.num_examples), kEpsilons);
    const auto rows = static_cast<double>(rarity.rows);
    CaseOutcome outcome;
    for (std::size_t e = 0; e < kEpsilons.size(); ++e) {
        outcome.metrics[metric_of(kEpsilons[e])] = {static_cast<double>(rarity.agreeing[e]) / rows};
    }
    outcome.metrics["sparse"] = {static_cast<double>(rarity.sparse) / rows};
    outcome.metrics["predicted_slope"] = {static_cast<double>((setting.m - 1) * (setting.k - 1))};
    if (const double slope = rarity_slope(rarity, kEpsilons); std::isfinite(slope)) {
        outcome.metrics["slope"] = {slope};
    }
    return outcome;
}

Table rarity_table(const std::vector<Row>& rows) {
    std::vector<ChenLiColumn> columns;
    columns.reserve(kEpsilons.size() + 3);
    for (const double epsilon : kEpsilons) {
        columns.push_back({formatted("ε = {}", epsilon), metric_of(epsilon)});
    }
    columns.push_back({"slope", "slope"});
    columns.push_back({"(m−1)(k−1)", "predicted_slope"});
    columns.push_back({"all 1-sparse", "sparse"});
    return chen_li_table(rows, {"k", "m", "norm", "num_examples"}, columns);
}

Series curve_of(const Row& row) {
    const auto whole = [&](const char* name) {
        return std::get<std::int64_t>(row.key.parameters.at(name));
    };
    Series series{formatted("k = {}, m = {}", whole("k"), whole("m"))};
    for (const double epsilon : kEpsilons) {
        const double value = row.metrics.at(metric_of(epsilon)).value;
        if (value > 0.0) {
            series.points.push_back({epsilon, value, value, value});
        }
    }
    return series;
}

Experiment make_chen_li_rarity(Profile profile, std::uint64_t seed) {
    const bool quick = profile == Profile::quick;
    Experiment experiment{std::string(kRarityId), profile, seed};
    for (const double norm :
         quick ? std::vector<double>{3.0} : std::vector<double>{1.0, 3.0, 6.0}) {
        for (const auto& [k, m] :
             std::vector<std::pair<Index, Index>>{{2, 2}, {2, 3}, {2, 4}, {3, 2}, {4, 2}, {3, 3}}) {
            const ChenLiSetting setting{
                TokenLaw::gaussian, 8, k, m, norm, (quick ? 200000 : 2000000) / k};
            experiment.cases.push_back({chen_li_key(setting, kRarityId, seed, ""), [setting, seed] {
                                            return count_agreement(setting, seed);
                                        }});
        }
    }
    return experiment;
}

std::string chen_li_rarity_text(const std::vector<Row>& rows) {
    return "Fraction of rows on which all heads agree within ε, and the slope in log-log\n" +
           to_terminal(rarity_table(rows));
}

Derived chen_li_rarity_derived(const std::vector<Row>& rows) {
    Derived derived{{{"chen_li_rarity", rarity_table(rows)}}, {}};
    Panel panel;
    panel.title = "Rows on which all heads agree, ‖Θ‖ = 3";
    panel.x = {"ε", Scale::log10};
    panel.y = {"fraction of rows", Scale::log10};
    panel.legend = Legend::right;
    for (const Row& row : rows) {
        const auto norm = row.key.parameters.find("norm");
        if (row.status == RowStatus::ok && norm != row.key.parameters.end() &&
            std::abs(std::get<double>(norm->second) - 3.0) < 0.5) {
            const Series series = curve_of(row);
            if (series.points.size() > 1) {
                panel.series.push_back(series);
            }
        }
    }
    if (!panel.series.empty()) {
        Figure figure;
        figure.title = "Agreement of the heads is rare: the cost of learning them";
        figure.panels = {panel};
        derived.figures.push_back({"chen_li_rarity", figure});
    }
    return derived;
}

}  // namespace

ExperimentEntry chen_li_rarity() {
    return {.id = "chen_li_rarity",
            .summary = "how often softmax heads agree on a row, against the tolerance",
            .quick_seconds = 3.0,
            .full_seconds = 180.0,
            .make = make_chen_li_rarity,
            .text = chen_li_rarity_text,
            .derive_numbered = chen_li_rarity_derived};
}

}  // namespace attest
