#include "core/solve/sketched.hpp"

#include "core/algebra/inverse_norm.hpp"
#include "core/algebra/lapack.hpp"
#include "core/base/stop_scope.hpp"
#include "core/features/cubic.hpp"
#include "core/rng/stream.hpp"
#include "core/solve/iterative.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {

namespace {

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
