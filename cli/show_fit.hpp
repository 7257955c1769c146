#pragma once

#include "cli/output.hpp"
#include "core/features/predict.hpp"
#include "core/questions/learn.hpp"
#include "core/questions/read_kernel.hpp"
#include "core/solve/problem.hpp"

#include <string>

namespace attest::cli {

/// For people, first of all: is the answer unique, how good is it, where is it? `file` is empty
/// where no model was written.
void say_answer(Output& output,
                const LearnRequest& request,
                const Learned& found,
                const std::string& file);

/// Sizes of the data, the solver with what it predicted and took, and how good its answer is.
void show_fit(Output& output, const SequenceShape& data, const LeastSquaresFit& fit);

inline void show_fit(Output& output, const Dataset& data, const LeastSquaresFit& fit) {
    show_fit(output, sequence_shape(data), fit);
}

/// How many heads, and how they were found.
void show_heads(Output& output, const Learned& found);

/// The meta of a learned model, JSON: how it was learned and from the data of which digest. `heads`
/// is the request as the user wrote it.
[[nodiscard]] std::string learned_meta(const LearnRequest& request,
                                       const std::string& heads,
                                       const LeastSquaresFit& fit,
                                       const std::string& data_sha256);

[[nodiscard]] inline std::string learned_meta(const LearnRequest& request,
                                              const std::string& heads,
                                              const LeastSquaresFit& fit,
                                              const Dataset& data) {
    return learned_meta(request, heads, fit, digest(data));
}

/// The meta of a model whose heads were reduced: its own with what was done to it, in the norm of
/// data or of the coefficients.
[[nodiscard]] std::string reduced_meta(const std::string& meta,
                                       HeadChoice choice,
                                       const HeadReduction& found);

/// A squared error, its share of each output, and relative to the labels.
void show_risk(Output& output, const Risk& risk);

/// How a solve ended, in words that say what it presumes.
[[nodiscard]] std::string status_in_words(SolveStatus status);

/// How far the coefficients may be off; a bound that presumes something is no `error_bound`.
void show_error_bound(Output& output, const LeastSquaresFit& fit);

/// The kernel that the lags show, the decays behind it and the layer that they make.
void show_kernel(Output& output, const KernelReading& kernel);

}  // namespace attest::cli
