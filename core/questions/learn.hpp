#pragma once

#include "core/certify/least_risk.hpp"
#include "core/data/model_file.hpp"
#include "core/data/opened_dataset.hpp"
#include "core/data/sources/moments.hpp"
#include "core/features/predict.hpp"
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

/// The solvers grouped and reference look at all tokens at once; the others go through the examples
/// in order.
[[nodiscard]] ReadingAs reading_for(const LearnRequest& request);

/// A learned model, and how it was learned.
struct Learned {
    LeastSquaresFit fit;
    Model model;  ///< without meta; with fewer heads than Algorithm 1's, P is theirs
    std::optional<HeadReduction> reduction;  ///< unless HeadChoice::svd
    Risk risk;                               ///< of the model on its training data
};

/// Algorithm 1 on labelled data: least squares, then heads. The examples are read by the solver,
/// for the risk, and once more for the norm of the data where the heads are reduced. Throws
/// NotAvailable when the solver asked for refuses, and what fit_least_squares and reduce_heads
/// throw.
[[nodiscard]] Learned learn(const FactoredSource& data,
                            const LearnRequest& request,
                            const HeadObserver& observer);

/// Whether the source's examples are read by the paper's layer.
[[nodiscard]] bool is_linear(const MomentSource& source);

/// Coefficients learned from a source, with their heads by Algorithm 1's last two steps where its
/// layer has heads. P is ψ×o.
[[nodiscard]] Model model_of(const MomentSource& source, const Matrix& P);

/// Heads of a model, whatever its layer; 0 where it has coefficients only.
[[nodiscard]] Index num_heads(const Model& model);

/// The coefficients of least risk as a model.
struct BestModel {
    Model model;              ///< for the paper's layer with o·d heads, each V a unit matrix E_ab
    Integer denominator = 1;  ///< times it, all coefficients are integers
    bool is_exact = false;    ///< every number of the model is the exact one, not rounded
};

/// `found` is least_risk(data), decided. Numbers that are no doubles are off by at most 2⁻⁵² of
/// their size. O(o ψ), and for the paper's layer O(o d³).
[[nodiscard]] BestModel best_model(const Dataset& data, const LeastRisk& found);

}  // namespace attest
