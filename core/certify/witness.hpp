#pragma once

#include "core/certify/rank/exact_rank.hpp"
#include "core/exact/lift.hpp"
#include "core/layers/feature_words.hpp"

#include <array>
#include <string>

namespace attest {

/// Two empirical risk minimisers that disagree. Exactly: P and P + v e₁ᵀ·scale with an integer null
/// vector v have the same predictions on every training example and differ by scale·v·H(Z) on
/// `input`. The matrices here are the nearest doubles: each entry is off by at most 2⁻⁵³ of its
/// size.
struct Witness {
    std::array<Matrix, 2> P;  ///< ψ×o each
    Dataset input;            ///< one sequence on which they disagree
    double difference = 0.0;  ///< of the first output, the exact value rounded
    IntegerVector null_vector;
    Rational scale = 1;  ///< a power of two
};

/// Why no two minimisers are known to disagree, on `query` if that is one sequence: the features
/// are independent, no null vector was verified, or none tells the query from the data. Else empty.
[[nodiscard]] std::string why_no_witness(const ExactRank& rank, const Dataset* query);

/// Builds a witness from a verified null vector and a minimiser P (ψ×o) of the training risk. The
/// input is `query`, if that is one sequence with v·H ≠ 0, else two tokens with entries 0 and 1 (of
/// the paper's layer only). The scale makes the change about as large as P. Throws InvalidInput
/// for what why_no_witness() says, or when an input is missing.
[[nodiscard]] Witness make_witness(const Dataset& training,
                                   const ExactRank& rank,
                                   const Matrix& P,
                                   const Dataset* query);

/// A feature combination in words: "S_12 z_3 - S_13 z_2", S = Z Zᵀ, z the query, indices from 1;
/// for other layers as FeatureWords says. At most `terms` terms are spelled out, the rest is
/// counted.
[[nodiscard]] std::string describe_combination(const IntegerVector& v,
                                               const FeatureWords& words,
                                               Index terms = 6);

}  // namespace attest
