#pragma once

#include "core/data/dataset.hpp"
#include "core/rng/stream.hpp"
#include "proofs_check/exact/rational_algebra.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace attest::certificates {

/// What some draws leave open.
struct CoverageTruth {
    Index rank = 0;
    double outside = 1.0;  ///< P[a fresh draw is outside the span of these]
};

/// A law on finitely many inputs whose features are known, so that the truth can be computed.
class CoverageLaw {
public:
    /// Input i has the given row of features and weight weights[i] of their sum; `inputs` are
    /// supplied moments of these features, or sequences.
    CoverageLaw(std::string name,
                std::vector<std::uint64_t> weights,
                RationalMatrix features,
                Dataset inputs);

    [[nodiscard]] const std::string& name() const { return name_; }

    /// Whether it is the law on which every bound must be largest.
    [[nodiscard]] bool is_coupons() const { return name_.starts_with("coupons"); }

    /// The same, but every draw of a data set is the first one again: not independent.
    [[nodiscard]] CoverageLaw repeated() const;

    [[nodiscard]] std::vector<Index> draw(Index count, const Stream& stream) const;

    [[nodiscard]] Dataset data(const std::vector<Index>& drawn) const;

    /// By elimination over Q.
    [[nodiscard]] CoverageTruth truth(const std::vector<Index>& drawn) const;

private:
    [[nodiscard]] std::uint64_t total_weight() const;

    std::string name_;
    std::vector<std::uint64_t> weights_;
    RationalMatrix features_;
    Dataset inputs_;
    bool repeats_ = false;
};

/// Six laws for data sets of 60 draws: types soon seen, types of falling weight, five rare types,
/// coupons of weight about 1/N, planes in which any two determine the rest, and sequences.
[[nodiscard]] std::vector<CoverageLaw> coverage_laws();

}  // namespace attest::certificates
