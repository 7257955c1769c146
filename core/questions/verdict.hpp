#pragma once

#include "core/certify/rank/exact_rank.hpp"

#include <cstdint>
#include <string_view>

namespace attest {

/// How a question with a yes or a no ended; programs exit with 0, 1 and 3.
enum class Decision : std::uint8_t { yes, no, undecided };

/// Do the data determine the learned function? The last two are floating point's opinion and prove
/// nothing.
enum class DataVerdict : std::uint8_t {
    determined,      ///< every empirical risk minimiser computes the same function, proved
    not_determined,  ///< minimisers disagree on some input, proved
    undecided,
    numerically_full_rank,
    numerically_deficient,
};
[[nodiscard]] std::string_view to_string(DataVerdict verdict);

/// Floating point may see full rank, and cannot prove a deficiency.
[[nodiscard]] Decision decision(DataVerdict answer);

/// What the rank over Q says of the data.
[[nodiscard]] DataVerdict data_verdict(RankVerdict verdict);

/// Heads that a model needs for the verdict to be about it: with min(o·d, d(d+1)/2) of them every P
/// is some model's; with fewer, a deficiency proves nothing. Without labels o is any number.
[[nodiscard]] Index heads_for_every_function(const SequenceShape& data);

[[nodiscard]] inline Index heads_for_every_function(const Dataset& data) {
    return heads_for_every_function(sequence_shape(data));
}

}  // namespace attest
