#pragma once

#include "core/exact/modular_matrix.hpp"
#include "core/layers/layer_heads.hpp"

#include <vector>

namespace attest {

/// Sizes of heads as layers are trained: V_h = O_h W_h of rank at most `value`, Q_h = K_hᵀR_h of
/// rank at most `key`. 0 is full size.
struct HeadSizes {
    Index key = 0;
    Index value = 0;

    [[nodiscard]] bool is_full() const { return key == 0 && value == 0; }
};

/// The entries of a matrix, row after row, behind those that are there.
void append_rows(std::vector<double>& to, const Matrix& A);

/// Heads as products, and the factors.
struct FactoredHeads {
    std::vector<double> factors;  ///< head after head: O (o×v), W (v×D), K (a×C), R (a×m), row
                                  ///< after row, then what stands behind the heads
    double rounded_by = 0.0;  ///< the largest difference from the heads, over their largest entry
};

/// How the factors of heads of certain sizes make the entries of the heads. V is o×D, Q is C×m;
/// `behind` entries after the heads belong to none and stay.
class HeadProducts {
public:
    /// Sizes are cut to those of the matrices; one of 0 means full.
    HeadProducts(Index heads, Index o, Index D, Index C, Index m, Index behind, HeadSizes sizes);

    [[nodiscard]] const HeadSizes& sizes() const { return sizes_; }

    [[nodiscard]] Index num_factors() const;

    /// The entries of the heads, each V before its Q, row after row.
    [[nodiscard]] std::vector<Residue> product(const Modulus& p,
                                               const std::vector<Residue>& factors) const;

    /// The chain rule: rows of derivatives by the entries, r×entries, as those by the factors,
    /// r×num_factors. O(r heads (o D v + C m a)).
    [[nodiscard]] ModularMatrix by_factors(const Modulus& p,
                                           const ModularMatrix& by_entries,
                                           const std::vector<Residue>& factors) const;

    /// The nearest heads of these sizes, by the singular value decomposition of each V and Q.
    /// Throws InvalidInput, naming the head, where one has a larger rank in doubles: a singular
    /// value behind the size above 1e-8 of the largest.
    [[nodiscard]] FactoredHeads factored(const LayerHeads& heads) const;

private:
    [[nodiscard]] Index factors_of_head() const;

    Index heads_;
    Index o_;
    Index D_;
    Index C_;
    Index m_;
    Index behind_;
    HeadSizes sizes_;
};

/// The ranks of a model's heads in doubles: the largest of its Q and of its V.
[[nodiscard]] HeadSizes numerical_sizes(const LayerHeads& heads);

}  // namespace attest
