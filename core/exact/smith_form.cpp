#include "core/exact/smith_form.hpp"

#include "core/base/interrupt.hpp"
#include "core/exact/joined_sets.hpp"

#include <flint/fmpz_mat.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace attest {

namespace {

/// FLINT's matrix of integers, freed at the end.
class FlintMatrix {
public:
    FlintMatrix(Index rows, Index cols) { fmpz_mat_init(matrix_, rows, cols); }

    FlintMatrix(const FlintMatrix&) = delete;
    FlintMatrix& operator=(const FlintMatrix&) = delete;
    FlintMatrix(FlintMatrix&&) = delete;
    FlintMatrix& operator=(FlintMatrix&&) = delete;

    ~FlintMatrix() { fmpz_mat_clear(matrix_); }

    [[nodiscard]] fmpz_mat_struct* get() { return matrix_; }

    [[nodiscard]] fmpz* entry(Index i, Index j) { return fmpz_mat_entry(matrix_, i, j); }

private:
    fmpz_mat_t matrix_;
};

/// Rows and columns that hang together by nonzero entries.
struct Summand {
    std::vector<Index> rows;
    std::vector<Index> columns;
};

/// The summands whose direct sum a matrix is, up to the order of its rows and columns.
std::vector<Summand> summands_of(const MatrixOf<Integer>& A) {
    const auto rows = static_cast<std::size_t>(A.rows());
    const auto columns = static_cast<std::size_t>(A.cols());
    JoinedSets sets(rows + columns);
    for (std::size_t i = 0; i < rows; ++i) {
        throw_if_stopped("elementary_divisors");
        for (std::size_t j = 0; j < columns; ++j) {
            if (A(static_cast<Index>(i), static_cast<Index>(j)) != 0) {
                sets.join(i, rows + j);
            }
        }
    }
    std::map<std::size_t, Summand> of_root;
    for (std::size_t i = 0; i < rows; ++i) {
        of_root[sets.root(i)].rows.push_back(static_cast<Index>(i));
    }
    for (std::size_t j = 0; j < columns; ++j) {
        of_root[sets.root(rows + j)].columns.push_back(static_cast<Index>(j));
    }
    std::vector<Summand> summands;
    summands.reserve(of_root.size());
    for (auto& [root, summand] : of_root) {
        summands.push_back(std::move(summand));
    }
    return summands;
}

std::vector<Integer> divisors_of_summand(const MatrixOf<Integer>& A, const Summand& summand) {
    const Index rows = std::ssize(summand.rows);
    const Index columns = std::ssize(summand.columns);
    FlintMatrix matrix(rows, columns);
    for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < columns; ++j) {
            const Integer& entry = A(summand.rows[static_cast<std::size_t>(i)],
                                     summand.columns[static_cast<std::size_t>(j)]);
            fmpz_set_mpz(matrix.entry(i, j), entry.backend().data());
        }
    }
    FlintMatrix smith(rows, columns);
    fmpz_mat_snf(smith.get(), matrix.get());
    std::vector<Integer> divisors;
    for (Index i = 0; i < std::min(rows, columns); ++i) {
        Integer divisor;
        fmpz_get_mpz(divisor.backend().data(), smith.entry(i, i));
        if (divisor != 0) {
            divisors.push_back(divisor);
        }
    }
    return divisors;
}

/// Of the direct sum of all: diagonal entries a, b have the divisors gcd(a, b) and lcm(a, b).
std::vector<Integer> joined_divisors(std::vector<Integer> all) {
    std::sort(all.begin(), all.end());
    for (auto one = std::upper_bound(all.begin(), all.end(), Integer(1)); one != all.end(); ++one) {
        for (auto other = one + 1; other < all.end(); ++other) {
            const Integer common = gcd(*one, *other);
            *other = lcm(*one, *other);
            *one = common;
        }
    }
    return all;
}

}  // namespace

std::vector<Integer> elementary_divisors(const MatrixOf<Integer>& A) {
    std::vector<Integer> all;
    for (const Summand& summand : summands_of(A)) {
        throw_if_stopped("elementary_divisors");
        const std::vector<Integer> divisors = divisors_of_summand(A, summand);
        all.insert(all.end(), divisors.begin(), divisors.end());
    }
    return joined_divisors(std::move(all));
}

}  // namespace attest
