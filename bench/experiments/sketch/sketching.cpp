#include "bench/experiments/entries.hpp"
#include "bench/experiments/frame/last_problem.hpp"
#include "bench/experiments/sketch/sketches.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/predict.hpp"
#include "core/moments/moment_sums.hpp"
#include "core/rng/sample.hpp"
#include "record/summary.hpp"
#include "tasks/iid_entries.hpp"

#include <cmath>
#include <utility>

namespace attest {

// How many numbers in the place of ψ cubic features does a planted layer need? The risk of least
// squares on m of them, by the seven ways that text_sketch tries on text, for tokens with entries
// alike and for tokens whose entries decay.
//
// Expected outcome: with entries alike the d² features S_jj z_l, which have a mean, carry half of
// the labels, so that a few numbers go far; the rest needs nearly all features, and the risk is 0
// at m = ψ alone. Entries that decay leave less for the rest, and largest mean squares and
// TensorSketch are then ahead of eigenvectors. Pursuit, which looks at the labels, is best at every
// m, CountSketch and random directions are worst. A sketch is an approximation, with no
// certificate.

namespace {

constexpr Index kPlantedTokens = 8;
constexpr Index kPlantedPerFeature = 8;
constexpr double kEntryDecay = -1.0;  // standard deviation of entry k: 1/k

struct PlantedSetting {
    std::string tokens;
    Index d = 0;
    std::uint64_t seed = 0;

    friend bool operator==(const PlantedSetting&, const PlantedSetting&) = default;

    [[nodiscard]] Stream stream() const {
        return Stream(seed).child("sketching").child(tokens).child(d);
    }
};

struct PlantedMoments {
    Moments train;
    Moments test;
};

Moments planted_moments(const PlantedSetting& setting, std::string_view part) {
    IidEntriesOptions options;
    options.d = setting.d;
    options.n = {kPlantedTokens, kPlantedTokens};
    Dataset data = materialise(*iid_entries(options, setting.stream().child(part)),
                               0,
                               kPlantedPerFeature * feature_dim(setting.d),
                               1);
    for (Index k = 0; setting.tokens == "decaying" && k < setting.d; ++k) {
        data.tokens.own().row(k) *= std::pow(static_cast<double>(k + 1), kEntryDecay);
    }
    const Stream heads = setting.stream().child("heads");
    const Parameters theta{setting.d,
                           1,
                           {{grid_matrix(grid_normal(), 1, setting.d, heads.child("V")),
                             grid_matrix(grid_normal(), setting.d, setting.d, heads.child("Q"))}}};
    data.y = predict(coefficients(theta), DatasetSource(data));
    data.labels = LabelKind::per_sequence;
    return structured_moments(DatasetSource(data), {});
}

PlantedMoments planted(const PlantedSetting& setting) {
    return {planted_moments(setting, "train"), planted_moments(setting, "test")};
}

Table planted_table(const std::vector<Row>& rows) {
    return sketch_table(rows, {{"tokens"}, {"d", "d"}});
}

Derived planted_derived(const std::vector<Row>& rows) {
    std::vector<Panel> panels;
    for (const std::string& d : distinct_values(rows, "d")) {
        for (const char* tokens : {"alike", "decaying"}) {
            panels.push_back(sketch_panel(select_rows(select_rows(rows, "d", d), "tokens", tokens),
                                          "test_risk",
                                          formatted("d = {}, entries {}", d, tokens)));
        }
    }
    return sketch_derived("sketching",
                          planted_table(rows),
                          std::move(panels),
                          "Least squares on m sketched or chosen features of a planted layer");
}

Experiment make_planted(Profile profile, std::uint64_t seed) {
    const bool quick = profile == Profile::quick;
    Experiment experiment{"sketching", profile, seed};
    const auto problems = std::make_shared<LastProblem<PlantedSetting, PlantedMoments>>(planted);
    for (const Index d : quick ? std::vector<Index>{6} : std::vector<Index>{6, 8, 12}) {
        for (const char* tokens : {"alike", "decaying"}) {
            const PlantedSetting setting{tokens, d, seed};
            // More would take pursuit long, and be no sketch any more.
            const Index most = d > 8 ? 256 : feature_dim(d);
            for (const SketchChoice& choice : sketch_choices(most)) {
                CaseKey key;
                key.task = "planted";
                key.parameters = {{"tokens", std::string(tokens)}, {"d", std::int64_t{d}}};
                key.seed = seed;
                choice.name(key, setting.stream());
                experiment.cases.push_back(
                    {key, [=] {
                         const auto problem = problems->of(setting);
                         CaseOutcome outcome;
                         outcome.metrics = measure_sketch(
                             choice, problem->train, problem->test, d, setting.stream());
                         return outcome;
                     }});
            }
        }
    }
    return experiment;
}

}  // namespace

ExperimentEntry sketching() {
    return {.id = "sketching",
            .summary = "a planted layer: m chosen or sketched features in the place of all",
            .quick_seconds = 2.0,
            .full_seconds = 60.0,
            .make = make_planted,
            .text = [](const std::vector<Row>& rows) { return to_terminal(planted_table(rows)); },
            .derive_numbered = planted_derived};
}

}  // namespace attest
