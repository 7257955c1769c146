#pragma once

#include "core/algebra/matrix.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <utility>

namespace attest {

/// Position of the unordered pair {j,k} in Algorithm 2's order: the pairs j<k lexicographically
/// first, then the squares {0,0}, {1,1}, …  O(1).
[[nodiscard]] constexpr Index pack_index(Index d, Index j, Index k) {
    if (j == k) {
        return d * (d - 1) / 2 + j;
    }
    const Index a = j < k ? j : k;
    const Index b = j < k ? k : j;
    return a * (2 * d - a - 1) / 2 + (b - a - 1);
}

/// The pair (j,k), j ≤ k, at position `index` of that order.
[[nodiscard]] std::pair<Index, Index> packed_pair(Index d, Index index);

/// pack(S): the d(d+1)/2 distinct entries of a symmetric d×d matrix, unscaled, read from j ≤ k.
template <class Scalar>
[[nodiscard]] VectorOf<Scalar> pack(const MatrixOf<Scalar>& S) {
    require(S.rows() == S.cols(), "pack: got {}x{}, expected a square matrix", S.rows(), S.cols());
    const Index d = S.rows();
    VectorOf<Scalar> s(packed_dim(d));
    Index at = 0;
    for (Index j = 0; j < d; ++j) {
        for (Index k = j + 1; k < d; ++k) {
            s(at++) = S(j, k);
        }
    }
    for (Index j = 0; j < d; ++j) {
        s(at++) = S(j, j);
    }
    return s;
}

/// The symmetric matrix whose pack is s. s has d(d+1)/2 entries.
template <class Scalar>
[[nodiscard]] MatrixOf<Scalar> unpack(const VectorOf<Scalar>& s, Index d) {
    require(s.size() == packed_dim(d),
            "unpack: got {} entries, expected {} for d = {}",
            s.size(),
            packed_dim(d),
            d);
    MatrixOf<Scalar> S(d, d);
    for (Index j = 0; j < d; ++j) {
        for (Index k = 0; k < d; ++k) {
            S(j, k) = s(pack_index(d, j, k));
        }
    }
    return S;
}

/// pack(S) += z zᵀ, a rank-one update in packed form: one more token joins the sequence. O(d²).
template <class Scalar, class Column>
void add_token(Eigen::Ref<VectorOf<Scalar>> s, const Column& z) {
    const Index d = z.size();
    Index at = 0;
    for (Index j = 0; j < d; ++j) {
        for (Index k = j + 1; k < d; ++k) {
            s(at++) += z(j) * z(k);
        }
    }
    for (Index j = 0; j < d; ++j) {
        s(at++) += z(j) * z(j);
    }
}

/// Adds Σ z(j) z(k) over the columns z of Z to the entries of s from `at` on, for k, k+1, …, d−1:
/// Width of them at once, half as many of what is left, and so on.
template <Index Width, class Scalar>
void add_pairs(VectorOf<Scalar>& s, Index at, const MatrixOf<Scalar>& Z, Index j, Index k) {
    for (; k + Width <= Z.rows(); k += Width, at += Width) {
        Eigen::Array<Scalar, Width, 1> sum = s.template segment<Width>(at);
        for (Index t = 0; t < Z.cols(); ++t) {
            sum += Z(j, t) * Z.col(t).template segment<Width>(k).array();
        }
        s.template segment<Width>(at) = sum;
    }
    if constexpr (Width > 1) {
        add_pairs<Width / 2, Scalar>(s, at, Z, j, k);
    }
}

/// Tokens that add_tokens goes through together: they stay in the cache.
inline constexpr Index kTokensTogether = 64;

/// pack(S) += Z Zᵀ, Z d×n of any scalar that converts: the same bits as add_token of one column
/// after the other, but a sum stays in a register while tokens of one run join it. O(n d²).
template <class Scalar, class Tokens>
void add_tokens(VectorOf<Scalar>& s, const Tokens& Z) {
    constexpr Index kWidth = 8;
    const Index d = Z.rows();
    for (Index first = 0; first < Z.cols(); first += kTokensTogether) {
        const MatrixOf<Scalar> run =
            Z.middleCols(first, std::min(kTokensTogether, Z.cols() - first))
                .template cast<Scalar>();
        Index at = 0;
        for (Index j = 0; j < d; ++j) {
            add_pairs<kWidth, Scalar>(s, at, run, j, j + 1);
            at += d - j - 1;
        }
        for (Index t = 0; t < run.cols(); ++t) {
            s.tail(d).array() += run.col(t).array().square();
        }
    }
}

}  // namespace attest
