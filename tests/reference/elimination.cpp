#include "tests/reference/elimination.hpp"

#include <utility>

namespace attest::reference {

namespace {

/// A row at or below `from` with a nonzero entry in this column, or the number of rows.
std::size_t find_pivot(const Rows& A, std::size_t from, std::size_t column) {
    while (from < A.size() && A[from][column] == 0) {
        ++from;
    }
    return from;
}

void subtract_multiple(Row& row, const Rational& factor, const Row& pivot) {
    for (std::size_t j = 0; j < row.size(); ++j) {
        row[j] -= factor * pivot[j];
    }
}

std::size_t leading_column(const Row& row) {
    std::size_t column = 0;
    while (row[column] == 0) {
        ++column;
    }
    return column;
}

}  // namespace

Rows reference_echelon(Rows A) {
    std::size_t rank = 0;
    const std::size_t columns = A.empty() ? 0 : A.front().size();
    for (std::size_t column = 0; column < columns && rank < A.size(); ++column) {
        const std::size_t at = find_pivot(A, rank, column);
        if (at == A.size()) {
            continue;
        }
        std::swap(A[rank], A[at]);
        const Rational pivot = A[rank][column];
        for (Rational& entry : A[rank]) {
            entry /= pivot;
        }
        for (std::size_t i = 0; i < A.size(); ++i) {
            if (i != rank) {
                const Rational factor = A[i][column];
                subtract_multiple(A[i], factor, A[rank]);
            }
        }
        ++rank;
    }
    A.resize(rank);
    return A;
}

std::size_t reference_rank(const Rows& A) {
    return reference_echelon(A).size();
}

Rows reference_null_space(const Rows& A) {
    const Rows R = reference_echelon(A);
    const std::size_t columns = A.front().size();
    std::vector<bool> is_pivot(columns, false);
    for (const Row& row : R) {
        is_pivot[leading_column(row)] = true;
    }
    Rows basis;
    for (std::size_t free = 0; free < columns; ++free) {
        if (is_pivot[free]) {
            continue;
        }
        Row v(columns, Rational(0));
        v[free] = 1;
        for (const Row& row : R) {
            v[leading_column(row)] = -row[free];
        }
        basis.push_back(v);
    }
    return basis;
}

Rational reference_determinant(Rows A) {
    Rational determinant = 1;
    for (std::size_t column = 0; column < A.size(); ++column) {
        const std::size_t at = find_pivot(A, column, column);
        if (at == A.size()) {
            return 0;
        }
        if (at != column) {
            std::swap(A[column], A[at]);
            determinant = -determinant;
        }
        determinant *= A[column][column];
        for (std::size_t i = column + 1; i < A.size(); ++i) {
            const Rational factor = A[i][column] / A[column][column];
            subtract_multiple(A[i], factor, A[column]);
        }
    }
    return determinant;
}

}  // namespace attest::reference
