#include "core/solve/preconditioned.hpp"

#include "core/algebra/inverse_norm.hpp"
#include "core/algebra/lapack.hpp"
#include "core/algebra/packed_cholesky.hpp"
#include "core/base/interrupt.hpp"
#include "core/features/cubic.hpp"
#include "core/moments/moment_sums.hpp"
#include "core/rng/stream.hpp"
#include "core/solve/accuracy.hpp"
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

double symmetric_norm1(const Matrix& lower) {
    const Matrix full = lower.selfadjointView<Eigen::Lower>();
    return full.cwiseAbs().colwise().sum().maxCoeff();
}

bool may_be_singular(const CholeskyFactor& factor) {
    const auto size = static_cast<double>(factor.L.rows());
    return !factor.positive || factor.rcond < size * std::numeric_limits<double>::epsilon();
}

/// Sums that an example is in.
constexpr Index kCopies = 8;

/// ψ×m: column r is the sum of the examples that hash to it, each with its sign. Always the same
/// hashes: a solver is a function of its data.
Matrix sums_of_examples(const MomentSource& source, Index m) {
    const SourceShape shape = source.shape();
    const double share = 1.0 / std::sqrt(static_cast<double>(kCopies));
    Draws draws(Stream(20241014).child("sketch"));
    Matrix sums = Matrix::Zero(shape.psi(), m);
    for (Index b = 0; b < shape.num_blocks; ++b) {
        throw_if_stopped("sketch");
        const Matrix H = feature_columns(source.block(b), shape.layout);
        for (Index i = 0; i < H.cols(); ++i) {
            for (Index copy = 0; copy < kCopies; ++copy) {
                const std::uint64_t draw = draws.below(2 * static_cast<std::uint64_t>(m));
                const auto at = static_cast<Index>(draw / 2);
                sums.col(at) += (draw % 2 == 0 ? share : -share) * H.col(i);
            }
        }
    }
    return sums;
}

/// R with RᵀR ≈ Σ H Hᵀ + ridge·W².
Matrix sketched_factor(const MomentSource& source, double ridge, const Vector& weights) {
    const SourceShape shape = source.shape();
    const auto m = static_cast<Index>(kSketchedExamples * static_cast<double>(shape.psi()));
    const bool few = shape.num_examples <= m;
    const Matrix rows =
        few ? feature_columns(collect(source), shape.layout) : sums_of_examples(source, m);
    Matrix R(0, shape.psi());
    if (ridge > 0.0) {
        R = (std::sqrt(ridge) * weights).asDiagonal().toDenseMatrix();
    }
    return stack_qr(R, rows.transpose());
}

/// ‖RᵀR‖₁, some columns at a time.
double norm1_of_gram(const Matrix& R) {
    constexpr Index kColumns = 256;
    double norm = 0.0;
    for (Index first = 0; first < R.cols(); first += kColumns) {
        const Index count = std::min(kColumns, R.cols() - first);
        const Matrix block = R.transpose() * R.middleCols(first, count);
        norm = std::max(norm, block.cwiseAbs().colwise().sum().maxCoeff());
    }
    return norm;
}

}  // namespace

LeastSquaresFit fit_gram64(const MomentSource& source, const SolveOptions& options) {
    return fit_gram<double>("gram64", source, options);
}

LeastSquaresFit fit_gram32(const MomentSource& source, const SolveOptions& options) {
    return fit_gram<float>("gram32", source, options);
}

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

KroneckerFactors kronecker_factors(const Matrix& ss, const Matrix& uu) {
    return {cholesky(ss), cholesky(uu), symmetric_norm1(ss) * symmetric_norm1(uu)};
}

bool KroneckerFactors::singular_to_rounding() const {
    return may_be_singular(s) || may_be_singular(u);
}

Matrix KroneckerFactors::solve(const Matrix& G) const {
    const Index m = u.L.rows();
    const Index q = s.L.rows();
    Matrix by_state(q, m * G.cols());
    for (Index a = 0; a < G.cols(); ++a) {
        by_state.middleCols(a * m, m) = cholesky_solve(u, G.col(a).reshaped(m, q)).transpose();
    }
    by_state = cholesky_solve(s, by_state);
    Matrix X(G.rows(), G.cols());
    for (Index a = 0; a < G.cols(); ++a) {
        X.col(a) = by_state.middleCols(a * m, m).transpose().reshaped();
    }
    return X;
}

KroneckerFactors kronecker_factors(const MomentSource& source) {
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

LeastSquaresFit fit_sketched(const MomentSource& source, const SolveOptions& options) {
    const SourceShape shape = source.shape();
    if (shape.num_examples < shape.psi() && !(options.ridge > 0.0)) {
        return refusal(
            "sketch",
            formatted("N = {} < psi = {}: no unique solution", shape.num_examples, shape.psi()));
    }
    const SolveCoordinates coordinates = solve_coordinates(source, options);
    const double ridge = summed_ridge(shape.num_examples, options, coordinates);
    const Matrix R =
        sketched_factor(*coordinates.source, ridge, norm_weights(shape.layout, options.norm));
    const double rcond = triangular_rcond(R);
    if (rcond < static_cast<double>(shape.psi()) * std::numeric_limits<double>::epsilon()) {
        return refusal(
            "sketch",
            formatted("the sketch is numerically rank deficient, 1/cond = {}", round_trip(rcond)));
    }
    const auto solve = [&R](const Matrix& G) {
        const auto upper = R.triangularView<Eigen::Upper>();
        return Matrix(upper.solve(upper.transpose().solve(G)));
    };
    const double norm1 = norm1_of_gram(R);
    const Preconditioner preconditioner{
        solve, norm1, 1.0 / (norm1 * inverse_norm1<double>(shape.psi(), solve)), {}};
    return fit_iteratively("sketch", coordinates, options, preconditioner, {200, 20});
}

}  // namespace attest
