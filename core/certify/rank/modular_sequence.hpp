#pragma once

#include "core/algebra/symmetric_pack.hpp"
#include "core/data/dataset.hpp"
#include "core/exact/dyadic.hpp"
#include "core/exact/modulus.hpp"

#include <vector>

namespace attest {

/// value·2^shift, exactly.
[[nodiscard]] inline Dyadic scaled_dyadic(double value, int shift) {
    Dyadic x = dyadic(value);
    x.exponent += x.mantissa == 0 ? 0 : shift;
    return x;
}

/// One sequence's tokens modulo p while S grows: the exact counterpart of sequence_moments.
class ModularSequence {
public:
    ModularSequence(const Modulus& p, Index d)
        : p_(p),
          s_(static_cast<std::size_t>(packed_dim(d)), 0),
          token_(static_cast<std::size_t>(d)) {}

    void load(const Dataset& data, Index t, int shift) {
        for (Index j = 0; j < data.d(); ++j) {
            token_[static_cast<std::size_t>(j)] =
                p_.reduce(scaled_dyadic(data.tokens(j, t), shift));
        }
    }

    /// S += z zᵀ for the loaded token z, in the order of Algorithm 2: pairs first, then squares.
    void add() {
        std::size_t at = 0;
        for (std::size_t j = 0; j < token_.size(); ++j) {
            for (std::size_t k = j + 1; k < token_.size(); ++k, ++at) {
                s_[at] = p_.add(s_[at], p_.multiply(token_[j], token_[k]));
            }
        }
        for (std::size_t j = 0; j < token_.size(); ++j, ++at) {
            s_[at] = p_.add(s_[at], p_.multiply(token_[j], token_[j]));
        }
    }

    /// Writes 2^extra·(s ⊗ z) for the loaded token z.
    void write_features(Residue* to, int extra) const {
        const Residue factor = p_.reduce(Dyadic{1, extra});
        for (const Residue s : s_) {
            const Residue weight = extra == 0 ? s : p_.multiply(s, factor);
            for (const Residue z : token_) {
                *to++ = p_.multiply(weight, z);
            }
        }
    }

private:
    const Modulus& p_;
    std::vector<Residue> s_;
    std::vector<Residue> token_;
};

}  // namespace attest
