#include "core/solve/kronecker.hpp"

#include "core/algebra/lapack.hpp"
#include "core/solve/iterative.hpp"
#include "core/solve/kronecker_factors.hpp"

namespace attest {

namespace {

KroneckerFactors factors_of(const MomentSource& source) {
    const SourceShape shape = source.shape();
    Matrix ss = Matrix::Zero(shape.q(), shape.q());
    Matrix uu = Matrix::Zero(shape.m(), shape.m());
    for (Index b = 0; b < shape.num_blocks; ++b) {
        const MomentBatch batch = source.block(b);
        add_syrk(ss, batch.S);
        add_syrk(uu, batch.u);
    }
    return kronecker_factors(ss, uu);
}

}  // namespace

LeastSquaresFit fit_kronecker(const MomentSource& source, const SolveOptions& options) {
    const SourceShape shape = source.shape();
    if (shape.num_examples < shape.psi() && !(options.ridge > 0.0)) {
        return refusal(
            "kron",
            formatted("N = {} < psi = {}: no unique solution", shape.num_examples, shape.psi()));
    }
    if (!shape.layout.is_full()) {
        return refusal("kron", "the features are not all products of s and u");
    }
    const SolveCoordinates coordinates = solve_coordinates(source, options);
    const KroneckerFactors factors = factors_of(*coordinates.source);
    if (factors.singular_to_rounding()) {
        return refusal("kron", "s or u alone are rank deficient");
    }
    const auto N = static_cast<double>(shape.num_examples);
    const Preconditioner preconditioner{
        [&factors, N](const Matrix& G) { return Matrix(N * factors.solve(G)); },
        factors.norm1 / N,
        factors.s.rcond * factors.u.rcond,
        {}};
    return fit_iteratively("kron", coordinates, options, preconditioner, {2000, 40});
}

}  // namespace attest
