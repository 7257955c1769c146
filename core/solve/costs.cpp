#include "core/solve/costs.hpp"

#include "core/moments/moment_sums.hpp"
#include "core/moments/triangular_factor.hpp"
#include "core/solve/coordinates.hpp"
#include "core/solve/literal.hpp"
#include "core/solve/sketched.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

namespace {

struct Sizes {
    double N;
    double psi;
    double q;
    double o;
};

Sizes sizes(const SourceShape& shape) {
    return {static_cast<double>(shape.num_examples),
            static_cast<double>(shape.psi()),
            static_cast<double>(shape.q()),
            static_cast<double>(shape.o)};
}

/// One application of the features and of their transpose.
double pass(const Sizes& s) {
    return 4.0 * s.N * s.psi * s.o;
}

/// The same where the spread is measured (core/solve/spread.hpp): three more outputs iterate.
double measured_pass(const Sizes& s) {
    return 4.0 * s.N * s.psi * (s.o + 3.0);
}

/// Labels, residual and direction of conjugate gradients, and the moments.
double iteration_bytes(const SourceShape& shape) {
    const Sizes s = sizes(shape);
    return stored_moments_bytes(shape) + 8.0 * s.o * (4.0 * s.N + 6.0 * s.psi);
}

template <class Scalar>
double gram_bytes(const SourceShape& shape) {
    const double psi = sizes(shape).psi;
    // The distinct entries, then beside them the packed triangle.
    const double expansion = sizeof(Scalar) * 0.75 * psi * psi;
    return std::max(moment_sums_bytes<Scalar>(shape, {}), expansion) + iteration_bytes(shape);
}

/// `passes` over the examples' products follow the factorisation.
template <class Scalar>
SolveCost gram_cost(const SourceShape& shape,
                    double WorkByKind::*gram,
                    double WorkByKind::*cholesky,
                    double passes) {
    const Sizes s = sizes(shape);
    SolveCost cost;
    cost.flops.*gram = 0.5 * s.N * s.psi * s.psi;
    cost.flops.*cholesky = s.psi * s.psi * s.psi / 3.0;
    cost.flops.product = passes * pass(s);
    cost.bytes = gram_bytes<Scalar>(shape);
    return cost;
}

SolveCost explicit_cost(const SourceShape& shape, double flops_per_entry, double copies) {
    const Sizes s = sizes(shape);
    const double k = std::min(s.N, s.psi);
    SolveCost cost;
    cost.flops.orthogonal = flops_per_entry * s.N * s.psi * k;
    cost.bytes = 8.0 * (copies * s.N * s.psi + 2.0 * s.o * std::max(s.N, s.psi) + 2.0 * k * k +
                        512.0 * s.psi);
    return cost;
}

}  // namespace

SolveCost gram64_cost(const SourceShape& shape) {
    return gram_cost<double>(shape, &WorkByKind::gram64, &WorkByKind::cholesky64, 3.0);
}

SolveCost gram32_cost(const SourceShape& shape) {
    return gram_cost<float>(shape, &WorkByKind::gram32, &WorkByKind::cholesky32, 4.0);
}

SolveCost kronecker_cost(const SourceShape& shape) {
    const Sizes s = sizes(shape);
    // Iterations measured on Gaussian data: 168, 91, 65, 46 at N/psi = 2, 4, 10, 40.
    const double iterations = 40.0 + 260.0 * s.psi / std::max(s.N, s.psi);
    SolveCost cost;
    cost.flops.product = s.N * s.q * s.q + iterations * measured_pass(s);
    cost.bytes = 16.0 * s.q * s.q + iteration_bytes(shape);
    return cost;
}

SolveCost grouped_cost(const SourceShape& shape) {
    const Sizes s = sizes(shape);
    const Index groups = std::max<Index>(shape.m(), 1);
    SolveCost cost;
    cost.flops.gram64 = 0.5 * s.N * s.q * s.q;
    cost.flops.cholesky64 = static_cast<double>(groups) * s.q * s.q * s.q / 3.0;
    cost.flops.product = 3.0 * 4.0 * s.N * s.q * s.o;
    // The largest group at worst holds all examples but a few; one is solved at a time.
    const SourceShape group{all_products(shape.q(), 1), shape.o, shape.num_examples, 1};
    cost.bytes =
        std::max(gram_bytes<double>(group), triangular_factor_bytes(group)) + 16.0 * s.psi * s.o;
    return cost;
}

SolveCost dual_cost(const SourceShape& shape) {
    const Sizes s = sizes(shape);
    SolveCost cost;
    cost.flops.product = s.N * s.N * s.q + 4.0 * pass(s);
    cost.flops.cholesky64 = s.N * s.N * s.N / 3.0;
    cost.bytes = 32.0 * s.N * s.N + 2.0 * iteration_bytes(shape);
    return cost;
}

SolveCost sketched_cost(const SourceShape& shape) {
    constexpr double kIterations = 55.0;  // a factor of two each, and the restart
    const Sizes s = sizes(shape);
    const double rows = std::min(s.N, kSketchedExamples * s.psi);
    SolveCost cost;
    cost.flops.orthogonal = 3.0 * rows * s.psi * s.psi;
    cost.flops.product = 2.0 * s.psi * s.psi * s.psi + kIterations * measured_pass(s);
    // The sums, their transpose stacked for the QR, and R.
    cost.bytes = 8.0 * s.psi * (3.0 * rows + s.psi) + iteration_bytes(shape);
    return cost;
}

SolveCost tsqr_cost(const SourceShape& shape) {
    const Sizes s = sizes(shape);
    SolveCost cost;
    cost.flops.orthogonal = 3.0 * s.N * s.psi * std::min(s.N, s.psi);
    cost.bytes = triangular_factor_bytes(shape);
    return cost;
}

SolveCost svd_cost(const SourceShape& shape) {
    const Sizes s = sizes(shape);
    const double rank = std::min(s.psi, s.N);
    SolveCost cost = tsqr_cost(shape);
    cost.flops.orthogonal += 20.0 * s.psi * rank * rank;
    cost.bytes += 8.0 * 6.0 * s.psi * rank;
    return cost;
}

SolveCost normal_cost(const SourceShape& shape) {
    const Sizes s = sizes(shape);
    SolveCost cost;
    cost.flops.product = s.N * s.psi * s.psi;
    cost.flops.cholesky64 = s.psi * s.psi * s.psi / 3.0;
    cost.bytes = 8.0 * s.psi * (3.0 * s.psi + 512.0);
    return cost;
}

SolveCost gels_cost(const SourceShape& shape) {
    return explicit_cost(shape, 2.0, 1.0);
}

SolveCost gelsy_cost(const SourceShape& shape) {
    return explicit_cost(shape, 4.0, 1.0);
}

SolveCost gelsd_cost(const SourceShape& shape) {
    return explicit_cost(shape, 5.0, 1.5);
}

SolveCost bdcsvd_cost(const SourceShape& shape) {
    return explicit_cost(shape, 8.0, 3.0);
}

SolveCost literal_cost(const SourceShape& shape) {
    const auto unknowns = static_cast<double>(shape.o * shape.m() * shape.m() * shape.m());
    const auto rows = static_cast<double>(shape.num_examples * shape.o);
    SolveCost cost;
    cost.flops.orthogonal = 6.0 * rows * unknowns * std::min(rows, unknowns);
    cost.bytes = literal_bytes(shape);
    return cost;
}

SolveCost reference_cost(const SourceShape& shape) {
    const Sizes s = sizes(shape);
    const double k = std::min(s.N, s.psi);
    SolveCost cost;
    cost.flops.multiprecision = s.N * s.psi * k + k * k * k / 3.0;
    cost.bytes = 64.0 * (3.0 * s.N * s.psi + k * k);
    return cost;
}

}  // namespace attest
