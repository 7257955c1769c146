#include "bench/experiments/catalogue.hpp"

#include "bench/experiments/certificates/iid_certificate.hpp"
#include "bench/experiments/certificates/length_generalisation.hpp"
#include "bench/experiments/certificates/robustness.hpp"
#include "bench/experiments/certificates/sample_complexity.hpp"
#include "bench/experiments/machines/feature_choice.hpp"
#include "bench/experiments/machines/fig4_automata.hpp"
#include "bench/experiments/machines/float_minimisers.hpp"
#include "bench/experiments/machines/learned_machines.hpp"
#include "bench/experiments/machines/turing_exhaust.hpp"
#include "bench/experiments/memory/fig2_memory.hpp"
#include "bench/experiments/memory/fig2b_heads.hpp"
#include "bench/experiments/memory/heads_tradeoff.hpp"
#include "bench/experiments/softmax/chen_li_baselines.hpp"
#include "bench/experiments/softmax/chen_li_lower_bound.hpp"
#include "bench/experiments/softmax/chen_li_phases.hpp"
#include "bench/experiments/softmax/chen_li_rarity.hpp"
#include "bench/experiments/softmax/chen_li_samples.hpp"
#include "bench/experiments/solvers/scaling.hpp"
#include "bench/experiments/solvers/solver_accuracy.hpp"
#include "bench/experiments/solvers/solver_race.hpp"
#include "bench/experiments/training/fig1_heads.hpp"
#include "bench/experiments/training/fig3_layers.hpp"
#include "bench/experiments/training/training_speed.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <array>

namespace attest {

namespace {

constexpr std::array kExperiments{
    ExperimentEntry{"fig1",
                    "heads trained by gradient descent on random linear attention, and Algorithm 1",
                    15.0,
                    1200.0,
                    make_fig1,
                    fig1_text,
                    derive_fig1},
    ExperimentEntry{"fig2",
                    "associative memory: identifiability decides which minimiser generalises",
                    15.0,
                    140.0,
                    make_fig2,
                    fig2_text,
                    derive_fig2},
    ExperimentEntry{"fig2b",
                    "associative memory by gradient descent, with and without identifiability",
                    12.0,
                    1100.0,
                    make_fig2b,
                    fig2b_text,
                    derive_fig2b},
    ExperimentEntry{"fig3",
                    "layers of linear attention and a transformer on the data of fig1",
                    45.0,
                    1500.0,
                    make_fig3,
                    fig3_text,
                    derive_fig3},
    ExperimentEntry{"fig4",
                    "universal automata: the tokens that learning and certification need",
                    45.0,
                    5400.0,
                    make_fig4,
                    fig4_text,
                    derive_fig4},
    ExperimentEntry{"turing_exhaust",
                    "a universal Turing machine learned from a few runs, checked on a whole class",
                    35.0,
                    60.0,
                    make_turing_exhaust,
                    turing_exhaust_text,
                    derive_turing_exhaust},
    ExperimentEntry{"learned_machines",
                    "busy beavers and others learned from short random runs of their class",
                    95.0,
                    3600.0,
                    make_learned_machines,
                    learned_machines_text,
                    derive_learned_machines},
    ExperimentEntry{"float_minimisers",
                    "exact, least-norm and random minimisers of traces, fed by themselves",
                    18.0,
                    100.0,
                    make_float_minimisers,
                    float_minimisers_text,
                    derive_float_minimisers},
    ExperimentEntry{"feature_choice",
                    "traces learned with typed heads only, and from compressed tokens",
                    33.0,
                    150.0,
                    make_feature_choice,
                    feature_choice_text,
                    derive_feature_choice,
                    true},
    ExperimentEntry{"heads_tradeoff",
                    "what fewer heads cost: SVD, refitted values, fits in two norms",
                    5.0,
                    300.0,
                    make_heads_tradeoff,
                    heads_tradeoff_text,
                    derive_heads_tradeoff},
    ExperimentEntry{"sample_complexity",
                    "Theorem 2.2: excess risk against examples and token dimension",
                    16.0,
                    80.0,
                    make_sample_complexity,
                    sample_complexity_text,
                    derive_sample_complexity},
    ExperimentEntry{"iid_certificate",
                    "Lemma A.5: the smallest eigenvalue of samples beside the population's",
                    8.0,
                    170.0,
                    make_iid_certificate,
                    iid_certificate_text,
                    derive_iid_certificate},
    ExperimentEntry{
        "robustness",
        "four ways of losing identifiability: the certificate predicts the error elsewhere",
        8.0,
        40.0,
        make_robustness,
        robustness_text,
        derive_robustness},
    ExperimentEntry{"length_generalisation",
                    "trained at one length, asked at others: what the certificate promises",
                    5.0,
                    25.0,
                    make_length_generalisation,
                    length_generalisation_text,
                    derive_length_generalisation},
    ExperimentEntry{
        "chen_li_phases",
        "the six phases of arXiv 2402.04084: errors after each, by inputs and kind of heads",
        45.0,
        900.0,
        make_chen_li_phases,
        chen_li_phases_text,
        derive_chen_li_phases},
    ExperimentEntry{"chen_li_rarity",
                    "how often softmax heads agree on a row, against the tolerance",
                    15.0,
                    180.0,
                    make_chen_li_rarity,
                    chen_li_rarity_text,
                    derive_chen_li_rarity},
    ExperimentEntry{"chen_li_samples",
                    "examples that the six phases need, against the number of heads",
                    15.0,
                    300.0,
                    make_chen_li_samples,
                    chen_li_samples_text,
                    derive_chen_li_samples},
    ExperimentEntry{"chen_li_baselines",
                    "the six phases beside Levenberg-Marquardt and Adam from random starts",
                    45.0,
                    900.0,
                    make_chen_li_baselines,
                    chen_li_baselines_text,
                    derive_chen_li_baselines},
    ExperimentEntry{"chen_li_lower_bound",
                    "layers that compute parities: exponential dependence on the number of heads",
                    20.0,
                    300.0,
                    make_chen_li_lower_bound,
                    chen_li_lower_bound_text,
                    derive_chen_li_lower_bound},
    ExperimentEntry{"solver_accuracy",
                    "every solver against 50 digits at conditions from 10 to 1e12",
                    15.0,
                    90.0,
                    make_solver_accuracy,
                    solver_accuracy_text,
                    derive_solver_accuracy,
                    true,
                    Topic::solvers},
    ExperimentEntry{"solver_race",
                    "solvers and other libraries on the same data: time, error, memory",
                    30.0,
                    600.0,
                    make_solver_race,
                    solver_race_text,
                    derive_solver_race,
                    false,
                    Topic::solvers},
    ExperimentEntry{"scaling",
                    "what a full solve costs as d grows, and what that says of d = 768 and 12 288",
                    10.0,
                    120.0,
                    make_scaling,
                    scaling_text,
                    derive_scaling,
                    false,
                    Topic::solvers},
    ExperimentEntry{"training_speed",
                    "updates of one layer of heads: our engine beside torch",
                    20.0,
                    150.0,
                    make_training_speed,
                    training_speed_text,
                    derive_training_speed,
                    false,
                    Topic::solvers},
};

}  // namespace

std::span<const ExperimentEntry> experiments() {
    return kExperiments;
}

const ExperimentEntry& experiment_named(std::string_view id) {
    const auto* const found =
        std::find_if(kExperiments.begin(), kExperiments.end(), [&](const ExperimentEntry& entry) {
            return entry.id == id;
        });
    if (found != kExperiments.end()) {
        return *found;
    }
    std::string ids;
    for (const ExperimentEntry& entry : kExperiments) {
        ids += formatted("{}{}", ids.empty() ? "" : ", ", entry.id);
    }
    throw UnknownName(formatted("experiment: got '{}', expected one of {}", id, ids));
}

}  // namespace attest
