#include "core/solve/kronecker.hpp"

#include "core/algebra/lapack.hpp"
#include "core/solve/iterative.hpp"

#include <limits>

namespace attest {

namespace {

/// Σ s sᵀ and Σ z zᵀ, factored.
struct KroneckerFactors {
    CholeskyFactor s;
    CholeskyFactor z;
    double norm1 = 0.0;  ///< of their Kronecker product
};

double symmetric_norm1(const Matrix& lower) {
    const Matrix full = lower.selfadjointView<Eigen::Lower>();
    return full.cwiseAbs().colwise().sum().maxCoeff();
}

KroneckerFactors kronecker_factors(const MomentSource& source) {
    const SourceShape shape = source.shape();
    Matrix ss = Matrix::Zero(packed_dim(shape.d), packed_dim(shape.d));
    Matrix zz = Matrix::Zero(shape.d, shape.d);
    for (Index b = 0; b < shape.num_blocks; ++b) {
        const MomentBatch batch = source.block(b);
        add_syrk(ss, batch.S);
        add_syrk(zz, batch.z);
    }
    return {cholesky(ss), cholesky(zz), symmetric_norm1(ss) * symmetric_norm1(zz)};
}

/// Whether its Cholesky factor may be that of another matrix altogether.
bool singular_to_rounding(const CholeskyFactor& factor) {
    const auto size = static_cast<double>(factor.L.rows());
    return !factor.positive || factor.rcond < size * std::numeric_limits<double>::epsilon();
}

/// (A_s ⊗ A_z)⁻¹ g for every column g of G, read as the d×q matrix with entry (l, pair).
Matrix solve_factors(const KroneckerFactors& factors, const Matrix& G) {
    const Index d = factors.z.L.rows();
    const Index q = factors.s.L.rows();
    Matrix by_pair(q, d * G.cols());
    for (Index a = 0; a < G.cols(); ++a) {
        by_pair.middleCols(a * d, d) =
            cholesky_solve(factors.z, G.col(a).reshaped(d, q)).transpose();
    }
    by_pair = cholesky_solve(factors.s, by_pair);
    Matrix X(G.rows(), G.cols());
    for (Index a = 0; a < G.cols(); ++a) {
        X.col(a) = by_pair.middleCols(a * d, d).transpose().reshaped();
    }
    return X;
}

}  // namespace

LeastSquaresFit fit_kronecker(const MomentSource& source, const SolveOptions& options) {
    const SourceShape shape = source.shape();
    if (shape.num_examples < feature_dim(shape.d) && !(options.ridge > 0.0)) {
        return refusal(
            "kron",
            formatted(
                "N = {} < psi = {}: no unique solution", shape.num_examples, feature_dim(shape.d)));
    }
    const SolveCoordinates coordinates = solve_coordinates(source, options);
    const KroneckerFactors factors = kronecker_factors(*coordinates.source);
    if (singular_to_rounding(factors.s) || singular_to_rounding(factors.z)) {
        return refusal("kron", "S or z alone are rank deficient");
    }
    const auto N = static_cast<double>(shape.num_examples);
    const Preconditioner preconditioner{
        [&factors, N](const Matrix& G) { return Matrix(N * solve_factors(factors, G)); },
        factors.norm1 / N,
        factors.s.rcond * factors.z.rcond,
        {}};
    return fit_iteratively("kron", coordinates, options, preconditioner, {2000, 40});
}

}  // namespace attest
