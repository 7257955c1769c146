#pragma once

#include "core/certify/rank/row_scale.hpp"
#include "core/data/sources/sequences.hpp"
#include "core/exact/integer_rows.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace attest {

/// Which columns FeatureRows has.
enum class FeatureColumns : std::uint8_t {
    features,             ///< the ψ features H_i of the data's layer, in its order
    features_and_labels,  ///< [H_i | y_i], ψ + o columns
};

/// The features of every example of a data set, prefixes included, as integers: finite doubles are
/// dyadic and a layer's parameters rational, so each row becomes integral when it is multiplied by
/// a number of its own. That changes neither rank nor null vectors. The data must outlive it.
/// Throws InvalidInput for NaN and infinities.
class FeatureRows final : public IntegerRows {
public:
    explicit FeatureRows(const Dataset& data, FeatureColumns columns = FeatureColumns::features);
    explicit FeatureRows(const SequenceSource& data,
                         FeatureColumns columns = FeatureColumns::features);

    [[nodiscard]] Index num_columns() const override;
    [[nodiscard]] Index num_blocks() const override;
    [[nodiscard]] Index first_row(Index b) const override;
    /// Straight from the tokens: s modulo p token by token, then s ⊗ u. Blocks hold whole
    /// sequences, about 256 examples. O(T q + rows·ψ).
    [[nodiscard]] ModularMatrix block(const Modulus& p, Index b) const override;

    [[nodiscard]] Index entry_bits() const override { return entry_bits_; }

    /// Row `example` is 2^row_exponent(example)·b^odd_power(example)·[H | y].
    [[nodiscard]] int row_exponent(Index example) const;

    /// b, odd; 1 where the layer's parameters are dyadic.
    [[nodiscard]] const Integer& odd_base() const { return odd_base_; }

    /// The prime, or the next one below that divides no denominator of the layer.
    [[nodiscard]] Modulus usable_modulus(std::uint64_t prime = kDefaultPrime) const {
        return attest::usable_modulus(odd_base_, prime);
    }

    [[nodiscard]] Index odd_power(Index example) const;

    /// That multiple, as a number.
    [[nodiscard]] Rational row_factor(Index example) const;

private:
    /// Some of the sequences of another layer than the paper's, and the place of the first among
    /// all.
    struct Run {
        const Dataset& data;
        Index first_sequence = 0;
        Index first_example = 0;
    };

    FeatureRows(std::shared_ptr<const SequenceSource> data, FeatureColumns columns);
    [[nodiscard]] Index sequence_of(Index example) const;
    [[nodiscard]] Index first_example(Index sequence) const;
    [[nodiscard]] int extra_exponent(Index example) const;
    /// visit(run) with the sequences of block b.
    template <class Visit>
    void with_block(Index b, const Visit& visit) const;
    void write_linear(const Modulus& p, Index b, ModularMatrix& H) const;
    void write_layer(const Modulus& p, const Run& run, Index b, ModularMatrix& H) const;
    void write_labels(const Modulus& p,
                      Index example,
                      const Eigen::Ref<const Vector>& y,
                      Residue* to) const;
    void measure_linear();
    void measure_layer();
    void measure_sequence(const RowScale& scale, std::span<const DyadicRange> labels);

    std::shared_ptr<const SequenceSource> data_;
    SequenceShape all_;
    FeatureColumns columns_;
    FeatureLayout layout_;
    Integer odd_base_;
    std::vector<Index> starts_;         ///< first sequence of every block, then num_sequences
    std::vector<RowScale> scales_;      ///< one a sequence
    std::vector<int> extra_exponents_;  ///< one an example; empty without label columns
    Index entry_bits_ = 0;
};

/// FeatureRows(data, columns) as big integers, N×columns. For small problems, witnesses and checks.
/// Throws EnvironmentFailure when the integers would not fit into memory.
[[nodiscard]] MatrixOf<Integer> integer_features(const Dataset& data,
                                                 FeatureColumns columns = FeatureColumns::features);

}  // namespace attest
