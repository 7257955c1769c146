#include "core/moments/structured_gram.hpp"

#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/base/parallel.hpp"
#include "core/base/text.hpp"

#include <utility>

namespace attest {

template <class Scalar>
StructuredGramOf<Scalar>::StructuredGramOf(Index d,
                                           ProductSumOf<Scalar> sum,
                                           std::vector<Index> positions)
    : d_(d), sum_(std::move(sum)), positions_(std::move(positions)) {
    const Index q = packed_dim(d);
    ensure(static_cast<Index>(positions_.size()) == packed_dim(q) &&
               sum_.num_rows() == packed_dim(q) && sum_.num_columns() == q,
           "StructuredGram: the sum's shape is not that of a second moment");
}

/// The products with s_p s_r, p and r positions in pack(S), for every pair {l,m}.
template <class Scalar>
const Scalar* StructuredGramOf<Scalar>::row(Index p, Index r) const {
    const Index index = triangle_index(packed_dim(d_), p, r);
    return sum_.row(positions_[static_cast<std::size_t>(index)]);
}

/// Calls visit(i, j, value) for the lower triangle's entries in the columns j = p·d … p·d + d − 1:
/// a symmetric d×d block for every r ≥ p.
template <class Scalar>
template <class Visit>
void StructuredGramOf<Scalar>::for_block_column(Index p, const Visit& visit) const {
    const Index stride = sum_.row_stride();
    for (Index r = p; r < packed_dim(d_); ++r) {
        const Scalar* const entries = row(p, r);
        for (Index l = 0; l < d_; ++l) {
            for (Index m = r == p ? l : 0; m < d_; ++m) {
                visit(r * d_ + m, p * d_ + l, entries[triangle_index(d_, l, m) * stride]);
            }
        }
    }
}

template <class Scalar>
Scalar StructuredGramOf<Scalar>::at(Index i, Index j) const {
    require(i >= 0 && i < psi() && j >= 0 && j < psi(),
            "StructuredGram: got position ({},{}), expected below {}",
            i,
            j,
            psi());
    return row(i / d_, j / d_)[triangle_index(d_, i % d_, j % d_) * sum_.row_stride()];
}

template <class Scalar>
MatrixOf<Scalar> StructuredGramOf<Scalar>::lower_triangle(int threads) const {
    const auto n = static_cast<double>(psi());
    require_memory(1.5 * sizeof(Scalar) * n * n,
                   formatted("the second moment at d = {}", d_),
                   "use a solver that forms nothing of size psi x psi");
    MatrixOf<Scalar> G(psi(), psi());
    parallel_for(packed_dim(d_), threads, [&](Index p) {
        G.block(0, p * d_, (p + 1) * d_, d_).setZero();
        for_block_column(p, [&](Index i, Index j, Scalar value) { G(i, j) = value; });
    });
    return G;
}

template <class Scalar>
VectorOf<Scalar> StructuredGramOf<Scalar>::rectangular_packed(int threads) const {
    const auto n = static_cast<double>(psi());
    require_memory(sizeof(Scalar) * n * n,
                   formatted("the packed second moment at d = {}", d_),
                   "use a solver that forms nothing of size psi x psi");
    VectorOf<Scalar> G(packed_dim(psi()));
    parallel_for(packed_dim(d_), threads, [&](Index p) {
        for_block_column(p, [&](Index i, Index j, Scalar value) {
            G(rectangular_packed_index(psi(), i, j)) = value;
        });
    });
    return G;
}

template class StructuredGramOf<double>;
template class StructuredGramOf<float>;

}  // namespace attest
