#include "bench/experiments/catalogue.hpp"

#include "bench/experiments/entries.hpp"
#include "bench/experiments/text/text_tables.hpp"

#include <utility>
#include <vector>

namespace attest {

std::span<const ExperimentEntry> experiments() {
    static const std::vector<ExperimentEntry> kExperiments = [] {
        std::vector<ExperimentEntry> entries{
            fig1(),
            fig2(),
            fig2b(),
            fig3(),
            fig4(),
            turing_exhaust(),
            learned_machines(),
            float_minimisers(),
            feature_choice(),
            heads_tradeoff(),
            sample_complexity(),
            iid_certificate(),
            robustness(),
            length_generalisation(),
            depth_transition(),
            memorisation(),
            chen_li_phases(),
            chen_li_rarity(),
            chen_li_samples(),
            chen_li_baselines(),
            chen_li_lower_bound(),
            distil(),
            solver_accuracy(),
            solver_race(),
            scaling(),
            sketching(),
            training_speed(),
        };
        for (ExperimentEntry& entry : text_experiments("")) {
            entries.push_back(std::move(entry));
        }
        return entries;
    }();
    return kExperiments;
}

}  // namespace attest
