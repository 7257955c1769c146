#pragma once

#include "core/audit/head_reduction.hpp"
#include "core/data/model_file.hpp"
#include "core/data/opened_dataset.hpp"
#include "core/features/predict.hpp"

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

}  // namespace attest
