#pragma once

#include "core/rng/stream.hpp"
#include "tasks/task.hpp"
#include "tasks/teacher.hpp"

#include <memory>

namespace attest {

/// Options of the task of Figures 1 and 3.
struct RandomLinearAttentionOptions {
    Index d = 4;
    Index o = 0;  ///< 0: the same as d. The figures have o = 1.
    LengthRange n{16, 16};
    Index heads = 3;
    LabelKind labels = LabelKind::per_sequence;  ///< per_prefix: y_t = V Z_{1:t} (Z_{1:t}ᵀ Q z_t)
    TeacherKind teacher = TeacherKind::normalised;
    double teacher_scale = 1.0;
    double input_scale = 1.0;  ///< standard deviation of the tokens' entries
};

/// The setting of Figures 1 and 3: one planted head with one output labels every prefix of n tokens
/// whose entries have variance 1/n, one reading of the N(0, I/√T) that is printed.
[[nodiscard]] RandomLinearAttentionOptions figure_1_options(Index d, Index n = 100);

/// Gaussian tokens, labelled by planted heads: y = Σ_h V_h S Q_h z. Truth: the heads.
/// Labels are exact, rounded once, wherever tasks/labels.hpp can.
/// The paper prints teacher entries N(0, I/√d) and inputs N(0, I/√T); both readings of √ are
/// reached by `teacher_scale` (with the plain teacher) and `input_scale`.
[[nodiscard]] std::unique_ptr<Task> random_linear_attention(
    const RandomLinearAttentionOptions& options, const Stream& stream);

/// The task's row in the registry.
[[nodiscard]] std::vector<TaskParameter> random_linear_attention_parameters();
[[nodiscard]] std::unique_ptr<Task> read_random_linear_attention(const ParameterReader& reader,
                                                                 const Stream& stream);

}  // namespace attest
