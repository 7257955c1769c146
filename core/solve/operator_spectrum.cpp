#include "core/solve/operator_spectrum.hpp"

#include "core/algebra/minimum_eigenvalue.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/moments/power_scale.hpp"
#include "core/rng/sample.hpp"
#include "core/solve/coordinates.hpp"
#include "core/solve/feature_operator.hpp"
#include "core/solve/preconditioned.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {

namespace {

/// Of examples of ordinary size.
OperatorSpectrum ordinary_spectrum(const MomentSource& source) {
    const SourceShape shape = source.shape();
    const auto q = static_cast<double>(shape.q());
    require_memory(stored_moments_bytes(shape) + 16.0 * q * q +
                       8.0 * (10.0 * static_cast<double>(shape.psi()) +
                              2.0 * static_cast<double>(shape.num_examples)),
                   formatted("the spectrum by products, psi = {}", shape.psi()),
                   "take fewer examples");
    OperatorSpectrum spectrum;
    const SolveCoordinates coordinates =
        solve_coordinates(source, {0.0, Norm::sym, 1, Coordinates::given});
    spectrum.exponent = 3 * std::ilogb(coordinates.scale);
    const FeatureOperator features(*coordinates.source);
    const auto N = static_cast<double>(shape.num_examples);
    const auto product = [&](const Vector& x) -> Vector {
        return features.apply_transposed(features.apply(x)) / N;
    };
    const auto identity = [](const Vector& g) { return g; };
    // Always the same numbers: the spectrum is a function of the data.
    const Vector start =
        grid_matrix(grid_normal(), shape.psi(), 1, Stream(20241014).child("operator_spectrum"));
    spectrum.lambda_max =
        -minimum_eigenvalue_by_products(start,
                                        [&](const Vector& x) -> Vector { return -product(x); },
                                        identity,
                                        {.tolerance = 1e-3, .max_iterations = 100})
             .value;
    spectrum.threshold = static_cast<double>(std::max(shape.num_examples, shape.psi())) *
                         std::numeric_limits<double>::epsilon() * spectrum.lambda_max;
    if (shape.num_examples < shape.psi()) {
        spectrum.least.converged = true;
        return spectrum;
    }
    const EigenvalueSearch search{.resolution = spectrum.threshold};
    if (!shape.layout.is_full()) {
        spectrum.least = minimum_eigenvalue_by_products(start, product, identity, search);
        return spectrum;
    }
    const KroneckerFactors factors = kronecker_factors(*coordinates.source);
    if (factors.singular_to_rounding()) {
        spectrum.least.converged = true;
        return spectrum;
    }
    const auto precondition = [&](const Vector& g) -> Vector { return N * N * factors.solve(g); };
    spectrum.least = minimum_eigenvalue_by_products(start, product, precondition, search);
    return spectrum;
}

}  // namespace

OperatorSpectrum operator_spectrum(const MomentSource& source) {
    const SequenceSource* const data = source.sequences();
    if (data == nullptr) {
        return ordinary_spectrum(source);
    }
    const PowerScale scale = power_scale(*data, ScaleBy::one_power);
    if (scale.is_identity()) {
        return ordinary_spectrum(source);
    }
    OperatorSpectrum spectrum = ordinary_spectrum(*scaled_source(*data, scale));
    spectrum.exponent += scale.features().front();
    return spectrum;
}

}  // namespace attest
