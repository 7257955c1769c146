#include "core/solve/gram.hpp"

#include "core/algebra/packed_cholesky.hpp"
#include "core/moments/moment_sums.hpp"
#include "core/solve/gram_departure.hpp"
#include "core/solve/iterative.hpp"

#include <limits>
#include <utility>

namespace attest {

namespace {

template <class Scalar>
struct FactoredGram {
    PackedCholeskyOf<Scalar> factor;
    Matrix cross;        ///< Σ H yᵀ
    double trace = 0.0;  ///< of the matrix that was factored

    [[nodiscard]] FactoredMatrixOf<Scalar> facts() const {
        return {factor.n, trace, factor.norm1, factor.rcond, [this](const MatrixOf<Scalar>& B) {
                    return factor.solve(B);
                }};
    }
};

template <class Scalar>
FactoredGram<Scalar> factored_gram(const SolveCoordinates& coordinates,
                                   const SolveOptions& options) {
    const MomentSource& source = *coordinates.source;
    const FeatureLayout layout = source.shape().layout;
    const Index psi = layout.psi();
    VectorOf<Scalar> G;
    Matrix cross;
    {
        MomentSumsOf<Scalar> sums = moment_sums<Scalar>(source, {options.threads});
        G = sums.gram.rectangular_packed(options.threads);
        cross = std::move(sums.cross);
    }
    const double ridge = summed_ridge(source.shape().num_examples, options, coordinates);
    if (ridge > 0.0) {
        const Vector weights = norm_weights(layout, options.norm);
        for (Index i = 0; i < psi; ++i) {
            G(rectangular_packed_index(psi, i, i)) +=
                static_cast<Scalar>(ridge * weights(i) * weights(i));
        }
    }
    double trace = 0.0;
    for (Index i = 0; i < psi; ++i) {
        trace += static_cast<double>(G(rectangular_packed_index(psi, i, i)));
    }
    return {packed_cholesky<Scalar>(std::move(G), psi), std::move(cross), trace};
}

template <class Scalar>
LeastSquaresFit fit_gram(std::string_view name,
                         const MomentSource& source,
                         const SolveOptions& options) {
    const SourceShape shape = source.shape();
    const Index psi = shape.psi();
    if (shape.num_examples < psi && !(options.ridge > 0.0)) {
        return refusal(name,
                       formatted("N = {} < psi = {}: no unique solution", shape.num_examples, psi));
    }
    const SolveCoordinates coordinates = solve_coordinates(source, options);
    constexpr auto kEpsilon = static_cast<double>(std::numeric_limits<Scalar>::epsilon());
    FactoredGram<Scalar> gram = factored_gram<Scalar>(coordinates, options);
    const PackedCholeskyOf<Scalar>& factor = gram.factor;
    if (!factor.positive || factor.rcond < kEpsilon) {
        return refusal(name,
                       formatted("the second moment is singular to this precision, 1/cond = {}",
                                 round_trip(factor.rcond)));
    }
    const FactoredMatrixOf<Scalar> facts = gram.facts();
    const Preconditioner preconditioner{[&facts](const Matrix& G) { return solve_in(facts, G); },
                                        factor.norm1,
                                        factor.rcond,
                                        std::move(gram.cross),
                                        gram_departure(facts, shape)};
    return fit_iteratively(name, coordinates, options, preconditioner, {30, 2});
}

}  // namespace

LeastSquaresFit fit_gram64(const MomentSource& source, const SolveOptions& options) {
    return fit_gram<double>("gram64", source, options);
}

LeastSquaresFit fit_gram32(const MomentSource& source, const SolveOptions& options) {
    return fit_gram<float>("gram32", source, options);
}

}  // namespace attest
