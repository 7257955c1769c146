#include "proofs_check/exact/other_routes.hpp"

#include "core/algebra/matrix.hpp"
#include "core/algebra/symmetric_pack.hpp"
#include "core/base/error.hpp"

#include <Eigen/LU>

namespace attest {

namespace {

/// A product of elementary integer matrices: determinant 1.
RationalMatrix random_unimodular(Index size, const Stream& stream) {
    const RationalMatrix low = random_integers(size, size, 1, stream.child("low"));
    const RationalMatrix high = random_integers(size, size, 1, stream.child("high"));
    RationalMatrix L = RationalMatrix::Identity(size, size);
    RationalMatrix U = L;
    for (Index i = 0; i < size; ++i) {
        for (Index j = 0; j < i; ++j) {
            L(i, j) = low(i, j);
            U(j, i) = high(i, j);
        }
    }
    return L * U;
}

}  // namespace

RationalMatrix kernel_minimiser(const std::vector<RationalMatrix>& Z, const RationalMatrix& Y) {
    const auto N = static_cast<Index>(Z.size());
    const Index d = Z.front().rows();
    std::vector<RationalMatrix> S;
    S.reserve(Z.size());
    for (const RationalMatrix& sequence : Z) {
        S.emplace_back(sequence * sequence.transpose());
    }
    RationalMatrix K(N, N);
    for (std::size_t i = 0; i < Z.size(); ++i) {
        for (std::size_t j = 0; j < Z.size(); ++j) {
            const RationalMatrix z = Z[i].rightCols(1);
            const RationalMatrix other = Z[j].rightCols(1);
            K(static_cast<Index>(i), static_cast<Index>(j)) =
                frobenius(S[i], S[j]) * frobenius(z, other);
        }
    }
    const std::optional<RationalMatrix> alpha = rational_solve(K, Y);
    ensure(alpha.has_value(), "kernel_minimiser: no coefficients fit the labels");
    RationalMatrix P = RationalMatrix::Zero(feature_dim(d), Y.cols());
    for (std::size_t i = 0; i < Z.size(); ++i) {
        const RationalMatrix z = Z[i].rightCols(1);
        for (Index p = 0; p < packed_dim(d); ++p) {
            const auto [j, k] = packed_pair(d, p);
            const Rational weighted = j == k ? S[i](j, k) : Rational(2 * S[i](j, k));
            P.middleRows(p * d, d) += weighted * z * alpha->row(static_cast<Index>(i));
        }
    }
    return P;
}

RationalParameters scrambled_heads(const RationalParameters& theta, const Stream& stream) {
    const Index count = theta.num_heads();
    require(count >= 1, "scrambled_heads: got no head, expected at least one");
    const RationalMatrix G = random_unimodular(count, stream);
    const RationalMatrix inverse = rational_inverse(G);
    RationalParameters mixed{theta.d, theta.o, {}};
    for (Index h = 0; h < count; ++h) {
        HeadOf<Rational> head{RationalMatrix::Zero(theta.o, theta.d),
                              RationalMatrix::Zero(theta.d, theta.d)};
        for (Index g = 0; g < count; ++g) {
            head.V += theta.heads[static_cast<std::size_t>(g)].V * G(g, h);
            head.Q += theta.heads[static_cast<std::size_t>(g)].Q * inverse(h, g);
        }
        mixed.heads.push_back(head);
    }
    // e_1 e_bᵀ with Q = x e_lᵀ and −e_1 xᵀ with Q = e_b e_lᵀ: antisymmetric, so they cancel.
    const RationalMatrix x = random_integers(theta.d, 1, 2, stream.child("gauge"));
    const RationalVector first = RationalVector::Unit(theta.o, 0);
    const RationalVector last = RationalVector::Unit(theta.d, theta.d - 1);
    mixed.heads.push_back({first * last.transpose(), x * last.transpose()});
    mixed.heads.push_back({-first * x.transpose(), last * last.transpose()});
    return mixed;
}

RationalParameters rank_heads(const RationalMatrix& W, Index d) {
    RationalParameters theta{d, W.rows() / d, {}};
    if (W.isZero(Rational(0))) {
        return theta;
    }
    Eigen::FullPivLU<RationalMatrix> lu;
    lu.setThreshold(Rational(0));
    const RationalMatrix C = lu.compute(W).image(W);
    const std::optional<RationalMatrix> R = rational_solve(C, W);
    ensure(R.has_value(), "rank_heads: the independent columns do not span the others");
    for (Index h = 0; h < C.cols(); ++h) {
        const RationalVector left = C.col(h);
        const RationalVector right = R->row(h).transpose();
        theta.heads.push_back({fold<Rational>(left, theta.o, d), fold<Rational>(right, d, d)});
    }
    return theta;
}

}  // namespace attest
