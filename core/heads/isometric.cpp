#include "core/heads/isometric.hpp"

#include "core/features/coefficients.hpp"

namespace attest {

Matrix isometric(const Matrix& P, Index d) {
    require(P.rows() == feature_dim(d), "isometric: P does not have psi(d) rows");
    return norm_weights(d, Norm::sym).asDiagonal() * P;
}

Matrix from_isometric(const Matrix& p, Index d) {
    require(p.rows() == feature_dim(d), "from_isometric: p does not have psi(d) rows");
    return norm_weights(d, Norm::sym).cwiseInverse().asDiagonal() * p;
}

}  // namespace attest
