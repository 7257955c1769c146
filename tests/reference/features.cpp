#include "tests/reference/features.hpp"

namespace attest::reference {

namespace {

Rational inner(const Row& x, const Row& y) {
    Rational sum = 0;
    for (std::size_t t = 0; t < x.size(); ++t) {
        sum += x[t] * y[t];
    }
    return sum;
}

}  // namespace

Row reference_cubic_features(const Rows& Z) {
    Row H;
    for (std::size_t j = 0; j < Z.size(); ++j) {
        for (std::size_t k = j + 1; k < Z.size(); ++k) {
            for (const Row& row : Z) {
                H.push_back(inner(Z[j], Z[k]) * row.back());
            }
        }
    }
    for (const Row& z : Z) {
        for (const Row& row : Z) {
            H.push_back(inner(z, z) * row.back());
        }
    }
    return H;
}

Rows reference_embedded_features(const Rows& Z) {
    const std::size_t d = Z.size();
    Rows X = zeros(d, d * d);
    for (std::size_t j = 0; j < d; ++j) {
        for (std::size_t k = 0; k < d; ++k) {
            for (std::size_t l = 0; l < d; ++l) {
                X[j][k * d + l] = inner(Z[j], Z[k]) * Z[l].back();
            }
        }
    }
    return X;
}

Rows reference_second_moment(const Rows& features) {
    const std::size_t psi = features.front().size();
    Rows Lambda = zeros(psi, psi);
    for (std::size_t i = 0; i < psi; ++i) {
        for (std::size_t j = 0; j < psi; ++j) {
            for (const Row& H : features) {
                Lambda[i][j] += H[i] * H[j];
            }
            Lambda[i][j] /= static_cast<unsigned long>(features.size());
        }
    }
    return Lambda;
}

}  // namespace attest::reference
