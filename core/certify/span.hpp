#pragma once

#include "core/certify/rank/exact_rank.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace attest {

/// Whether every empirical risk minimiser gives the same output on a query.
enum class Determination : std::uint8_t {
    determined,      ///< H(Z) lies in the row space over Q of the training features
    not_determined,  ///< it does not
    undecided,
};
[[nodiscard]] std::string_view to_string(Determination verdict);

/// What proves it.
enum class SpanEvidence : std::uint8_t {
    none,
    full_rank,      ///< the training features have rank ψ: every query is determined
    null_basis,     ///< a verified, complete null basis annihilates H(Z) over Z
    combination,    ///< H(Z) = Σ c_i H(Z_i) with the verified rational coefficients `combination`
    null_vector,    ///< null vector number `null_vector` has v·H(Z) ≠ 0
    rank_increase,  ///< H(Z) raises the rank modulo a prime above the proved rank over Q
};
[[nodiscard]] std::string_view to_string(SpanEvidence evidence);

/// The answer for one query. Not determined means: for surjective heads (H ≥ min(o·d, d(d+1)/2))
/// and the null vector v, P and P + v e_aᵀ have the same training risk and differ by v·H(Z) on the
/// query.
struct QuerySpan {
    Determination verdict = Determination::undecided;
    SpanEvidence evidence = SpanEvidence::none;
    Index null_vector = -1;  ///< position in ExactRank::null_space.vectors
    VectorOf<Rational>
        combination;  ///< H(Z) = Σ_k combination[k]·H(Z_i), i = profile.pivot_rows[k]
};

/// Span certificates for every example of `queries` (Lemma A.3 without a full-rank hypothesis): is
/// H(Z) in span{H(Z_i)}, over Q? `rank` is certify_rank(training). Verdicts, one a query, in order.
[[nodiscard]] std::vector<QuerySpan> certify_span(const Dataset& training,
                                                  const ExactRank& rank,
                                                  const Dataset& queries,
                                                  const LiftOptions& options = {});

}  // namespace attest
