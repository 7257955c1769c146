#include "bench/experiments/entries.hpp"
#include "bench/experiments/softmax/chen_li_problem.hpp"

namespace attest {

// The six phases of arXiv 2402.04084: how far each quantity is from the truth after each phase, for
// every law of inputs and every kind of Θ.
//
// Expected outcome: the error of Σ W falls from 0.15–0.25 to below 10⁻³, the hull is right to below
// 10⁻², the net's winner to below 0.1, without polish. Diagonal Θ on Boolean inputs fail: their
// logits take too few values for near-agreement to be found.

namespace {

constexpr std::string_view kPhasesId = "chen_li_phases";

/// Whether the learner is told the number of heads and the window of norms, as the paper assumes.
enum class Told : std::uint8_t { both, neither };

CaseOutcome run_phases(const ChenLiSetting& setting, Told told, std::uint64_t seed) {
    const SoftmaxAttention task = chen_li_task(setting, kPhasesId, seed);
    const NoisyLabels training = chen_li_training(setting, kPhasesId, seed);
    const SoftmaxResult result =
        learn_softmax(softmax_source(training, 0, setting.num_examples),
                      chen_li_held_out(task, setting),
                      told == Told::both ? chen_li_options(task.heads()) : SoftmaxLearnOptions{});
    CaseOutcome outcome{chen_li_metrics(result, task.heads(), setting.noise)};
    outcome.metrics["heads_found"] = {static_cast<double>(result.heads().size())};
    return outcome;
}

std::vector<ChenLiSetting> quick_settings() {
    std::vector<ChenLiSetting> settings;
    for (const auto& kind : kThetaKinds) {
        ChenLiSetting setting;
        setting.theta = kind.value;
        setting.num_examples = 30000;
        settings.push_back(setting);
    }
    ChenLiSetting sphere;
    sphere.law = TokenLaw::sphere;
    settings.push_back(sphere);
    settings.push_back({TokenLaw::boolean, 8, 2, 2, 3.0, 60000, ThetaKind::dense});
    return settings;
}

std::vector<ChenLiSetting> full_settings() {
    std::vector<ChenLiSetting> settings = quick_settings();
    settings.push_back({TokenLaw::boolean, 8, 2, 2, 3.0, 60000, ThetaKind::diagonal});
    settings.push_back({TokenLaw::gaussian, 6, 3, 2, 3.0, 50000});
    settings.push_back({TokenLaw::gaussian, 6, 2, 3, 3.0, 150000});
    settings.push_back({TokenLaw::gaussian, 6, 2, 3, 12.0, 150000});
    for (const double norm : {1.0, 6.0, 12.0}) {
        settings.push_back({TokenLaw::gaussian, 6, 2, 2, norm, 40000});
    }
    for (const TokenLaw law : {TokenLaw::sphere, TokenLaw::boolean}) {
        for (const auto& kind : kThetaKinds) {
            const ChenLiSetting setting{law, 8, 2, 2, 3.0, 60000, kind.value};
            if (law == TokenLaw::sphere ||
                (kind.value != ThetaKind::dense && kind.value != ThetaKind::diagonal)) {
                settings.push_back(setting);
            }
        }
    }
    settings.push_back({TokenLaw::boolean, 8, 2, 3, 3.0, 96000});
    settings.push_back({TokenLaw::gaussian, 8, 3, 3, 3.0, 200000});
    settings.push_back({TokenLaw::gaussian, 8, 2, 4, 3.0, 400000});
    settings.push_back(
        {TokenLaw::gaussian, 6, 2, 2, 3.0, 40000, ThetaKind::dense, ValueKind::singular});
    return settings;
}

Table phases_table(const std::vector<Row>& rows) {
    return chen_li_table(
        rows,
        {"learner", "law", "theta", "value", "d", "k", "m", "norm", "noise", "num_examples"},
        {{"ΣW crude", "crude_sum_error"},
         {"ΣW refined", "refined_sum_error"},
         {"hull", "hull_error"},
         {"angle °", "hull_angle"},
         {"gap", "gap"},
         {"net, parameters", "net_parameter_error"},
         {"net, held out", "net_error"},
         {"polished", "parameter_error"},
         {"heads", "heads_found"},
         {"phases succeed", "provable", Statistic::mean},
         {"by signs", "by_signs", Statistic::mean},
         {"by polish only", "recovered_by_polish", Statistic::mean}});
}

Experiment make_chen_li_phases(Profile profile, std::uint64_t seed) {
    const bool quick = profile == Profile::quick;
    Experiment experiment{std::string(kPhasesId), profile, seed};
    const auto add = [&](ChenLiSetting setting, Told told) {
        const char* learner = told == Told::both ? "six_phases" : "six_phases_untold";
        for (setting.repetition = 0; setting.repetition < (quick ? 1 : 10); ++setting.repetition) {
            experiment.cases.push_back(
                {chen_li_key(setting, kPhasesId, seed, learner),
                 [setting, told, seed] { return run_phases(setting, told, seed); }});
        }
    };
    for (const ChenLiSetting& setting : quick ? quick_settings() : full_settings()) {
        add(setting, Told::both);
    }
    // Beyond what the paper assumes: noise on the outputs, and nothing known beforehand.
    for (const double noise : {0.01, 0.1, 0.5}) {
        add({.num_examples = 30000, .noise = noise}, Told::both);
    }
    for (const Index m : {1, 2}) {
        add({.m = m, .num_examples = 30000}, Told::neither);
    }
    if (!quick) {
        for (const double norm : {3.0, 12.0}) {
            add({.m = 3, .norm = norm, .num_examples = 150000}, Told::neither);
        }
    }
    return experiment;
}

std::string chen_li_phases_text(const std::vector<Row>& rows) {
    return "Relative errors after each phase, median over repetitions; successes as fractions\n" +
           to_terminal(phases_table(rows));
}

Derived chen_li_phases_derived(const std::vector<Row>& rows) {
    return {.tables = {{"chen_li_phases", phases_table(rows)}}};
}

}  // namespace

ExperimentEntry chen_li_phases() {
    return {
        .id = "chen_li_phases",
        .summary =
            "the six phases of arXiv 2402.04084: errors after each, by inputs and kind of heads",
        .quick_seconds = 6.0,
        .full_seconds = 900.0,
        .make = make_chen_li_phases,
        .text = chen_li_phases_text,
        .derive_numbered = chen_li_phases_derived};
}

}  // namespace attest
