#include "bench/experiments/catalogue.hpp"

#include "bench/experiments/chen_li_baselines.hpp"
#include "bench/experiments/chen_li_lower_bound.hpp"
#include "bench/experiments/chen_li_phases.hpp"
#include "bench/experiments/chen_li_rarity.hpp"
#include "bench/experiments/chen_li_samples.hpp"
#include "bench/experiments/fig2_memory.hpp"
#include "bench/experiments/fig4_automata.hpp"
#include "bench/experiments/heads_tradeoff.hpp"
#include "bench/experiments/scaling.hpp"
#include "bench/experiments/solver_accuracy.hpp"
#include "bench/experiments/solver_race.hpp"
#include "bench/experiments/turing_exhaust.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <array>

namespace attest {

namespace {

constexpr std::array kExperiments{
    ExperimentEntry{"fig2",
                    "associative memory: identifiability decides which minimiser generalises",
                    20.0,
                    140.0,
                    make_fig2,
                    fig2_text,
                    derive_fig2},
    ExperimentEntry{"fig4",
                    "universal automata: the tokens that learning and certification need",
                    60.0,
                    1200.0,
                    make_fig4,
                    fig4_text,
                    derive_fig4},
    ExperimentEntry{"turing_exhaust",
                    "a universal Turing machine learned from a few runs, checked on a whole class",
                    30.0,
                    60.0,
                    make_turing_exhaust,
                    turing_exhaust_text,
                    derive_turing_exhaust},
    ExperimentEntry{"heads_tradeoff",
                    "what fewer heads cost: SVD, refitted values, fits in two norms",
                    5.0,
                    300.0,
                    make_heads_tradeoff,
                    heads_tradeoff_text,
                    derive_heads_tradeoff},
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
        ids += concat(ids.empty() ? "" : ", ", entry.id);
    }
    throw UnknownName(concat("experiment: got '", id, "', expected one of ", ids));
}

}  // namespace attest
