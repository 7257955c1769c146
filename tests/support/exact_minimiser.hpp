#pragma once

#include "core/data/dataset.hpp"
#include "core/exact/dyadic.hpp"
#include "tests/reference/elimination.hpp"
#include "tests/reference/features.hpp"
#include "tests/reference/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest::test {

[[nodiscard]] inline reference::Rows rows_of(const Matrix& A) {
    reference::Rows rows =
        reference::zeros(static_cast<std::size_t>(A.rows()), static_cast<std::size_t>(A.cols()));
    for (Index i = 0; i < A.rows(); ++i) {
        for (Index j = 0; j < A.cols(); ++j) {
            rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = to_rational(A(i, j));
        }
    }
    return rows;
}

/// H of every sequence, its last token the query.
[[nodiscard]] inline reference::Rows features_of(const Dataset& data) {
    reference::Rows H;
    for (Index i = 0; i < data.num_sequences(); ++i) {
        H.push_back(reference::reference_cubic_features(rows_of(data.sequence(i))));
    }
    return H;
}

/// The squares of the symmetric norm's weights: 1/2 for pairs, 1 for squares.
[[nodiscard]] inline reference::Row squared_weights(Index d) {
    reference::Row squares(static_cast<std::size_t>(feature_dim(d)), Rational(1));
    std::fill_n(squares.begin(), feature_dim(d) - d * d, Rational(1, 2));
    return squares;
}

/// ‖2^e (P − exact)‖ / ‖2^e exact‖ over Q, e the exponents of the features of scaled coordinates;
/// nothing where both are zero.
[[nodiscard]] inline double relative_error(const Matrix& P,
                                           const reference::Rows& exact,
                                           const std::vector<int>& exponents) {
    Rational error = 0;
    Rational size = 0;
    for (Index p = 0; p < P.rows(); ++p) {
        const auto at = static_cast<std::size_t>(p);
        const Rational unit = exponents.empty() ? Rational(1) : power_of_two(2 * exponents[at]);
        for (Index a = 0; a < P.cols(); ++a) {
            const Rational& goal = exact[at][static_cast<std::size_t>(a)];
            const Rational difference = to_rational(P(p, a)) - goal;
            error += difference * difference * unit;
            size += goal * goal * unit;
        }
    }
    if (size == 0) {
        return error == 0 ? 0.0 : std::numeric_limits<double>::infinity();
    }
    return std::sqrt(Rational(error / size).convert_to<double>());
}

/// The minimiser over Q, where there is one that a solver can be held against.
struct Exact {
    reference::Rows P;
    std::size_t rank = 0;
    bool unique = false;
};

[[nodiscard]] inline Exact exact_minimiser(const Dataset& data, double ridge) {
    const reference::Rows H = features_of(data);
    const reference::Rows Y = rows_of(data.y.transpose());
    const reference::Row squares = squared_weights(data.d());
    Exact exact;
    exact.rank = reference::reference_rank(H);
    exact.unique = ridge > 0.0 || exact.rank == squares.size();
    exact.P = exact.unique ? reference::reference_least_squares(H, Y, squares, to_rational(ridge))
              : exact.rank == H.size() ? reference::reference_minimum_norm(H, Y, squares)
                                       : reference::Rows{};
    return exact;
}

}  // namespace attest::test
