#include "core/train/prefix_products.hpp"

#include "core/base/error.hpp"

namespace attest {

namespace {

/// Sizes known to the compiler keep the d×d matrix in registers.
template <class Scalar, int D>
struct Products {
    using Square = Eigen::Matrix<Scalar, D, D>;
    using Columns = Eigen::Map<const Eigen::Matrix<Scalar, D, Eigen::Dynamic>>;
    using Result = Eigen::Map<Eigen::Matrix<Scalar, D, Eigen::Dynamic>>;

    static Columns columns(const MatrixOf<Scalar>& A) { return {A.data(), A.rows(), A.cols()}; }

    static MatrixOf<Scalar> prefix(const MatrixOf<Scalar>& given_X,
                                   const MatrixOf<Scalar>& given_U) {
        const Columns X = columns(given_X);
        const Columns U = columns(given_U);
        MatrixOf<Scalar> result(X.rows(), X.cols());
        Result out(result.data(), X.rows(), X.cols());
        Square S = Square::Zero(X.rows(), X.rows());
        for (Index t = 0; t < X.cols(); ++t) {
            S.noalias() += X.col(t) * X.col(t).transpose();
            out.col(t).noalias() = S * U.col(t);
        }
        return result;
    }

    static MatrixOf<Scalar> suffix(const MatrixOf<Scalar>& given_W,
                                   const MatrixOf<Scalar>& given_U,
                                   const MatrixOf<Scalar>& given_X) {
        const Columns W = columns(given_W);
        const Columns U = columns(given_U);
        const Columns X = columns(given_X);
        MatrixOf<Scalar> result(X.rows(), X.cols());
        Result out(result.data(), X.rows(), X.cols());
        Square D_t = Square::Zero(X.rows(), X.rows());
        for (Index t = X.cols() - 1; t >= 0; --t) {
            D_t.noalias() += W.col(t) * U.col(t).transpose();
            D_t.noalias() += U.col(t) * W.col(t).transpose();
            out.col(t).noalias() = D_t * X.col(t);
        }
        return result;
    }
};

/// Calls the function with the sizes of the figures, or with any other.
template <class Scalar, class Function>
MatrixOf<Scalar> with_size(Index d, const Function& function) {
    switch (d) {
        case 2:
            return function(Products<Scalar, 2>());
        case 4:
            return function(Products<Scalar, 4>());
        case 8:
            return function(Products<Scalar, 8>());
        default:
            return function(Products<Scalar, Eigen::Dynamic>());
    }
}

}  // namespace

template <class Scalar>
MatrixOf<Scalar> prefix_products(const MatrixOf<Scalar>& X, const MatrixOf<Scalar>& U) {
    require(X.rows() == U.rows() && X.cols() == U.cols(),
            "prefix_products: the shapes do not match");
    return with_size<Scalar>(X.rows(), [&](auto sized) { return sized.prefix(X, U); });
}

template <class Scalar>
MatrixOf<Scalar> suffix_products(const MatrixOf<Scalar>& W,
                                 const MatrixOf<Scalar>& U,
                                 const MatrixOf<Scalar>& X) {
    require(X.rows() == U.rows() && X.cols() == U.cols() && W.rows() == X.rows() &&
                W.cols() == X.cols(),
            "suffix_products: the shapes do not match");
    return with_size<Scalar>(X.rows(), [&](auto sized) { return sized.suffix(W, U, X); });
}

template MatrixOf<float> prefix_products<float>(const MatrixOf<float>&, const MatrixOf<float>&);
template Matrix prefix_products<double>(const Matrix&, const Matrix&);
template MatrixOf<float> suffix_products<float>(const MatrixOf<float>&,
                                                const MatrixOf<float>&,
                                                const MatrixOf<float>&);
template Matrix suffix_products<double>(const Matrix&, const Matrix&, const Matrix&);

}  // namespace attest
