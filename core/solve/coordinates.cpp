#include "core/solve/coordinates.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/memory.hpp"
#include "core/moments/stored_source.hpp"
#include "core/moments/whitening.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attest {

namespace {

double all_moments_bytes(const SourceShape& shape) {
    return 8.0 * static_cast<double>(shape.num_examples) *
           static_cast<double>(shape.q() + shape.m() + shape.o);
}

bool fit_in_memory(const SourceShape& shape) {
    return 2.0 * all_moments_bytes(shape) <= memory_limit();
}

double query_power(const MomentSource& source) {
    double power = 0.0;
    for (Index b = 0; b < source.shape().num_blocks; ++b) {
        power += source.block(b).u.squaredNorm();
    }
    return power;
}

/// The power of two nearest below the root mean square of a query's entries; 1 for zeros.
double query_scale(double power, Index entries) {
    const double mean = power / static_cast<double>(entries);
    return mean > 0.0 && std::isfinite(mean) ? std::ldexp(1.0, std::ilogb(std::sqrt(mean))) : 1.0;
}

/// ‖L⁻¹‖₂. Not from the least singular value of L, which is lost in rounding where coordinates are
/// of very different size: substitution is accurate row by row (Higham 2002, §8.2).
double inverse_norm(const Matrix& L) {
    const Matrix identity = Matrix::Identity(L.rows(), L.cols());
    return singular_values(whiten_tokens<double>(L, identity))(0);
}

std::unique_ptr<const MomentSource> stored(std::unique_ptr<const MomentSource> source,
                                           int threads) {
    auto merged = std::make_unique<MergedSource>(std::move(source));
    if (fit_in_memory(merged->shape())) {
        return std::make_unique<StoredSource>(*merged, threads);
    }
    return merged;
}

}  // namespace

SolveCoordinates whitened_coordinates(const Matrix& L) {
    return {nullptr, L, singular_values(L)(0) * inverse_norm(L), 0.0};
}

SolveCoordinates scaled_coordinates(double query_power, Index m, Index N) {
    const double c = query_scale(query_power, N * m);
    return {nullptr, c * Matrix::Identity(m, m), 1.0, c};
}

double stored_moments_bytes(const SourceShape& shape) {
    constexpr double kBlock = 1024.0;
    const double all = all_moments_bytes(shape);
    const auto N = static_cast<double>(std::max<Index>(shape.num_examples, 1));
    return fit_in_memory(shape) ? all : all * std::min(1.0, kBlock / N);
}

SolveCoordinates solve_coordinates(const MomentSource& source, const SolveOptions& options) {
    const SequenceSource* const data = source.sequences();
    if (data != nullptr && data->shape().layer.is_linear() &&
        options.coordinates == Coordinates::whitened && !(options.ridge > 0.0)) {
        const Whitening whitening = token_whitening(*data);
        if (whitening.rcond > 0.0) {
            SolveCoordinates result = whitened_coordinates(whitening.L);
            result.source =
                stored(std::make_unique<WhitenedSource>(*data, whitening.L), options.threads);
            return result;
        }
    }
    const SourceShape shape = source.shape();
    SolveCoordinates result =
        scaled_coordinates(query_power(source), shape.m(), shape.num_examples);
    result.source =
        stored(std::make_unique<ScaledSource>(source, 1.0 / result.scale), options.threads);
    return result;
}

Matrix back_to_tokens(const Matrix& P, const SolveCoordinates& coordinates) {
    const double c = coordinates.scale;
    return c > 0.0 ? P / (c * c * c) : unwhiten_coefficients<double>(P, coordinates.L);
}

double error_growth(const Matrix& whitened_P,
                    const Matrix& P,
                    const SolveCoordinates& coordinates) {
    if (coordinates.scale > 0.0) {
        return 1.0;
    }
    const Index d = coordinates.L.rows();
    const double inverse = inverse_norm(coordinates.L);
    const double size = coefficient_norm(P, d, Norm::sym);
    const double before = coefficient_norm(whitened_P, d, Norm::sym);
    return size > 0.0 ? inverse * inverse * inverse * before / size : 1.0;
}

}  // namespace attest
