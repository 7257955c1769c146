#pragma once

#include "core/algebra/matrix.hpp"
#include "core/moments/gram_kernel.hpp"
#include "core/moments/gram_path.hpp"

#include <vector>

namespace attest {

/// The n(n+1)/2 products {a, b}, a ≤ b < n, lexicographic: the product is at triangle_index(n, a,
/// b).
[[nodiscard]] std::vector<ProductPair> triangle_pairs(Index n);

/// Position of the product {a, b} in triangle_pairs(n).
[[nodiscard]] constexpr Index triangle_index(Index n, Index a, Index b) {
    const Index low = a < b ? a : b;
    const Index high = a < b ? b : a;
    return low * (2 * n - low + 1) / 2 + (high - low);
}

/// The same products in an order that suits registers of `lanes` scalars: almost every aligned run
/// of `lanes` products is one factor times consecutive entries, the rest mostly two such stretches;
/// and neighbouring runs read the same entries.
[[nodiscard]] std::vector<ProductPair> triangle_pairs_by_register(Index n, Index lanes);

/// Where each product of triangle_pairs(n) stands in a list that holds the same products.
[[nodiscard]] std::vector<Index> positions_of_triangle(Index n,
                                                       const std::vector<ProductPair>& pairs);

/// The products of entry `factor` with the entries 0 … n−1.
[[nodiscard]] std::vector<ProductPair> scaled_entries(Index factor, Index n);

/// Σ_i u(x_i) v(w_i)ᵀ, u and v lists of products of two entries of a data column. Panels of u and v
/// are formed in cache and multiplied there; neither list is ever stored for all examples. Every
/// `add` is one compensated step, so the rounding errors of different calls do not pile up.
template <class Scalar>
class ProductSumOf {
public:
    ProductSumOf(std::vector<ProductPair> rows, std::vector<ProductPair> columns, Isa isa);

    /// Adds the first `count` columns of `row_data` (x_i) and `column_data` (w_i). Below the
    /// entries x_i needs padding() more, finite. The result does not depend on `threads`.
    void add(const MatrixOf<Scalar>& row_data,
             const MatrixOf<Scalar>& column_data,
             Index count,
             int threads);

    /// Rounds the compensated sum to one scalar an entry and frees the compensation.
    void finish();

    /// Entry (row, c) of the sum is row(row)[c · row_stride()]; call finish first.
    [[nodiscard]] const Scalar* row(Index row) const {
        const Index height = path_->rows;
        return high_.data() + row / height * height * num_columns_ + row % height;
    }

    [[nodiscard]] Index row_stride() const { return path_->rows; }

    [[nodiscard]] Index num_rows() const { return num_rows_; }

    [[nodiscard]] Index num_columns() const { return num_columns_; }

    [[nodiscard]] Index padding() const { return path_->lanes; }

    /// Rounded operations behind one entry of a sum of n examples in one call of add.
    [[nodiscard]] static Index operations(Index n);

private:
    void form_columns(const MatrixOf<Scalar>& data, Index count, int threads);
    void add_row_blocks(const MatrixOf<Scalar>& data, Index count, Index first, Index last);

    std::vector<ProductPair> rows_;  ///< filled up to whole row panels
    std::vector<ProductPair> columns_;
    const GramPathOf<Scalar>* path_;
    Index num_rows_;
    Index num_columns_;
    std::vector<Index> tiles_;    ///< first column of every tile, then num_columns
    std::vector<Scalar> panels_;  ///< column panels of one call, chunk by chunk
    std::vector<Scalar> high_;    ///< row blocks, each path rows × num_columns, column-major
    std::vector<Scalar> low_;     ///< rounding errors of high_
};

extern template class ProductSumOf<double>;
extern template class ProductSumOf<float>;

}  // namespace attest
