#pragma once

#include "core/exact/modulus.hpp"

namespace attest {

/// Products of one residue with many modulo p, by Shoup's method: one division in advance, then
/// three multiplications of words a product (D. Harvey, Faster arithmetic for number-theoretic
/// transforms, 2014, section 2).
class FixedFactor {
public:
    FixedFactor(const Modulus& p, Residue factor)
        : p_(p.prime()),
          factor_(factor),
          quotient_(static_cast<std::uint64_t>((static_cast<Wide>(factor) << 64U) / p_)) {}

    /// factor·a for any word a. The quotient is at most one too small, and 2p < 2⁶⁴.
    [[nodiscard]] Residue times(Residue a) const {
        const auto multiple = static_cast<std::uint64_t>((static_cast<Wide>(quotient_) * a) >> 64U);
        const Residue rest = factor_ * a - multiple * p_;
        return rest >= p_ ? rest - p_ : rest;
    }

private:
    __extension__ using Wide = unsigned __int128;

    std::uint64_t p_;
    Residue factor_;
    std::uint64_t quotient_;  ///< floor(2⁶⁴·factor / p)
};

}  // namespace attest
