#include "proofs_check/exact/singular_heads.hpp"

#include "core/exact/reals.hpp"

#include <Eigen/SVD>

namespace attest {

template <class Scalar>
ParametersOf<Scalar> singular_heads(const MatrixOf<Scalar>& W, Index d) {
    using std::sqrt;
    const Eigen::JacobiSVD<MatrixOf<Scalar>> svd(W, Eigen::ComputeThinU | Eigen::ComputeThinV);
    ParametersOf<Scalar> theta{d, W.rows() / d, {}};
    for (Index h = 0; h < svd.rank(); ++h) {
        const Scalar scale = sqrt(svd.singularValues()(h));
        const VectorOf<Scalar> left = svd.matrixU().col(h) * scale;
        const VectorOf<Scalar> right = svd.matrixV().col(h) * scale;
        theta.heads.push_back({fold<Scalar>(left, theta.o, d), fold<Scalar>(right, d, d)});
    }
    return theta;
}

template ParametersOf<double> singular_heads<double>(const Matrix&, Index);
template ParametersOf<Real50> singular_heads<Real50>(const MatrixOf<Real50>&, Index);
template ParametersOf<Real100> singular_heads<Real100>(const MatrixOf<Real100>&, Index);

}  // namespace attest
