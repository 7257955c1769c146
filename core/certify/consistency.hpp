#pragma once

#include "core/certify/rank/exact_rank.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace attest {

/// Whether some P fits every label of the training set exactly: Pᵀ H(Z_i) = y_i over Q, for the
/// doubles given.
enum class LabelConsistency : std::uint8_t {
    consistent,
    inconsistent,
    undecided,
};
[[nodiscard]] std::string_view to_string(LabelConsistency verdict);

struct ConsistencyReport {
    LabelConsistency verdict = LabelConsistency::undecided;
    Index example = -1;  ///< an example whose label contradicts those of profile.pivot_rows
    std::optional<MatrixOf<Rational>>
        solution;  ///< ψ×o, zero off the pivot features; fits every example exactly
    std::string reason;
};

/// Decides whether the labels are an exact linear function of the features on the training set:
/// whether rank[H | y] = rank H over Q. `rank` is certify_rank(data). Inconsistency is proved when
/// [H | y] has rank r+1 modulo p and rank H ≤ r is proved over Q. Consistency is proved when the N
/// rows are independent, or by a rational P verified on every row; agreement modulo p proves
/// nothing. Labels rounded to double are inconsistent as a rule. Throws InvalidInput without
/// labels.
[[nodiscard]] ConsistencyReport consistent_labels(const Dataset& data,
                                                  const ExactRank& rank,
                                                  const LiftOptions& options = {});

}  // namespace attest
