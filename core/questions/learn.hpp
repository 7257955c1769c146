#pragma once

#include "core/certify/least_risk.hpp"
#include "core/data/model_file.hpp"
#include "core/data/opened_dataset.hpp"
#include "core/data/sources/moments.hpp"
#include "core/features/predict.hpp"
#include "core/questions/output.hpp"
#include "core/questions/reduce_heads.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace attest {

struct LearnRequest {
    std::string solver = "auto";
    SolveOptions solve;
    HeadRequest heads;
    std::uint64_t seed = 0;  ///< of the search for heads
};

/// What the solver needs: most go through the examples in order.
[[nodiscard]] ReadingAs reading_for(const LearnRequest& request);

/// A learned model, and how it was learned.
struct Learned {
    LearnRequest request;
    SequenceShape data;  ///< empty for a source of moments alone
    LeastSquaresFit fit;
    Model model;  ///< without meta; with fewer heads than Algorithm 1's, P is theirs
    std::optional<HeadReduction> reduction;  ///< unless HeadChoice::svd
    Risk risk;                               ///< of the model on its training data
    double seconds = 0.0;                    ///< that it took, reading included
};

/// What the solver is predicted to take of data of this shape, in seconds; of `auto` the one that
/// it tries first. Heads and reading are not in it.
[[nodiscard]] double solve_seconds(const SourceShape& shape, const LearnRequest& request);

/// Algorithm 1 on labelled data: least squares, then heads. The examples are read by the solver,
/// for the risk, and once more for the norm of the data where the heads are reduced. Throws
/// NotAvailable when the solver asked for refuses, and what fit_least_squares and reduce_heads
/// throw.
[[nodiscard]] Learned learn(const FactoredSource& data,
                            const LearnRequest& request,
                            const HeadObserver& observer);

/// Is it unique, how good is it, where is it; then sizes, solver, heads and risk. `file` is empty
/// where no model is kept.
[[nodiscard]] Output describe(const Learned& found, const std::string& file);

/// The meta of a learned model, JSON: how it was learned and from the data of which digest.
[[nodiscard]] std::string learned_meta(const Learned& found, const std::string& data_sha256);

/// A squared error, its share of each output, and relative to the labels.
void describe(Output& output, const Risk& risk);

/// How a solve ended, in words that say what it presumes.
[[nodiscard]] std::string status_in_words(SolveStatus status);

/// How far the coefficients may be off; a bound that presumes something is no `error_bound`.
void describe_error_bound(Output& output, const LeastSquaresFit& fit);

/// Whether the source's examples are read by the paper's layer.
[[nodiscard]] bool is_linear(const MomentSource& source);

/// Coefficients learned from a source, with their heads by Algorithm 1's last two steps where its
/// layer has heads. P is ψ×o.
[[nodiscard]] Model model_of(const MomentSource& source, const Matrix& P);

/// Heads of a model, whatever its layer; 0 where it has coefficients only.
[[nodiscard]] Index num_heads(const Model& model);

}  // namespace attest
