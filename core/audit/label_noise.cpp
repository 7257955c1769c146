#include "core/audit/label_noise.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

namespace {

/// Without labels: one output.
double outputs(const FactoredSource& data) {
    return static_cast<double>(std::max<Index>(data.source().shape().o, 1));
}

/// σ², where a double holds it.
double squared_noise(double sigma) {
    const double square = sigma * sigma;
    require(is_zero(sigma) || std::isnormal(square),
            "certify: the square of the noise {} leaves the range of doubles; bring the labels "
            "nearer to 1 by a power of two",
            round_trip(sigma));
    return square;
}

double estimated_noise(const FactoredSource& data) {
    const std::optional<double> sigma = noise_estimate(data);
    require(sigma.has_value(),
            "certify: --noise cannot be estimated without labels or with N <= psi; give --noise S");
    return *sigma;
}

}  // namespace

std::optional<double> noise_estimate(const FactoredSource& data) {
    const SourceShape shape = data.source().shape();
    const auto N = static_cast<double>(shape.num_examples);
    const auto psi = static_cast<double>(shape.psi());
    if (shape.o == 0 || N <= psi) {
        return std::nullopt;
    }
    return std::ldexp(std::sqrt(data.factor().residual * N / ((N - psi) * outputs(data))),
                      data.scaled().scale.labels);
}

OutOfDistribution risk_elsewhere(const FactoredSource& data,
                                 const Dataset& other,
                                 std::string_view name,
                                 std::optional<double> sigma) {
    const SourceShape shape = data.source().shape();
    const SequenceSource* const tokens = data.source().sequences();
    const Index d = tokens == nullptr ? other.d() : tokens->shape().d;
    require(other.d() == d, "{}: tokens have {} entries, the data {}", name, other.d(), d);
    require(other.layout() == shape.layout,
            "{}: examples have {} features, the data {}",
            name,
            other.layout().psi(),
            shape.psi());
    const auto N = static_cast<double>(shape.num_examples);
    const double noise = sigma ? *sigma : estimated_noise(data);
    const double trace = data.leverage().mean(*data.in_its_units(other));
    return {noise, trace, squared_noise(noise) * outputs(data) * trace / N};
}

TruthDistance distance_to_truth(const FactoredSource& data, const Dataset& queries, double sigma) {
    constexpr double kDelta = 0.05;
    (void)squared_noise(sigma);
    const auto N = static_cast<double>(data.source().shape().num_examples);
    const double degrees = static_cast<double>(data.leverage().rank()) * outputs(data);
    const double energy = projected_noise_bound(sigma, degrees, kDelta);
    const Vector leverages = data.leverage().of(*data.in_its_units(queries));
    return {sigma,
            1.0 - kDelta,
            (energy / N * leverages.array()).sqrt(),
            std::sqrt(energy / N * leverages.maxCoeff())};
}

}  // namespace attest
