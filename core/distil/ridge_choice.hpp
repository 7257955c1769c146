#pragma once

#include "core/data/dataset.hpp"
#include "core/questions/learn.hpp"

#include <vector>

namespace attest {

/// A penalty and the relative risk of its fit on data that were held back.
struct TriedRidge {
    double ridge = 0.0;
    double relative = 0.0;
};

/// The ridge that does best on data it was not fitted on: the last fifth of the sequences is held
/// back, the others are fitted with penalties 10^−10 … 10^2 of the mean second moment of a feature,
/// in steps of 100, then of 10 around the best. Some nine fits; the data that a caller holds out
/// play no part. Throws InvalidInput for a single sequence or where all labels held back are zero.
[[nodiscard]] std::vector<TriedRidge> try_ridges(const Dataset& data, const LearnRequest& request);

/// The one of least risk; of equal ones the largest.
[[nodiscard]] TriedRidge best_ridge(const std::vector<TriedRidge>& tried);

}  // namespace attest
