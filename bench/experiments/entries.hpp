#pragma once

#include "record/derive/experiment_entry.hpp"

namespace attest {

// Each stands in the file of its name, below the question that it asks and the outcome expected.

// memory
[[nodiscard]] ExperimentEntry fig2();
[[nodiscard]] ExperimentEntry fig2b();
[[nodiscard]] ExperimentEntry heads_tradeoff();

// training
[[nodiscard]] ExperimentEntry fig1();
[[nodiscard]] ExperimentEntry fig3();
[[nodiscard]] ExperimentEntry training_speed();

// machines
[[nodiscard]] ExperimentEntry fig4();
[[nodiscard]] ExperimentEntry turing_exhaust();
[[nodiscard]] ExperimentEntry learned_machines();
[[nodiscard]] ExperimentEntry float_minimisers();
[[nodiscard]] ExperimentEntry feature_choice();

// certificates
[[nodiscard]] ExperimentEntry sample_complexity();
[[nodiscard]] ExperimentEntry iid_certificate();
[[nodiscard]] ExperimentEntry robustness();
[[nodiscard]] ExperimentEntry length_generalisation();

// depth
[[nodiscard]] ExperimentEntry depth_transition();
[[nodiscard]] ExperimentEntry memorisation();

// softmax
[[nodiscard]] ExperimentEntry chen_li_phases();
[[nodiscard]] ExperimentEntry chen_li_rarity();
[[nodiscard]] ExperimentEntry chen_li_samples();
[[nodiscard]] ExperimentEntry chen_li_baselines();
[[nodiscard]] ExperimentEntry chen_li_lower_bound();
[[nodiscard]] ExperimentEntry distil();

// solvers
[[nodiscard]] ExperimentEntry solver_accuracy();
[[nodiscard]] ExperimentEntry solver_race();
[[nodiscard]] ExperimentEntry scaling();

// sketch
[[nodiscard]] ExperimentEntry sketching();

}  // namespace attest
