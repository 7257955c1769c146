#pragma once

#include "core/data/sources/moments.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace attest {

/// Powers of two that bring examples to size 1: in S, coordinate j is 2^tokens[j] times the scaled
/// one, in the query 2^queries[j] times, and labels are 2^labels times. Multiplying by them is
/// exact but for what falls below 2^−1022 of the largest.
struct PowerScale {
    std::vector<int> tokens;   ///< d
    std::vector<int> queries;  ///< d; never above `tokens`
    int labels = 0;

    [[nodiscard]] bool is_identity() const;
    /// Exponent e of every feature, H = 2^e H~: tokens[j] + tokens[k] + queries[l]. ψ entries.
    [[nodiscard]] std::vector<int> features() const;
};

/// How the coordinates of a token are scaled.
enum class ScaleBy : std::uint8_t {
    one_power,   ///< all alike, queries too: every norm of the coefficients keeps its meaning
    coordinate,  ///< each by its own power, where sizes differ by more than 2^8
};

/// Where no product of a solve can overflow or vanish nothing is scaled: tokens between 2^±50,
/// labels between 2^±150, queries within 2^30 of the tokens; nor the examples of another layer than
/// the paper's, whose features are not all cubic. One pass over the data.
[[nodiscard]] PowerScale power_scale(const SequenceSource& data, ScaleBy by);

[[nodiscard]] inline PowerScale power_scale(const Dataset& data, ScaleBy by) {
    return power_scale(SequencesInMemory(data), by);
}

/// The examples of a data set divided by powers of two: a copy of the tokens where they lie in
/// memory, or the data themselves where nothing is scaled. They must outlive the source. It has
/// sequences() where queries are scaled as tokens are. `labels` of the scale counts where there are
/// labels.
[[nodiscard]] std::unique_ptr<const MomentSource> scaled_source(const SequenceSource& data,
                                                                const PowerScale& scale);

[[nodiscard]] inline std::unique_ptr<const MomentSource> scaled_source(const Dataset& data,
                                                                       const PowerScale& scale) {
    return scaled_source(SequencesInMemory(data), scale);
}

}  // namespace attest
