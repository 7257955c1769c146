#include "tests/support/heads.hpp"

#include "core/exact/modular_matrix.hpp"
#include "core/features/coefficients.hpp"
#include "core/rng/sample.hpp"
#include "tests/support/problems.hpp"

#include <algorithm>
#include <limits>

namespace attest::test {

Matrix nonzero_integers(Index rows, Index cols, const Stream& stream) {
    Draws draws(stream);
    Matrix A(rows, cols);
    for (Index j = 0; j < cols; ++j) {
        for (Index i = 0; i < rows; ++i) {
            const auto value = static_cast<double>(draws.below(6)) - 3.0;
            A(i, j) = value < 0.0 ? value : value + 1.0;
        }
    }
    return A;
}

Matrix generic_coefficients(Index d, Index o, const Stream& stream) {
    return norm_weights(d, Norm::sym).cwiseInverse().asDiagonal() *
           normal_matrix(feature_dim(d), o, stream);
}

Parameters integer_parameters(Index d, Index o, Index heads, const Stream& stream) {
    Parameters theta{d, o, {}};
    for (Index h = 0; h < heads; ++h) {
        theta.heads.push_back({nonzero_integers(o, d, stream.child("V").child(h)),
                               nonzero_integers(d, d, stream.child("Q").child(h))});
    }
    return theta;
}

ParametersOf<Rational> to_rational(const Parameters& theta) {
    ParametersOf<Rational> exact{theta.d, theta.o, {}};
    for (const Head& head : theta.heads) {
        exact.heads.push_back({head.V.cast<Rational>(), head.Q.cast<Rational>()});
    }
    return exact;
}

double representation_bound(Index d, Index o) {
    return 30.0 * static_cast<double>(std::max(o * d, d * d)) *
           std::numeric_limits<double>::epsilon();
}

Index exact_jacobian_rank(const Parameters& integer_heads) {
    const Index d = integer_heads.d;
    const Index o = integer_heads.o;
    const Modulus p;
    ModularMatrix J(integer_heads.num_heads() * (o * d + d * d), feature_dim(d) * o);
    Index row = 0;
    const auto add = [&](const Matrix& V, const Matrix& Q) {
        const Matrix P = coefficients<double>(Parameters{d, o, {{V, Q}}});
        for (Index i = 0; i < P.size(); ++i) {
            J(row, i) = p.reduce(P.data()[i]);
        }
        ++row;
    };
    for (const Head& head : integer_heads.heads) {
        for (Index i = 0; i < o * d; ++i) {
            add(Vector::Unit(o * d, i).reshaped(o, d), head.Q);
        }
        for (Index i = 0; i < d * d; ++i) {
            add(head.V, Vector::Unit(d * d, i).reshaped(d, d));
        }
    }
    return rank(p, J);
}

}  // namespace attest::test
