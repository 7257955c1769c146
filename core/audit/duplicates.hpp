#pragma once

#include "core/data/dataset.hpp"

#include <vector>

namespace attest {

/// Sequences of one data set that are the same input.
struct DuplicateGroup {
    std::vector<Index> sequences;   ///< two or more, ascending
    double labels_differ_by = 0.0;  ///< most that their labels are from the first one's, ‖·‖
};

/// Those with more than one, by their first sequence. O(T d).
[[nodiscard]] std::vector<DuplicateGroup> duplicate_groups(const Dataset& data);

/// A sequence that stands in two data sets.
struct SeenBefore {
    Index number = 0;  ///< in the second
    Index as = 0;      ///< the first one of its kind in the first
};

/// The sequences of `inputs` that are inputs of `data` as well, ascending.
[[nodiscard]] std::vector<SeenBefore> seen_before(const Dataset& data, const Dataset& inputs);

}  // namespace attest
