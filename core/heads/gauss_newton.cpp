#include "core/heads/gauss_newton.hpp"

#include "core/algebra/lapack.hpp"
#include "core/features/gauge.hpp"
#include "core/heads/isometric.hpp"

#include <cmath>

namespace attest {

namespace {

/// G[(h,h'), (b,b')] = Σ_a V_h[a,b] V_h'[a,b'], H²×d², h and b fast.
Matrix value_gram(const Matrix& V, Index d) {
    const Index H = V.cols();
    const Index o = V.rows() / d;
    Matrix G(H * H, d * d);
    for (Index h = 0; h < H; ++h) {
        // reshaped: d×o, column a holds V_h[a, :].
        const Matrix left = V.col(h).reshaped(d, o);
        for (Index k = 0; k < H; ++k) {
            const Matrix product = left * V.col(k).reshaped(d, o).transpose();
            G.row(k * H + h) = product.reshaped().transpose();
        }
    }
    return G;
}

/// Columns (c',l') ≥ (c,l) of the expanded kernel at fixed (c,l): entry [(b,b'), (c',l')] is
/// w_bc w_b'c' K[({b,c},l), ({b',c'},l')], d²×(d² − c·d − l).
Matrix expanded_kernel(const Matrix& K, Index d, Index c, Index l) {
    const double pair_weight = std::sqrt(0.5);
    const Index first = c * d + l;
    Matrix E(d * d, d * d - first);
    for (Index s = first; s < d * d; ++s) {
        const Index c2 = s / d;
        const Index l2 = s % d;
        for (Index b2 = 0; b2 < d; ++b2) {
            const Index column = pack_index(d, b2, c2) * d + l2;
            const double outer = b2 == c2 ? 1.0 : pair_weight;
            for (Index b = 0; b < d; ++b) {
                const double inner = b == c ? outer : outer * pair_weight;
                E(b2 * d + b, s - first) = inner * K(pack_index(d, b, c) * d + l, column);
            }
        }
    }
    return E;
}

}  // namespace

Matrix gauss_newton_matrix(const Matrix& V, const Matrix& K, Index d) {
    const Index H = V.cols();
    require(V.rows() % d == 0 && K.rows() == feature_dim(d) && K.cols() == K.rows(),
            "gauss_newton_matrix: V and K do not match d");
    const Matrix G = value_gram(V, d);
    Matrix A(H * d * d, H * d * d);
    for (Index s = 0; s < d * d; ++s) {
        const Matrix E = expanded_kernel(K, d, s / d, s % d);
        Matrix block = Matrix::Zero(H * H, E.cols());
        add_product(block, G, E);
        for (Index t = s; t < d * d; ++t) {
            // block.col is [(h,k)]: h belongs to (c,l) = s, k to (c',l') = t.
            A.block(t * H, s * H, H, H) = block.col(t - s).reshaped(H, H).transpose();
        }
    }
    return A;
}

Matrix head_gradient(const Matrix& V, const Matrix& r, Index d) {
    return V.transpose() * symmetric_gauge<double>(from_isometric(r, d), d);
}

}  // namespace attest
