#include "core/exact/modular.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/exact/float_product.hpp"

// No other file talks to FLINT.
#include <flint/nmod_mat.h>
#include <flint/ulong_extras.h>

#include <algorithm>
#include <utility>

namespace attest {

static_assert(sizeof(mp_limb_t) == sizeof(Residue));

namespace {

/// A FLINT matrix that borrows the entries of a ModularMatrix, so nothing is copied on the way in.
/// FLINT swaps row pointers, not rows: read results through `rows`.
class Borrowed {
public:
    // FLINT's type is mutable throughout; operands that are only read are borrowed const_cast.
    Borrowed(const Modulus& p, const ModularMatrix& A) : rows_(static_cast<std::size_t>(A.rows())) {
        auto* entries = const_cast<mp_limb_t*>(  // NOLINT(cppcoreguidelines-pro-type-const-cast)
            reinterpret_cast<const mp_limb_t*>(A.row(0)));
        for (Index i = 0; i < A.rows(); ++i) {
            rows_[static_cast<std::size_t>(i)] = entries + i * A.cols();
        }
        view_->entries = entries;
        view_->r = A.rows();
        view_->c = A.cols();
        view_->rows = rows_.data();
        nmod_init(&view_->mod, p.prime());
    }

    [[nodiscard]] nmod_mat_struct* get() { return view_; }

private:
    std::vector<mp_limb_t*> rows_;
    nmod_mat_t view_;
};

/// An LU factorisation in place: row i of the result belongs to row order[i] of A; the first `rank`
/// are independent.
struct Factor {
    Index rank;
    std::vector<Index> order;
};

Factor factorise(Borrowed& A, Index rows) {
    std::vector<slong> permutation(static_cast<std::size_t>(rows));
    const slong rank = nmod_mat_lu(permutation.data(), A.get(), 0);
    return {rank, std::vector<Index>(permutation.begin(), permutation.end())};
}

/// The columns of the first nonzero entries of the rows of U, given that U is an echelon form.
std::vector<Index> leading_columns(const nmod_mat_struct* U, Index rank) {
    std::vector<Index> pivots;
    Index column = 0;
    for (Index i = 0; i < rank; ++i, ++column) {
        while (U->rows[i][column] == 0) {
            ++column;
        }
        pivots.push_back(column);
    }
    return pivots;
}

/// The part of row i of an LU factor that belongs to U: entries from its pivot on.
ModularMatrix upper_part(const nmod_mat_struct* LU, const std::vector<Index>& pivots, Index cols) {
    const auto rank = static_cast<Index>(pivots.size());
    ModularMatrix U(rank, cols);
    for (Index i = 0; i < rank; ++i) {
        const Index from = pivots[static_cast<std::size_t>(i)];
        std::copy(LU->rows[i] + from, LU->rows[i] + cols, U.row(i) + from);
    }
    return U;
}

/// X with U X = B for the unit-free upper triangle U (r×r), r = B.rows().
ModularMatrix solve_upper(const Modulus& p, const ModularMatrix& U, const ModularMatrix& B) {
    ModularMatrix X(B.rows(), B.cols());
    if (X.rows() > 0 && X.cols() > 0) {
        Borrowed x(p, X);
        nmod_mat_solve_triu(x.get(), Borrowed(p, U).get(), Borrowed(p, B).get(), 0);
    }
    return X;
}

/// Measured: from about 64³ multiply-adds on, dgemm outruns FLINT in spite of the conversions.
bool pays_in_double(const Modulus& p, const ModularMatrix& A, const ModularMatrix& B) {
    constexpr Index kWorthwhile = Index{64} * 64 * 64;
    return p.prime() < kFloatPrimeBound && A.rows() * A.cols() * B.cols() >= kWorthwhile;
}

ModularMatrix negated(const Modulus& p, ModularMatrix A) {
    for (Index i = 0; i < A.rows(); ++i) {
        std::transform(
            A.row(i), A.row(i) + A.cols(), A.row(i), [&](Residue a) { return p.negate(a); });
    }
    return A;
}

}  // namespace

ModularMatrix multiply(const Modulus& p, const ModularMatrix& A, const ModularMatrix& B) {
    require(A.cols() == B.rows(),
            "multiply: got {}x{} times {}x{}",
            A.rows(),
            A.cols(),
            B.rows(),
            B.cols());
    ModularMatrix C(A.rows(), B.cols());
    if (pays_in_double(p, A, B)) {
        return negated(p, float_subtract_product(p, std::move(C), A, B));
    }
    if (A.cols() > 0 && C.rows() > 0 && C.cols() > 0) {
        nmod_mat_mul(Borrowed(p, C).get(), Borrowed(p, A).get(), Borrowed(p, B).get());
    }
    return C;
}

ModularMatrix subtract_product(const Modulus& p,
                               ModularMatrix C,
                               const ModularMatrix& A,
                               const ModularMatrix& B) {
    require(A.cols() == B.rows() && C.rows() == A.rows() && C.cols() == B.cols(),
            "subtract_product: got shapes {}x{} - {}x{} * {}x{}",
            C.rows(),
            C.cols(),
            A.rows(),
            A.cols(),
            B.rows(),
            B.cols());
    if (pays_in_double(p, A, B)) {
        return float_subtract_product(p, std::move(C), A, B);
    }
    if (A.cols() > 0 && C.rows() > 0 && C.cols() > 0) {
        Borrowed c(p, C);
        nmod_mat_submul(c.get(), c.get(), Borrowed(p, A).get(), Borrowed(p, B).get());
    }
    return C;
}

// FLINT factors in place, in the copy that the parameter is.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
Index rank(const Modulus& p, ModularMatrix A) {
    if (A.rows() == 0 || A.cols() == 0) {
        return 0;
    }
    Borrowed borrowed(p, A);
    return factorise(borrowed, A.rows()).rank;
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): as above
Echelon reduced_row_echelon(const Modulus& p, ModularMatrix A) {
    if (A.rows() == 0 || A.cols() == 0) {
        return {ModularMatrix(0, A.cols()), {}, {}};
    }
    Borrowed borrowed(p, A);
    Factor factor = factorise(borrowed, A.rows());
    factor.order.resize(static_cast<std::size_t>(factor.rank));
    std::vector<Index> pivots = leading_columns(borrowed.get(), factor.rank);
    const ModularMatrix U = upper_part(borrowed.get(), pivots, A.cols());
    const std::vector<Index> free = other_columns(pivots, A.cols());
    const ModularMatrix F = solve_upper(p, select_columns(U, pivots), select_columns(U, free));
    ModularMatrix R(factor.rank, A.cols());
    for (Index i = 0; i < factor.rank; ++i) {
        R(i, pivots[static_cast<std::size_t>(i)]) = 1;
        for (Index j = 0; j < F.cols(); ++j) {
            R(i, free[static_cast<std::size_t>(j)]) = F(i, j);
        }
    }
    return {std::move(R), std::move(pivots), std::move(factor.order)};
}

std::optional<ModularMatrix> solve(const Modulus& p,
                                   const ModularMatrix& A,
                                   const ModularMatrix& B) {
    require(A.rows() == A.cols() && A.rows() == B.rows(),
            "solve: A is not square or not as tall as B");
    ModularMatrix X(B.rows(), B.cols());
    if (X.rows() == 0) {
        return X;
    }
    Borrowed x(p, X);
    if (nmod_mat_solve(x.get(), Borrowed(p, A).get(), Borrowed(p, B).get()) == 0) {
        return std::nullopt;
    }
    return X;
}

bool is_prime(std::uint64_t n) {
    return n_is_prime(n) != 0;
}

}  // namespace attest
