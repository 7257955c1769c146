#include "tests/reference/least_squares.hpp"

#include "tests/reference/elimination.hpp"

namespace attest::reference {

namespace {

/// X of A X = B, A square; empty where A is singular.
Rows solve(Rows A, const Rows& B) {
    const std::size_t n = A.size();
    for (std::size_t i = 0; i < n; ++i) {
        A[i].insert(A[i].end(), B[i].begin(), B[i].end());
    }
    const Rows echelon = reference_echelon(A);
    if (echelon.size() < n || echelon[n - 1][n - 1] == 0) {
        return {};
    }
    Rows X;
    for (const Row& row : echelon) {
        X.emplace_back(row.begin() + static_cast<std::ptrdiff_t>(n), row.end());
    }
    return X;
}

}  // namespace

Rows reference_least_squares(const Rows& H,
                             const Rows& Y,
                             const Row& squares,
                             const Rational& ridge) {
    const std::size_t psi = squares.size();
    Rows A = zeros(psi, psi);
    Rows B = zeros(psi, Y.front().size());
    for (std::size_t i = 0; i < H.size(); ++i) {
        for (std::size_t p = 0; p < psi; ++p) {
            for (std::size_t q = 0; q < psi; ++q) {
                A[p][q] += H[i][p] * H[i][q];
            }
            for (std::size_t a = 0; a < B[p].size(); ++a) {
                B[p][a] += H[i][p] * Y[i][a];
            }
        }
    }
    for (std::size_t p = 0; p < psi; ++p) {
        A[p][p] += Rational(H.size()) * ridge * squares[p];
    }
    return solve(A, B);
}

Rows reference_minimum_norm(const Rows& H, const Rows& Y, const Row& squares) {
    Rows K = zeros(H.size(), H.size());
    for (std::size_t i = 0; i < H.size(); ++i) {
        for (std::size_t j = 0; j < H.size(); ++j) {
            for (std::size_t p = 0; p < squares.size(); ++p) {
                K[i][j] += H[i][p] * H[j][p] / squares[p];
            }
        }
    }
    const Rows alpha = solve(K, Y);
    if (alpha.empty()) {
        return {};
    }
    Rows P = zeros(squares.size(), Y.front().size());
    for (std::size_t p = 0; p < squares.size(); ++p) {
        for (std::size_t a = 0; a < P[p].size(); ++a) {
            for (std::size_t i = 0; i < H.size(); ++i) {
                P[p][a] += H[i][p] * alpha[i][a] / squares[p];
            }
        }
    }
    return P;
}

}  // namespace attest::reference
