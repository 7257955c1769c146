#include "distributed/block_moments.hpp"

#include "core/algebra/lapack.hpp"
#include "core/moments/power_scale.hpp"
#include "core/moments/product_sum.hpp"
#include "core/moments/stored_source.hpp"
#include "core/moments/whitening.hpp"
#include "distributed/agreement.hpp"
#include "distributed/tree_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace attest {

namespace {

/// R of [R1; R2] in the place of R1.
void stack_factors(Matrix& left, const Matrix& right) {
    left = stack_qr(left, right);
}

/// The d×d factor of a node's tokens, filled up with zeros where there are fewer than d.
Matrix square_factor(const Matrix& R, Index d) {
    Matrix square = Matrix::Zero(d, d);
    square.topRows(R.rows()) = R;
    return square;
}

/// R with RᵀR = Σ z zᵀ over all tokens: along the tree over blocks, every rank from the same nodes.
Matrix token_factor(const Communicator& ranks, const ShardedData& data) {
    const Index d = data.table.input.d;
    TreeStack<Matrix> mine;
    for (std::size_t b = 0; b < data.own.size(); ++b) {
        const Matrix R = stack_qr(Matrix(0, d), data.own[b].tokens.view().transpose());
        mine.push({0, data.first_own + static_cast<Index>(b)}, square_factor(R, d), stack_factors);
    }
    std::vector<Index> starts{0};
    std::vector<TreeNode> nodes;
    for (Index r = 0; r < ranks.size(); ++r) {
        const std::vector<TreeNode> theirs = data.partition.nodes(r);
        nodes.insert(nodes.end(), theirs.begin(), theirs.end());
        starts.push_back(starts.back() + std::ssize(theirs) * d * d);
    }
    std::vector<double> all(static_cast<std::size_t>(starts.back()));
    Index at = starts[static_cast<std::size_t>(ranks.rank())];
    for (const Matrix& R : mine.values()) {
        std::copy_n(R.data(), d * d, all.data() + at);
        at += d * d;
    }
    ranks.gather_to_all(all, starts);
    TreeStack<Matrix> tree;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        const double* const entries = all.data() + static_cast<Index>(k) * d * d;
        tree.push(nodes[k], Eigen::Map<const Matrix>(entries, d, d), stack_factors);
    }
    return std::move(tree).root(stack_factors);
}

MomentBatch block_moments(const Dataset& block, const SolveCoordinates& coordinates) {
    const double c = coordinates.scale;
    if (c > 0.0) {
        MomentBatch batch = sequence_moments<double>(block, 0, block.num_sequences());
        batch.S *= 1.0 / (c * c);
        batch.u *= 1.0 / c;
        return batch;
    }
    Dataset whitened = block;
    whitened.tokens = whiten_tokens<double>(coordinates.L, block.tokens.view());
    return sequence_moments<double>(whitened, 0, whitened.num_sequences());
}

/// Largest sizes of coordinates in tokens and queries and of a label, over all ranks.
Vector largest_sizes(const Communicator& ranks, const ShardedData& data) {
    const Index d = data.table.input.d;
    Vector sizes = Vector::Zero(2 * d + 1);
    for (const Dataset& block : data.own) {
        for (Index t = 0; t < block.tokens.cols(); ++t) {
            sizes.head(d) = sizes.head(d).cwiseMax(block.tokens.col(t).cwiseAbs());
        }
        for (Index i = 0; i < block.num_sequences(); ++i) {
            const auto query = block.tokens.col(block.query_token(i));
            sizes.segment(d, d) = sizes.segment(d, d).cwiseMax(query.cwiseAbs());
        }
        if (block.y.size() > 0) {
            sizes(2 * d) = std::max(sizes(2 * d), block.y.cwiseAbs().maxCoeff());
        }
    }
    if (data.table.labels == LabelKind::per_prefix) {
        sizes.segment(d, d) = sizes.head(d);  // every token asks
    }
    ranks.largest({sizes.data(), static_cast<std::size_t>(sizes.size())});
    return sizes;
}

}  // namespace

SolveCoordinates distributed_coordinates(const Communicator& ranks,
                                         const ShardedData& data,
                                         const SolveOptions& options) {
    if (data.table.layer.is_linear() && !(options.ridge > 0.0)) {
        const Whitening whitening =
            whitening_of_factor(token_factor(ranks, data), data.table.num_tokens);
        if (whitening.rcond > 0.0) {
            return whitened_coordinates(whitening.L);
        }
    }
    const SolveCoordinates given = given_coordinates(data);
    const Matrix power = tree_sum(ranks, data.partition, 1, 1, [&](Index b) {
        const Dataset& block = data.own[static_cast<std::size_t>(b - data.first_own)];
        return Matrix::Constant(1, 1, block_moments(block, given).u.squaredNorm());
    });
    const SourceShape shape = data.table.shape();
    return scaled_coordinates(power(0, 0), shape.m(), shape.num_examples);
}

SolveCoordinates given_coordinates(const ShardedData& data) {
    const Index m = data.table.shape().m();
    return {nullptr, Matrix::Identity(m, m), 1.0, 1.0};
}

std::vector<MomentBatch> own_moments(const ShardedData& data, const SolveCoordinates& coordinates) {
    std::vector<MomentBatch> moments;
    for (const Dataset& block : data.own) {
        moments.push_back(block_moments(block, coordinates));
    }
    return moments;
}

void require_ordinary_sizes(const Communicator& ranks, const ShardedData& data) {
    if (!data.table.layer.is_linear()) {
        return;
    }
    const Index d = data.table.input.d;
    const Vector sizes = largest_sizes(ranks, data);
    // A data set of one sequence with the same sizes: power_scale sees nothing else.
    Dataset sample;
    Matrix tokens(d, 2);
    tokens << sizes.head(d), sizes.segment(d, d);
    sample.tokens = std::move(tokens);
    sample.offsets = {0, 2};
    sample.labels = LabelKind::per_sequence;
    sample.y = sizes.tail(1);
    if (!power_scale(sample, ScaleBy::one_power).is_identity()) {
        throw AgreedFailure(
            FailureKind::unavailable,
            "tokens are beyond 2^50 or below 2^-50 in size, labels beyond 2^150 or below 2^-150, "
            "or queries 2^30 below the tokens; scale them by powers of two, or use attest learn, "
            "which does");
    }
}

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
