#pragma once

#include "core/softmax/pipeline.hpp"
#include "record/experiment.hpp"
#include "record/row.hpp"
#include "record/table.hpp"
#include "tasks/noisy_labels.hpp"
#include "tasks/softmax_attention.hpp"

#include <string>
#include <vector>

namespace attest {

/// One planted layer of the experiments on arXiv 2402.04084, and the examples a learner gets.
struct ChenLiSetting {
    TokenLaw law = TokenLaw::gaussian;
    Index d = 6;
    Index k = 2;
    Index m = 2;
    double norm = 3.0;
    Index num_examples = 40000;
    ThetaKind theta = ThetaKind::dense;
    ValueKind value = ValueKind::conditioned;
    double noise = 0.0;  ///< standard deviation of what is added to every output
    Index repetition = 0;
};

/// The task of a setting; the data depend on experiment, seed, setting and repetition only.
[[nodiscard]] SoftmaxAttention chen_li_task(const ChenLiSetting& setting,
                                            std::string_view experiment,
                                            std::uint64_t seed);

/// The same task with the setting's noise on its outputs.
[[nodiscard]] NoisyLabels chen_li_training(const ChenLiSetting& setting,
                                           std::string_view experiment,
                                           std::uint64_t seed);

[[nodiscard]] CaseKey chen_li_key(const ChenLiSetting& setting,
                                  std::string_view experiment,
                                  std::uint64_t seed,
                                  std::string learner);

/// 2000 examples after those of the learner, without noise.
[[nodiscard]] SoftmaxExamples chen_li_held_out(const SoftmaxAttention& task,
                                               const ChenLiSetting& setting);

/// The pipeline with m and the window 1.5·max‖Θ_i‖ known, as the paper assumes.
[[nodiscard]] SoftmaxLearnOptions chen_li_options(const SoftmaxHeads& planted);

/// Relative error of parameters up to which it is all rounding: Gauss–Newton converges
/// quadratically where the labels fit, so that nothing ends between this and 10⁻³.
constexpr double kExactParameters = 1e-9;

/// Error after each phase, outcome as 0 or 1 (provable, recovered_by_polish), notices as 0 or 1.
[[nodiscard]] Metrics chen_li_metrics(const SoftmaxResult& result,
                                      const SoftmaxHeads& planted,
                                      double noise);

/// The parameter error below which the net's winner, unpolished, counts as found.
inline constexpr double kProvableError = 0.3;

struct ChenLiColumn {
    std::string header;
    std::string metric;
    Statistic statistic = Statistic::median;
};

/// One line for each combination of some fields, headed by their own names, repetitions summed up
/// to three digits.
[[nodiscard]] Table chen_li_table(const std::vector<Row>& rows,
                                  const std::vector<std::string>& fields,
                                  const std::vector<ChenLiColumn>& columns);

}  // namespace attest
