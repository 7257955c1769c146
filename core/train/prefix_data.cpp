#include "core/train/prefix_data.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace attest {

template <class Scalar>
PrefixData<Scalar> prefix_data(const Dataset& data) {
    check(data);
    require(data.labels != LabelKind::none, "prefix_data: got no labels, expected some");
    const Index T = data.length(0);
    for (Index i = 0; i < data.num_sequences(); ++i) {
        require(data.length(i) == T,
                "prefix_data: sequence {} has {} tokens, expected {} as in sequence 0",
                i,
                data.length(i),
                T);
    }
    PrefixData<Scalar> result;
    result.d = data.d();
    result.o = data.o();
    result.length = T;
    result.num_sequences = data.num_sequences();
    result.labelled = data.labels == LabelKind::per_prefix ? T : 1;
    result.tokens = data.tokens.view().cast<Scalar>();
    result.y = data.y.cast<Scalar>();
    result.label_power = data.y.squaredNorm() / static_cast<double>(data.y.cols());
    require(result.label_power > 0.0, "prefix_data: every label is zero, nothing can be learned");
    return result;
}

template <class Scalar>
void require_every_prefix(const PrefixData<Scalar>& data, std::string_view who) {
    require(data.labelled == data.length,
            "{}: got one label a sequence, expected one after every token",
            who);
}

template PrefixData<float> prefix_data<float>(const Dataset&);
template PrefixData<double> prefix_data<double>(const Dataset&);
template void require_every_prefix<float>(const PrefixData<float>&, std::string_view);
template void require_every_prefix<double>(const PrefixData<double>&, std::string_view);

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
