#include "bench/experiments/catalogue.hpp"

#include "bench/experiments/fig2_memory.hpp"
#include "bench/experiments/solver_accuracy.hpp"
#include "bench/experiments/solver_race.hpp"
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
    ExperimentEntry{"solver_accuracy",
                    "every solver against 50 digits at conditions from 10 to 1e12",
                    15.0,
                    90.0,
                    make_solver_accuracy,
                    solver_accuracy_text,
                    derive_solver_accuracy},
    ExperimentEntry{"solver_race",
                    "solvers and other libraries on the same data: time, error, memory",
                    30.0,
                    600.0,
                    make_solver_race,
                    solver_race_text,
                    derive_solver_race},
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
