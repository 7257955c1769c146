#include "core/solve/kronecker.hpp"

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
    return fit_iteratively("kron",
                           coordinates,
                           options,
                           kronecker_preconditioner(factors, shape.num_examples),
                           {2000, 40});
}

Preconditioner kronecker_preconditioner(const KroneckerFactors& factors, Index N) {
    const auto examples = static_cast<double>(N);
    return {[&factors, examples](const Matrix& G) { return Matrix(examples * factors.solve(G)); },
            factors.norm1 / examples,
            factors.s.rcond * factors.u.rcond,
            {}};
}

}  // namespace attest
