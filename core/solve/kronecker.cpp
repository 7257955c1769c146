#include "core/solve/kronecker.hpp"

#include "core/solve/iterative.hpp"
#include "core/solve/kronecker_factors.hpp"

namespace attest {

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
    const KroneckerFactors factors = kronecker_factors(*coordinates.source);
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
