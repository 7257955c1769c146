#include "tests/reference/attention.hpp"

namespace attest::reference {

namespace {

/// Entry (a, t) of V Z Zᵀ Q Z: Σ_b Σ_s Σ_c Σ_e V[a][b] Z[b][s] Z[c][s] Q[c][e] Z[e][t].
Rational one_head(const Rows& V, const Rows& Q, const Rows& Z, std::size_t a, std::size_t t) {
    const std::size_t d = Z.size();
    Rational sum = 0;
    for (std::size_t b = 0; b < d; ++b) {
        for (std::size_t s = 0; s < Z[b].size(); ++s) {
            for (std::size_t c = 0; c < d; ++c) {
                for (std::size_t e = 0; e < d; ++e) {
                    sum += V[a][b] * Z[b][s] * Z[c][s] * Q[c][e] * Z[e][t];
                }
            }
        }
    }
    return sum;
}

}  // namespace

Rows reference_attention(const std::vector<Rows>& V,
                         const std::vector<Rows>& Q,
                         const Rows& Z,
                         std::size_t outputs) {
    Rows Y = zeros(outputs, Z.front().size());
    for (std::size_t a = 0; a < outputs; ++a) {
        for (std::size_t t = 0; t < Y[a].size(); ++t) {
            for (std::size_t h = 0; h < V.size(); ++h) {
                Y[a][t] += one_head(V[h], Q[h], Z, a, t);
            }
        }
    }
    return Y;
}

Rows reference_coefficients(const std::vector<Rows>& V,
                            const std::vector<Rows>& Q,
                            std::size_t outputs,
                            std::size_t d) {
    Rows P;
    for (std::size_t j = 0; j < d; ++j) {
        for (std::size_t k = j + 1; k < d; ++k) {
            for (std::size_t l = 0; l < d; ++l) {
                Row entry(outputs, Rational(0));
                for (std::size_t a = 0; a < outputs; ++a) {
                    for (std::size_t h = 0; h < V.size(); ++h) {
                        entry[a] += V[h][a][j] * Q[h][k][l] + V[h][a][k] * Q[h][j][l];
                    }
                }
                P.push_back(entry);
            }
        }
    }
    for (std::size_t j = 0; j < d; ++j) {
        for (std::size_t l = 0; l < d; ++l) {
            Row entry(outputs, Rational(0));
            for (std::size_t a = 0; a < outputs; ++a) {
                for (std::size_t h = 0; h < V.size(); ++h) {
                    entry[a] += V[h][a][j] * Q[h][j][l];
                }
            }
            P.push_back(entry);
        }
    }
    return P;
}

}  // namespace attest::reference
