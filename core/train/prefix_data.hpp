#pragma once

#include "core/data/dataset.hpp"

namespace attest {

/// Sequences of one length T with a label after every token, in the scalar that a model is trained
/// in. Example t of sequence i is its first t+1 tokens, the last of them the query.
template <class Scalar>
struct PrefixData {
    Index d = 0;
    Index o = 0;
    Index length = 0;  ///< T
    Index num_sequences = 0;
    MatrixOf<Scalar> tokens;   ///< d×(N T), sequence after sequence
    MatrixOf<Scalar> y;        ///< o×(N T)
    double label_power = 0.0;  ///< mean ‖y‖² over all examples: losses are in units of it

    [[nodiscard]] auto sequence(Index i) const { return tokens.middleCols(i * length, length); }

    [[nodiscard]] auto labels(Index i) const { return y.middleCols(i * length, length); }
};

/// Throws InvalidInput unless every prefix has a label, all sequences are of one length and some
/// label is not zero.
template <class Scalar>
[[nodiscard]] PrefixData<Scalar> prefix_data(const Dataset& data);

extern template PrefixData<float> prefix_data<float>(const Dataset&);
extern template PrefixData<double> prefix_data<double>(const Dataset&);

}  // namespace attest
