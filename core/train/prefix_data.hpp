#pragma once

#include "core/algebra/matrix.hpp"
#include "core/data/dataset.hpp"

#include <string_view>

namespace attest {

/// Sequences of one length T with a label after every token, or after the last, in the scalar that
/// a model is trained in. An example is the first t tokens of a sequence, the last of them the
/// query: those of a sequence are its `labelled` longest prefixes.
template <class Scalar>
struct PrefixData {
    Index d = 0;
    Index o = 0;
    Index length = 0;  ///< T
    Index num_sequences = 0;
    Index labelled = 0;        ///< examples in a sequence: T or 1
    MatrixOf<Scalar> tokens;   ///< d×(N T), sequence after sequence
    MatrixOf<Scalar> y;        ///< o×(N labelled)
    double label_power = 0.0;  ///< mean ‖y‖² over all examples: losses are in units of it

    [[nodiscard]] auto sequence(Index i) const { return tokens.middleCols(i * length, length); }

    /// The last tokens of the examples of a sequence.
    [[nodiscard]] auto queries(Index i) const {
        return tokens.middleCols((i + 1) * length - labelled, labelled);
    }

    [[nodiscard]] auto labels(Index i) const { return y.middleCols(i * labelled, labelled); }
};

/// Throws InvalidInput unless there are labels, some of them not zero, and all sequences are of one
/// length.
template <class Scalar>
[[nodiscard]] PrefixData<Scalar> prefix_data(const Dataset& data);

/// Throws InvalidInput unless every prefix is labelled: models whose tokens see each other before
/// the output are trained on whole sequences.
template <class Scalar>
void require_every_prefix(const PrefixData<Scalar>& data, std::string_view who);

extern template PrefixData<float> prefix_data<float>(const Dataset&);
extern template PrefixData<double> prefix_data<double>(const Dataset&);
extern template void require_every_prefix<float>(const PrefixData<float>&, std::string_view);
extern template void require_every_prefix<double>(const PrefixData<double>&, std::string_view);

/// Column t: S_t u_t with S_t = Σ_{s≤t} x_s x_sᵀ. X and U are d×T. The map is symmetric in the
/// sense that its transposed derivative in U is the map itself. O(T d²).
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> prefix_products(const MatrixOf<Scalar>& X,
                                               const MatrixOf<Scalar>& U);

/// Column t: Σ_{s≥t} (w_s u_sᵀ + u_s w_sᵀ) x_t, the gradient in X of Σ_t w_tᵀ S_t u_t. O(T d²).
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> suffix_products(const MatrixOf<Scalar>& W,
                                               const MatrixOf<Scalar>& U,
                                               const MatrixOf<Scalar>& X);

}  // namespace attest
