#pragma once

#include "core/algebra/matrix.hpp"
#include "core/rng/stream.hpp"
#include "tasks/text/corpus.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace attest {

/// What stands for a word.
enum class Embedding : std::uint8_t {
    ppmi,      ///< positive pointwise mutual information of neighbours, cut by its SVD
    gaussian,  ///< numbers of grid_normal, a function of the word
    signs,     ///< random signs, a function of the word
    one_hot,   ///< coordinate i for word i of the vocabulary, the last one for all others
};

[[nodiscard]] std::string_view to_string(Embedding embedding);

/// Positive pointwise mutual information max(0, log(c_ij c/(c_i c_j))) of words at distances 1 to 4
/// in documents of the part train, V×V, symmetric; c_i and c are row sum and sum of the counts.
[[nodiscard]] Matrix positive_mutual_information(const VocabularyText& text);

/// U√σ of the `width` largest singular values σ of a symmetric matrix: width×V, a word a column.
/// Divided by the root of its mean square over training tokens, then rounded to multiples of 2⁻¹⁰:
/// products of three are then exact in double, and last bits of the linear algebra mostly go away.
/// The sign of a coordinate makes its largest entry positive. Throws InvalidInput unless width ≤ V.
[[nodiscard]] Matrix spectral_embedding(const Matrix& symmetric,
                                        const VocabularyText& text,
                                        Index width);

/// A word a column, width×V. Gaussian and signs depend on the word and the stream alone.
[[nodiscard]] Matrix embed(Embedding embedding,
                           const VocabularyText& text,
                           Index width,
                           const Stream& stream);

}  // namespace attest
