#include "proofs_check/exact/rational_algebra.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <Eigen/LU>

namespace attest {

namespace {

using Lu = Eigen::FullPivLU<RationalMatrix>;

/// Every nonzero pivot counts: there is no rounding.
Lu factor(const RationalMatrix& A) {
    Lu lu;
    lu.setThreshold(Rational(0));
    lu.compute(A);
    return lu;
}

template <class Entry>
std::string list(Index count, const char* open, const char* close, const Entry& entry) {
    std::string text = open;
    for (Index i = 0; i < count; ++i) {
        text += (i == 0 ? "" : ", ") + entry(i);
    }
    return text + close;
}

}  // namespace

Index rational_rank(const RationalMatrix& A) {
    return A.size() == 0 ? 0 : factor(A).rank();
}

Rational rational_determinant(const RationalMatrix& A) {
    return factor(A).determinant();
}

RationalMatrix rational_inverse(const RationalMatrix& A) {
    const Lu lu = factor(A);
    ensure(lu.isInvertible(), "rational_inverse: the matrix is singular");
    return lu.inverse();
}

RationalMatrix rational_null_space(const RationalMatrix& A) {
    const Lu lu = factor(A);
    if (lu.rank() == A.cols()) {
        return RationalMatrix::Zero(A.cols(), 0);
    }
    return lu.kernel();
}

std::optional<RationalMatrix> rational_solve(const RationalMatrix& A, const RationalMatrix& B) {
    const RationalMatrix X = factor(A).solve(B);
    if (A * X != B) {
        return std::nullopt;
    }
    return X;
}

Definiteness definiteness(RationalMatrix A) {
    Definiteness result{true, 0};
    for (Index k = 0; k < A.rows(); ++k) {
        if (A(k, k) < 0) {
            return {false, 0};
        }
        if (A(k, k) == 0) {
            for (Index i = k + 1; i < A.rows(); ++i) {
                if (A(i, k) != 0) {
                    return {false, 0};
                }
            }
            continue;
        }
        ++result.rank;
        for (Index i = k + 1; i < A.rows(); ++i) {
            const Rational ratio = A(i, k) / A(k, k);
            for (Index j = k + 1; ratio != 0 && j < A.cols(); ++j) {
                A(i, j) -= ratio * A(k, j);
            }
        }
    }
    return result;
}

Rational frobenius(const RationalMatrix& A, const RationalMatrix& B) {
    Rational sum = 0;
    for (Index i = 0; i < A.rows(); ++i) {
        for (Index j = 0; j < A.cols(); ++j) {
            sum += A(i, j) * B(i, j);
        }
    }
    return sum;
}

Rational squared_norm(const RationalMatrix& A) {
    return frobenius(A, A);
}

RationalMatrix random_integers(Index rows, Index cols, Index bound, const Stream& stream) {
    Draws draws(stream);
    RationalMatrix A(rows, cols);
    for (Index j = 0; j < cols; ++j) {
        for (Index i = 0; i < rows; ++i) {
            A(i, j) = Rational(
                static_cast<Index>(draws.below(static_cast<std::uint64_t>(2 * bound + 1))) - bound);
        }
    }
    return A;
}

std::string to_text(const RationalMatrix& A) {
    return list(A.rows(), "[", "]", [&](Index i) {
        return list(A.cols(), "[", "]", [&](Index j) { return A(i, j).str(); });
    });
}

std::string to_text_vector(const RationalVector& v) {
    return list(v.size(), "(", ")", [&](Index i) { return v(i).str(); });
}

}  // namespace attest
