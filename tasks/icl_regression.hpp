#pragma once

#include "core/rng/stream.hpp"
#include "tasks/task.hpp"

#include <memory>

namespace attest {

/// Options of in-context linear regression (arXiv 2306.09927, 2306.00297, 2307.03576, 2405.11751).
struct IclRegressionOptions {
    Index d = 4;                ///< entries of x; a token has one more
    LengthRange n{16, 16};      ///< pairs before the query
    Index tasks = 0;            ///< different w, equally likely; 0: a fresh one for every sequence
    double mean = 0.0;          ///< of every entry of w
    double prompt_noise = 0.0;  ///< standard deviation of the noise on the prompt's y
    Index halvings = 0;  ///< entry j of x is divided by 2 to the power j mod (halvings + 1), from 0
};

/// Sequences (x_1, y_1) … (x_n, y_n), (x, 0) with y_i = ⟨w, x_i⟩ + noise, x and w − mean on the
/// grid of normal numbers, and the label ⟨w, x⟩. No layer fits it. Truth: the head of least risk,
/// where w ~ N(0, I) is fresh and n one number; else none.
[[nodiscard]] std::unique_ptr<Task> icl_regression(const IclRegressionOptions& options,
                                                   const Stream& stream);

/// The least risk E(label − output)² of a layer of any number of heads: tr Σ − tr(Σ Γ⁻¹ Σ), Γ = (1
/// + 1/n) Σ + ((tr Σ + prompt_noise²)/n) I. Throws InvalidInput unless tasks = 0, mean = 0 and n is
/// one number.
[[nodiscard]] double least_icl_risk(const IclRegressionOptions& options);

/// The task's row in the registry.
[[nodiscard]] std::vector<TaskParameter> icl_regression_parameters();
[[nodiscard]] std::unique_ptr<Task> read_icl_regression(const ParameterReader& reader,
                                                        const Stream& stream);

}  // namespace attest
