#include "distributed/second_moment_share.hpp"

#include "core/moments/moment_window.hpp"
#include "core/moments/product_sum.hpp"
#include "distributed/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace attest {

namespace {

/// The pairs {p, r} of states whose m×m block, in the lower triangle, is the rank's.
template <class Scalar>
std::vector<ProductPair> own_pairs(Index q, Index blocks_per_tile, const ProcessGrid& grid) {
    const CyclicIndex down{blocks_per_tile, grid.rows()};
    const CyclicIndex across{blocks_per_tile, grid.cols()};
    std::vector<ProductPair> own;
    for (const ProductPair& pair :
         triangle_pairs_by_register(q, gram_path<Scalar>(Isa::automatic).lanes)) {
        const auto [p, r] = std::minmax(pair.factor, pair.entry);
        if (down.owner(r) == grid.row() && across.owner(p) == grid.col()) {
            own.push_back(pair);
        }
    }
    return own;
}

template <class Scalar>
void fill(MatrixShareOf<Scalar>& share,
          const ProductSumOf<Scalar>& sum,
          const std::vector<ProductPair>& pairs,
          Index m,
          const ProcessGrid& grid) {
    const CyclicIndex down{share.edge, grid.rows()};
    const CyclicIndex across{share.edge, grid.cols()};
    const Index stride = sum.row_stride();
    for (std::size_t at = 0; at < pairs.size(); ++at) {
        const auto [p, r] = std::minmax(pairs[at].factor, pairs[at].entry);
        const Scalar* const entries = sum.row(static_cast<Index>(at));
        const Index row = down.local(r * m);
        const Index col = across.local(p * m);
        for (Index l = 0; l < m; ++l) {
            for (Index k = 0; k < m; ++k) {
                share.entries(row + k, col + l) = entries[triangle_index(m, l, k) * stride];
            }
        }
    }
}

template <class Scalar>
MatrixShareOf<Scalar> empty_share(Index n, Index edge, const ProcessGrid& grid) {
    const Index rows = CyclicIndex{edge, grid.rows()}.count(n, grid.row());
    const Index cols = CyclicIndex{edge, grid.cols()}.count(n, grid.col());
    constexpr Index kMost = std::numeric_limits<int>::max();
    if (cols > 0 && rows > kMost / cols) {
        throw NotAvailable(
            formatted("a share of {} x {} entries is beyond the 2^31 that ScaLAPACK counts; take "
                      "more ranks",
                      rows,
                      cols));
    }
    return {n, edge, MatrixOf<Scalar>::Zero(rows, cols)};
}

}  // namespace

template <class Scalar>
MatrixShareOf<Scalar> second_moment_share(const Communicator& ranks,
                                          const ProcessGrid& grid,
                                          const MomentSource& source,
                                          int threads) {
    const SourceShape shape = source.shape();
    const Index m = shape.m();
    const Index edge = tile_edge(m);
    std::vector<ProductPair> pairs;
    std::optional<ProductSumOf<Scalar>> sum;
    together(ranks, [&] {
        pairs = own_pairs<Scalar>(shape.q(), edge / m, grid);
        sum.emplace(pairs, triangle_pairs(m), Isa::automatic);
    });
    MatrixOf<Scalar> left;
    MatrixOf<Scalar> right;
    // One thread fetches: the blocks may be collective.
    for_each_window(source, sum->padding(), 1, [&](const MomentWindow& window) {
        left = window.left.template cast<Scalar>();
        right = window.right.template cast<Scalar>();
        sum->add(left, right, window.count, threads);
    });
    sum->finish();
    MatrixShareOf<Scalar> share;
    together(ranks, [&] {
        share = empty_share<Scalar>(shape.psi(), edge, grid);
        fill(share, *sum, pairs, m, grid);
    });
    return share;
}

template <class Scalar>
double second_moment_share_bytes(const SourceShape& shape, Index ranks) {
    const auto q = static_cast<double>(shape.q());
    const auto m = static_cast<double>(shape.m());
    const auto P = static_cast<double>(ranks);
    // The shares of a block-cyclic matrix differ: by a tile's edge in each direction at most.
    const double edge = static_cast<double>(tile_edge(shape.m())) * std::sqrt(P);
    const double psi = q * m + std::min(edge, q * m * (std::sqrt(P) - 1.0));
    const double entries = 0.25 * psi * psi * (1.0 + 1.0 / m) * (1.0 + 1.0 / q) / P;
    const auto window = static_cast<double>(
        std::min(moment_window_capacity(shape.q()), std::max<Index>(shape.num_examples, 1)));
    constexpr double kPadding = 32.0;
    const double pairs = m * (m + 1.0) / 2.0;
    const double example =
        (8.0 + 2.0 * sizeof(Scalar)) * (q + m + kPadding) + sizeof(Scalar) * pairs;
    return sizeof(Scalar) * (entries + std::max(entries, psi * psi / P)) + window * example;
}

template MatrixShareOf<double> second_moment_share(const Communicator&,
                                                   const ProcessGrid&,
                                                   const MomentSource&,
                                                   int);
template MatrixShareOf<float> second_moment_share(const Communicator&,
                                                  const ProcessGrid&,
                                                  const MomentSource&,
                                                  int);
template double second_moment_share_bytes<double>(const SourceShape&, Index);
template double second_moment_share_bytes<float>(const SourceShape&, Index);

}  // namespace attest
