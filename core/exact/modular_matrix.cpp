#include "core/exact/modular_matrix.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/exact/float_product.hpp"

#include <flint/nmod_mat.h>
#include <flint/ulong_extras.h>

#include <algorithm>
#include <utility>

namespace attest {

// Only core/exact talks to FLINT (and record/library_versions.cpp asks for its version).

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
    std::vector<slong> order(static_cast<std::size_t>(A.rows()));
    return nmod_mat_lu(order.data(), Borrowed(p, A).get(), 0);
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): as above
Echelon reduced_row_echelon(const Modulus& p, ModularMatrix A) {
    if (A.rows() == 0 || A.cols() == 0) {
        return {ModularMatrix(0, A.cols()), {}, {}};
    }
    Borrowed borrowed(p, A);
    std::vector<slong> columns(static_cast<std::size_t>(A.cols()));  // those of the pivots first
    std::vector<slong> order(static_cast<std::size_t>(A.rows()));
    const Index rank = _nmod_mat_rref(borrowed.get(), columns.data(), order.data());
    ModularMatrix R(rank, A.cols());
    for (Index i = 0; i < rank; ++i) {
        std::copy_n(borrowed.get()->rows[i], A.cols(), R.row(i));
    }
    return {std::move(R),
            {columns.begin(), columns.begin() + rank},
            {order.begin(), order.begin() + rank}};
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

ModularMatrix::ModularMatrix(Index rows, Index cols)
    : rows_(rows), cols_(cols), entries_(static_cast<std::size_t>(rows * cols), 0) {}

ModularMatrix transpose(const ModularMatrix& A) {
    ModularMatrix T(A.cols(), A.rows());
    for (Index i = 0; i < A.rows(); ++i) {
        for (Index j = 0; j < A.cols(); ++j) {
            T(j, i) = A(i, j);
        }
    }
    return T;
}

ModularMatrix select_columns(const ModularMatrix& A, const std::vector<Index>& columns) {
    ModularMatrix B(A.rows(), static_cast<Index>(columns.size()));
    for (Index i = 0; i < A.rows(); ++i) {
        Residue* to = B.row(i);
        for (const Index column : columns) {
            *to++ = A(i, column);
        }
    }
    return B;
}

ModularMatrix select_rows(const ModularMatrix& A, const std::vector<Index>& rows) {
    ModularMatrix B(static_cast<Index>(rows.size()), A.cols());
    Index at = 0;
    for (const Index i : rows) {
        std::copy_n(A.row(i), A.cols(), B.row(at++));
    }
    return B;
}

ModularMatrix stack(const ModularMatrix& A, const ModularMatrix& B) {
    ModularMatrix C(A.rows() + B.rows(), B.cols());
    for (Index i = 0; i < A.rows(); ++i) {
        std::copy_n(A.row(i), A.cols(), C.row(i));
    }
    for (Index i = 0; i < B.rows(); ++i) {
        std::copy_n(B.row(i), B.cols(), C.row(A.rows() + i));
    }
    return C;
}

std::vector<Index> other_columns(const std::vector<Index>& columns, Index cols) {
    std::vector<bool> taken(static_cast<std::size_t>(cols), false);
    for (const Index column : columns) {
        taken[static_cast<std::size_t>(column)] = true;
    }
    std::vector<Index> others;
    for (Index j = 0; j < cols; ++j) {
        if (!taken[static_cast<std::size_t>(j)]) {
            others.push_back(j);
        }
    }
    return others;
}

}  // namespace attest
