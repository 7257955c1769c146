#include "core/moments/product_sum.hpp"

#include "core/base/error.hpp"
#include "core/base/parallel.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace attest {

namespace {

/// Products of entry `factor` with the entries first … last−1.
void append(std::vector<ProductPair>& pairs, Index factor, Index first, Index last) {
    for (Index entry = first; entry < last; ++entry) {
        pairs.push_back({factor, entry});
    }
}

void append_triangle(std::vector<ProductPair>& pairs, Index first, Index last) {
    for (Index factor = first; factor < last; ++factor) {
        append(pairs, factor, factor, last);
    }
}

/// Two triangles of `lanes` entries as lanes+1 full registers: the last i products of a row of one,
/// then the lanes−i products of a row of the other.
void append_folded(std::vector<ProductPair>& pairs, Index first, Index second, Index lanes) {
    for (Index i = 0; i <= lanes; ++i) {
        if (i > 0) {
            append(pairs, second + lanes - i, second + lanes - i, second + lanes);
        }
        append(pairs, first + i, first + i, first + lanes);
    }
}

/// Examples contracted in registers before the tile is written: a 24×128 row panel fills three
/// quarters of a 32 KiB first-level cache.
constexpr Index kChunk = 128;

/// Row blocks that pass over a chunk's column panels while these are in second-level cache; fewer
/// where the threads could not share the work evenly.
constexpr Index kBlocksTogether = 4;

constexpr Index ceil_div(Index a, Index b) {
    return (a + b - 1) / b;
}

/// First columns of the fewest tiles no wider than `widest`, of widths that differ by at most one,
/// then n: 36 columns in tiles of at most 9 are 4 full ones, where tiles of 8 would need a fifth.
std::vector<Index> split_evenly(Index n, Index widest) {
    const Index tiles = ceil_div(n, widest);
    std::vector<Index> begins;
    for (Index t = 0; t <= tiles; ++t) {
        begins.push_back(tiles == 0 ? 0 : t * n / tiles);
    }
    return begins;
}

/// Scalars on a cache-line boundary.
template <class Scalar>
class AlignedArray {
public:
    explicit AlignedArray(Index size)
        : data_(static_cast<Scalar*>(
              ::operator new(static_cast<std::size_t>(size) * sizeof(Scalar), kAlignment))) {}

    AlignedArray(const AlignedArray&) = delete;
    AlignedArray& operator=(const AlignedArray&) = delete;
    AlignedArray(AlignedArray&&) = delete;
    AlignedArray& operator=(AlignedArray&&) = delete;

    ~AlignedArray() { ::operator delete(data_, kAlignment); }

    [[nodiscard]] Scalar* data() { return data_; }

private:
    static constexpr std::align_val_t kAlignment{64};
    Scalar* data_;
};

}  // namespace

std::vector<ProductPair> triangle_pairs(Index n) {
    std::vector<ProductPair> pairs;
    append_triangle(pairs, 0, n);
    return pairs;
}

std::vector<ProductPair> triangle_pairs_by_register(Index n, Index lanes) {
    std::vector<ProductPair> pairs;
    // Blocks of `lanes` entries behind a shorter first one. Above the diagonal: whole registers.
    const Index start = n % lanes;
    for (Index block = start; block < n; block += lanes) {
        for (Index factor = 0; factor < block; ++factor) {
            append(pairs, factor, block, block + lanes);
        }
    }
    Index block = start;
    for (; block + 2 * lanes <= n; block += 2 * lanes) {
        append_folded(pairs, block, block + lanes, lanes);
    }
    append_triangle(pairs, block, n);
    append_triangle(pairs, 0, start);
    return pairs;
}

std::vector<Index> positions_of_triangle(Index n, const std::vector<ProductPair>& pairs) {
    std::vector<Index> positions(pairs.size());
    for (std::size_t at = 0; at < pairs.size(); ++at) {
        const Index index = triangle_index(n, pairs[at].factor, pairs[at].entry);
        positions[static_cast<std::size_t>(index)] = static_cast<Index>(at);
    }
    return positions;
}

std::vector<ProductPair> scaled_entries(Index factor, Index n) {
    std::vector<ProductPair> pairs;
    append(pairs, factor, 0, n);
    return pairs;
}

template <class Scalar>
ProductSumOf<Scalar>::ProductSumOf(std::vector<ProductPair> rows,
                                   std::vector<ProductPair> columns,
                                   Isa isa)
    : rows_(std::move(rows)),
      columns_(std::move(columns)),
      path_(&gram_path<Scalar>(isa)),
      num_rows_(static_cast<Index>(rows_.size())),
      num_columns_(static_cast<Index>(columns_.size())),
      tiles_(split_evenly(num_columns_, path_->columns)) {
    const auto height = static_cast<std::size_t>(path_->rows);
    rows_.resize((rows_.size() + height - 1) / height * height, ProductPair{0, 0});
    const Index size = static_cast<Index>(rows_.size()) * num_columns_;
    high_.assign(static_cast<std::size_t>(size), Scalar(0));
    low_.assign(static_cast<std::size_t>(size), Scalar(0));
}

template <class Scalar>
void ProductSumOf<Scalar>::add(const MatrixOf<Scalar>& row_data,
                               const MatrixOf<Scalar>& column_data,
                               Index count,
                               int threads) {
    ensure(count <= row_data.cols() && count <= column_data.cols(), "ProductSum: too few columns");
    if (count == 0 || num_columns_ == 0) {
        return;
    }
    form_columns(column_data, count, threads);
    const Index blocks = static_cast<Index>(rows_.size()) / path_->rows;
    const Index together =
        std::clamp<Index>(blocks / (Index{8} * std::max(threads, 1)), 1, kBlocksTogether);
    parallel_for(ceil_div(blocks, together), threads, [&](Index g) {
        const Index first = g * together;
        add_row_blocks(row_data, count, first, std::min(first + together, blocks));
    });
}

template <class Scalar>
void ProductSumOf<Scalar>::form_columns(const MatrixOf<Scalar>& data, Index count, int threads) {
    const Index chunks = ceil_div(count, kChunk);
    panels_.resize(static_cast<std::size_t>(chunks * kChunk * num_columns_));
    parallel_for(chunks, threads, [&](Index c) {
        const Index examples = std::min(kChunk, count - c * kChunk);
        for (std::size_t t = 0; t + 1 < tiles_.size(); ++t) {
            path_->form_columns(panels_.data() + c * num_columns_ * kChunk + tiles_[t] * kChunk,
                                tiles_[t + 1] - tiles_[t],
                                data.data() + c * kChunk * data.rows(),
                                data.rows(),
                                examples,
                                columns_.data() + tiles_[t]);
        }
    });
}

template <class Scalar>
void ProductSumOf<Scalar>::add_row_blocks(const MatrixOf<Scalar>& data,
                                          Index count,
                                          Index first,
                                          Index last) {
    const Index height = path_->rows;
    const Index size = height * num_columns_;
    AlignedArray<Scalar> panel(height * kChunk);
    AlignedArray<Scalar> sums(size * (last - first));
    std::fill_n(sums.data(), size * (last - first), Scalar(0));
    for (Index begin = 0; begin < count; begin += kChunk) {
        const Index examples = std::min(kChunk, count - begin);
        const Scalar* const columns = panels_.data() + begin * num_columns_;
        for (Index block = first; block < last; ++block) {
            Scalar* const sum = sums.data() + (block - first) * size;
            path_->form_and_multiply(sum,
                                     panel.data(),
                                     data.data() + begin * data.rows(),
                                     data.rows(),
                                     rows_.data() + block * height,
                                     columns,
                                     examples,
                                     tiles_[1]);
            for (std::size_t t = 1; t + 1 < tiles_.size(); ++t) {
                path_->multiply(sum + tiles_[t] * height,
                                panel.data(),
                                columns + tiles_[t] * kChunk,
                                examples,
                                tiles_[t + 1] - tiles_[t]);
            }
        }
    }
    path_->fold(high_.data() + first * size,
                low_.data() + first * size,
                sums.data(),
                size * (last - first));
}

template <class Scalar>
void ProductSumOf<Scalar>::finish() {
    for (std::size_t i = 0; i < low_.size(); ++i) {
        high_[i] += low_[i];
    }
    std::vector<Scalar>().swap(low_);  // `= {}` would keep the memory
    std::vector<Scalar>().swap(panels_);
}

template <class Scalar>
Index ProductSumOf<Scalar>::operations(Index n) {
    return std::min(n, kChunk) + ceil_div(n, kChunk) + 3;
}

template class ProductSumOf<double>;
template class ProductSumOf<float>;

}  // namespace attest
