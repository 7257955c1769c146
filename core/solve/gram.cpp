#include "core/solve/gram.hpp"

#include "core/algebra/packed_cholesky.hpp"
#include "core/moments/moment_sums.hpp"
#include "core/rng/sample.hpp"
#include "core/solve/iterative.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace attest {

namespace {

template <class Scalar>
struct FactoredGram {
    PackedCholeskyOf<Scalar> factor;
    Matrix cross;        ///< Σ H yᵀ
    double trace = 0.0;  ///< of the matrix that was factored
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
    const double ridge = summed_ridge(source, options, coordinates);
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

/// ‖M⁻¹‖₂ by the power method from a random vector, divided by one less the relative error that it
/// has in the mean after k steps at most, 0.871 ln ψ/(k − 1) (Kuczyński & Woźniakowski 1992).
template <class Scalar>
double inverse_norm2(const PackedCholeskyOf<Scalar>& factor) {
    constexpr int kSteps = 14;
    const Stream stream = Stream(20241014).child("gram").child("power");  // always the same
    const MatrixOf<double> start = grid_matrix(grid_normal(), factor.n, 1, stream);
    MatrixOf<Scalar> x = start.template cast<Scalar>();
    double found = 0.0;
    for (int step = 0; step < kSteps; ++step) {
        x /= x.norm();
        const MatrixOf<Scalar> y = factor.solve(x);
        found = static_cast<double>(x.col(0).dot(y.col(0)));
        x = y;
    }
    const double missed = 0.871 * std::log(static_cast<double>(factor.n)) / (kSteps - 1);
    return missed < 1.0 ? found / (1.0 - missed) : std::numeric_limits<double>::infinity();
}

/// ‖M^{-1/2}(G − M)M^{-1/2}‖₂ for the factored M. G is formed with errors of at most
/// γ_m Σ |H||H|ᵀ (moment_sums.hpp) and factored with γ_{ψ+1} |L||L|ᵀ (Higham 2002, theorem 10.3);
/// the norms of both products are at most the trace, and √m stands for m as in accuracy.hpp.
template <class Scalar>
double departure(const FactoredGram<Scalar>& gram, const SourceShape& shape) {
    constexpr double kUnit = static_cast<double>(std::numeric_limits<Scalar>::epsilon()) / 2.0;
    const double roundings = std::sqrt(static_cast<double>(moment_sums_operations(shape))) +
                             std::sqrt(static_cast<double>(shape.psi() + 1));
    const double share = roundings * kUnit * gram.trace;
    const double quick = share / (gram.factor.norm1 * gram.factor.rcond);
    // ‖M⁻¹‖₁ is up to √ψ times too large, and to measure the spread takes as long as to solve.
    return quick < kKnownDeparture ? quick : std::min(quick, share * inverse_norm2(gram.factor));
}

/// M⁻¹ G in Scalar, G first brought to size 1.
template <class Scalar>
Matrix solve_in(const PackedCholeskyOf<Scalar>& factor, const Matrix& G) {
    const double size = G.cwiseAbs().maxCoeff();
    if (!(size > 0.0)) {
        return Matrix::Zero(G.rows(), G.cols());
    }
    const MatrixOf<Scalar> scaled = (G / size).template cast<Scalar>();
    return factor.solve(scaled).template cast<double>() * size;
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
    const Preconditioner preconditioner{[&factor](const Matrix& G) { return solve_in(factor, G); },
                                        factor.norm1,
                                        factor.rcond,
                                        std::move(gram.cross),
                                        departure(gram, shape)};
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
