#pragma once

#include "core/data/dataset.hpp"

namespace attest {

/// Queries under noise: as many as before, with less of it in P.
struct QuieterQueries {
    Dataset queries;
    double factor = 0.0;  ///< their noise_factor, at most that of the start
    Index exchanged = 0;  ///< queries that are not the start's
};

/// Exchanges queries for candidates while tr (HᵀH)⁺ falls (A-optimality), by excursions (Mitchell
/// 1974): L candidates come in, each the one that lowers the trace most, then L queries go, each
/// the one whose leaving raises it least; L = r, r/2, …, 1. `start` are r queries of rank r, and
/// the features of the candidates, of the same layer, lie in their span: r is the structural rank.
/// Never worse than `start`, which is returned where nothing is gained. O(r·candidates) for each
/// step, some ten r steps; NotAvailable where r²·candidates exceeds 5·10⁸. Floating point.
[[nodiscard]] QuieterQueries quieter_queries(const Dataset& start, const Dataset& candidates);

}  // namespace attest
