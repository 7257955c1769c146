#pragma once

#include "core/data/dataset.hpp"
#include "core/exact/integer_rows.hpp"

#include <cstdint>

namespace attest {

/// Which columns FeatureRows has.
enum class FeatureColumns : std::uint8_t {
    features,             ///< the ψ cubic features H(Z_i), in Algorithm 2's order
    features_and_labels,  ///< [H(Z_i) | y_i], ψ + o columns
};

/// The features of every example of a data set, prefixes included, as integers: finite doubles are
/// dyadic, so each row becomes integral when it is multiplied by a power of two of its own. That
/// changes neither rank nor null vectors. The data set must outlive it. Throws InvalidInput for NaN
/// and infinities.
class FeatureRows final : public IntegerRows {
public:
    explicit FeatureRows(const Dataset& data, FeatureColumns columns = FeatureColumns::features);

    [[nodiscard]] Index num_columns() const override;
    [[nodiscard]] Index num_blocks() const override;
    [[nodiscard]] Index first_row(Index b) const override;
    /// Straight from the tokens: S modulo p by rank-one updates, then s ⊗ z. Blocks hold whole
    /// sequences, about 256 examples. O(T d² + rows·ψ).
    [[nodiscard]] ModularMatrix block(const Modulus& p, Index b) const override;

    [[nodiscard]] Index entry_bits() const override { return entry_bits_; }

    /// Row `example` is 2^row_exponent(example)·[H | y].
    [[nodiscard]] int row_exponent(Index example) const;

private:
    [[nodiscard]] int extra_exponent(Index example) const;
    void measure_sequence(Index i);
    void measure_labels(Index i, Index example);

    const Dataset& data_;
    FeatureColumns columns_;
    std::vector<Index> starts_;         ///< first sequence of every block, then num_sequences
    std::vector<int> token_exponents_;  ///< one a sequence
    std::vector<int> extra_exponents_;  ///< one an example; empty without label columns
    Index entry_bits_ = 0;
};

}  // namespace attest
