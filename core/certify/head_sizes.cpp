#include "core/certify/head_sizes.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/exact/modulus.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

namespace {

/// Singular values below this, over the largest, are rounding of a product of smaller matrices.
constexpr double kRounding = 1e-8;

Index size_within(Index size, Index rows, Index cols) {
    const Index full = std::min(rows, cols);
    return size == 0 ? full : std::min(size, full);
}

Index numerical_size(const Matrix& A) {
    const Vector sigma = singular_values(A);
    Index rank = 0;
    while (rank < sigma.size() && sigma(rank) > kRounding * sigma(0)) {
        ++rank;
    }
    return rank;
}

/// A = L R, rows×size times size×cols. R stands row after row behind L, whose entry (i, r) stands
/// at i·by_row + r·by_term.
struct FactoredMatrix {
    Index rows;
    Index cols;
    Index size;
    const Residue* left;
    Index by_row;
    Index by_term;
    const Residue* right;
};

/// Derivatives by the entries of A, row after row, to those by L and, behind them, by R. Most of
/// them are 0: an output reads one row of V.
void add_by_factors(const Modulus& p,
                    const Residue* by_entries,
                    const FactoredMatrix& A,
                    Residue* by) {
    Residue* const by_right = by + A.rows * A.size;
    for (Index i = 0; i < A.rows; ++i) {
        for (Index j = 0; j < A.cols; ++j) {
            const Residue slope = by_entries[i * A.cols + j];
            if (slope == 0) {
                continue;
            }
            for (Index r = 0; r < A.size; ++r) {
                const Index at = i * A.by_row + r * A.by_term;
                Residue& left = by[at];
                Residue& right = by_right[r * A.cols + j];
                left = p.add(left, p.multiply(slope, A.right[r * A.cols + j]));
                right = p.add(right, p.multiply(slope, A.left[at]));
            }
        }
    }
}

/// Two factors of a matrix, with the roots of its singular values in both; beyond its rank both are
/// 0, whatever rounding left there.
struct Halves {
    Matrix left;   ///< rows×size
    Matrix right;  ///< size×cols
};

Halves halves(const Matrix& A, Index size, Index rank) {
    const Svd found = svd(A);
    Vector roots = found.sigma.head(size).cwiseSqrt();
    roots.tail(size - rank).setZero();
    return {found.U.leftCols(size) * roots.asDiagonal(),
            roots.asDiagonal() * found.V.leftCols(size).transpose()};
}

}  // namespace

void append_rows(std::vector<double>& to, const Matrix& A) {
    const Vector entries = flatten<double>(A);
    to.insert(to.end(), entries.begin(), entries.end());
}

HeadProducts::HeadProducts(
    Index heads, Index o, Index D, Index C, Index m, Index behind, HeadSizes sizes)
    : heads_(heads),
      o_(o),
      D_(D),
      C_(C),
      m_(m),
      behind_(behind),
      sizes_{size_within(sizes.key, C, m), size_within(sizes.value, o, D)} {}

Index HeadProducts::factors_of_head() const {
    return sizes_.value * (o_ + D_) + sizes_.key * (C_ + m_);
}

Index HeadProducts::num_factors() const {
    return heads_ * factors_of_head() + behind_;
}

std::vector<Residue> HeadProducts::product(const Modulus& p,
                                           const std::vector<Residue>& factors) const {
    const auto [a, v] = sizes_;
    std::vector<Residue> entries;
    entries.reserve(static_cast<std::size_t>(heads_ * (o_ * D_ + C_ * m_) + behind_));
    for (Index h = 0; h < heads_; ++h) {
        const Residue* const O = factors.data() + h * factors_of_head();
        const Residue* const W = O + o_ * v;
        const Residue* const K = W + v * D_;
        const Residue* const R = K + a * C_;
        for (Index i = 0; i < o_; ++i) {
            for (Index j = 0; j < D_; ++j) {
                Residue sum = 0;
                for (Index r = 0; r < v; ++r) {
                    sum = p.add(sum, p.multiply(O[i * v + r], W[r * D_ + j]));
                }
                entries.push_back(sum);
            }
        }
        for (Index k = 0; k < C_; ++k) {
            for (Index l = 0; l < m_; ++l) {
                Residue sum = 0;
                for (Index r = 0; r < a; ++r) {
                    sum = p.add(sum, p.multiply(K[r * C_ + k], R[r * m_ + l]));
                }
                entries.push_back(sum);
            }
        }
    }
    entries.insert(entries.end(), factors.end() - behind_, factors.end());
    return entries;
}

ModularMatrix HeadProducts::by_factors(const Modulus& p,
                                       const ModularMatrix& by_entries,
                                       const std::vector<Residue>& factors) const {
    const auto [a, v] = sizes_;
    ModularMatrix by(by_entries.rows(), num_factors());
    for (Index i = 0; i < by.rows(); ++i) {
        const Residue* entries = by_entries.row(i);
        for (Index h = 0; h < heads_; ++h) {
            const Index at_O = h * factors_of_head();
            const Index at_W = at_O + o_ * v;
            const Index at_K = at_W + v * D_;
            const Index at_R = at_K + a * C_;
            const Residue* const all = factors.data();
            add_by_factors(p, entries, {o_, D_, v, all + at_O, v, 1, all + at_W}, by.row(i) + at_O);
            entries += o_ * D_;
            add_by_factors(
                p, entries, {C_, m_, a, all + at_K, 1, C_, all + at_R}, by.row(i) + at_K);
            entries += C_ * m_;
        }
        std::copy_n(entries, behind_, by.row(i) + heads_ * factors_of_head());
    }
    return by;
}

FactoredHeads HeadProducts::factored(const LayerHeads& heads) const {
    const auto [a, v] = sizes_;
    FactoredHeads found;
    double largest = 0.0;
    double difference = 0.0;
    const auto halve = [&](const Matrix& A, Index size, std::size_t h, char letter) {
        const Index rank = numerical_size(A);
        require(rank <= size,
                "few heads: {} of head {} has rank {}, more than the size {} that was asked for",
                letter,
                h,
                rank,
                size);
        Halves parts = halves(A, size, rank);
        largest = std::max(largest, A.cwiseAbs().maxCoeff());
        difference = std::max(difference, (A - parts.left * parts.right).cwiseAbs().maxCoeff());
        return parts;
    };
    for (std::size_t h = 0; h < heads.heads.size(); ++h) {
        const Halves V = halve(heads.heads[h].V, v, h, 'V');
        append_rows(found.factors, V.left);
        append_rows(found.factors, V.right);
        const Halves Q = halve(heads.heads[h].Q, a, h, 'Q');
        append_rows(found.factors, Q.left.transpose());
        append_rows(found.factors, Q.right);
    }
    append_rows(found.factors, heads.direct);
    found.factors.resize(static_cast<std::size_t>(num_factors()), 0.0);
    found.rounded_by = largest > 0.0 ? difference / largest : 0.0;
    return found;
}

HeadSizes numerical_sizes(const LayerHeads& heads) {
    HeadSizes sizes{1, 1};  // 0 would mean full, and heads of zeros are the smallest there are
    for (const LayerHead& head : heads.heads) {
        sizes.key = std::max(sizes.key, numerical_size(head.Q));
        sizes.value = std::max(sizes.value, numerical_size(head.V));
    }
    return sizes;
}

}  // namespace attest
