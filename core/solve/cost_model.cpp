#include "core/solve/cost_model.hpp"

#include "core/algebra/lapack.hpp"
#include "core/algebra/packed_cholesky.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/exact/reals.hpp"
#include "core/moments/moment_sums.hpp"
#include "core/moments/stored_source.hpp"
#include "core/moments/triangular_factor.hpp"
#include "core/rng/sample.hpp"
#include "core/solve/coordinates.hpp"
#include "core/solve/explicit_features.hpp"
#include "core/solve/feature_operator.hpp"
#include "core/solve/preconditioned.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <ctime>

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

/// The same where the spread is measured (core/solve/accuracy.hpp): three more outputs iterate.
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

struct Kind {
    std::string_view name;
    double WorkByKind::*member;
};

constexpr std::array kKinds{Kind{"gram64", &WorkByKind::gram64},
                            Kind{"gram32", &WorkByKind::gram32},
                            Kind{"product", &WorkByKind::product},
                            Kind{"cholesky64", &WorkByKind::cholesky64},
                            Kind{"cholesky32", &WorkByKind::cholesky32},
                            Kind{"orthogonal", &WorkByKind::orthogonal},
                            Kind{"multiprecision", &WorkByKind::multiprecision}};

std::string environment(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

constexpr Index kDimension = 12;

/// Flops a second of `work`, repeated for a quarter of a second of processor time, which other
/// programs on the machine do not shorten.
template <class Work>
double rate(double flops, const Work& work) {
    const std::clock_t start = std::clock();
    double seconds = 0.0;
    double done = 0.0;
    while (seconds < 0.25) {
        work();
        done += flops;
        seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    }
    return done / seconds;
}

Dataset tokens(Index num_sequences) {
    Dataset data;
    const Stream stream = Stream(0).child("calibrate");
    data.tokens = grid_matrix(grid_normal(), kDimension, 2 * num_sequences, stream.child("tokens"));
    data.labels = LabelKind::per_sequence;
    data.y = grid_matrix(grid_normal(), kDimension, num_sequences, stream.child("labels"));
    for (Index i = 0; i <= num_sequences; ++i) {
        data.offsets.push_back(2 * i);
    }
    return data;
}

template <class Scalar>
double cholesky_rate(Index n) {
    VectorOf<Scalar> A = VectorOf<Scalar>::Constant(packed_dim(n), Scalar(1));
    for (Index i = 0; i < n; ++i) {
        A(rectangular_packed_index(n, i, i)) = static_cast<Scalar>(2 * n);
    }
    const auto cube = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
    return rate(cube / 3.0, [&] { (void)packed_cholesky<Scalar>(A, n); });
}

double multiprecision_rate() {
    constexpr int kSteps = 20000;
    Real50 product = 1;
    const Real50 factor = Real50(1) + Real50(1) / 3;
    return rate(2.0 * kSteps, [&] {
        for (int i = 0; i < kSteps; ++i) {
            product = product * factor - factor;
        }
    });
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

Rates built_in_rates() {
    return {{40e9, 73e9, 36e9, 27e9, 46e9, 35e9, 38e6}, "built in"};
}

std::string rates_path() {
    const std::string cache = environment("XDG_CACHE_HOME");
    const std::string home = environment("HOME");
    if (!cache.empty()) {
        return cache + "/attest/rates.txt";
    }
    return home.empty() ? "" : home + "/.cache/attest/rates.txt";
}

std::string to_text(const WorkByKind& per_second) {
    std::string text = "# attest rates 1: flops a second of one thread\n";
    for (const Kind& kind : kKinds) {
        text += formatted("{} {}\n", kind.name, round_trip(per_second.*kind.member));
    }
    return text;
}

WorkByKind rates_from_text(const std::string& text, const std::string& origin) {
    WorkByKind rates;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line.front() == '#') {
            continue;
        }
        std::istringstream words(line);
        std::string name;
        double value = 0.0;
        const bool read = static_cast<bool>(words >> name >> value) && value > 0.0;
        bool known = false;
        for (const Kind& kind : kKinds) {
            if (read && kind.name == name) {
                rates.*kind.member = value;
                known = true;
            }
        }
        require(known,
                "{}: got '{}', expected a kind of work and its rate; run attest doctor --calibrate",
                origin,
                line);
    }
    for (const Kind& kind : kKinds) {
        require(rates.*kind.member > 0.0,
                "{}: no rate for {}; run attest doctor --calibrate",
                origin,
                kind.name);
    }
    return rates;
}

Rates current_rates() {
    const std::string chosen = environment("ATTEST_RATES");
    const std::string path = chosen.empty() ? rates_path() : chosen;
    if (!is_there(path)) {
        require(chosen.empty(), "ATTEST_RATES: {} cannot be read", chosen);
        return built_in_rates();
    }
    return {rates_from_text(read_text_file(path), path), path};
}

double machine_speed() {
    return current_rates().per_second.product / built_in_rates().per_second.product;
}

double predicted_seconds(const SolveCost& cost, const Rates& rates, int threads) {
    double seconds = 0.0;
    for (const Kind& kind : kKinds) {
        seconds += cost.flops.*kind.member / (rates.per_second.*kind.member);
    }
    return seconds / static_cast<double>(threads);
}

WorkByKind measure_rates() {
    constexpr Index kExamples = 2048;
    const Dataset data = tokens(kExamples);
    const StoredSource source(MergedSource(std::make_unique<DatasetSource>(data)), 1);
    const auto psi = static_cast<double>(feature_dim(kDimension));
    const double gram = 0.5 * static_cast<double>(kExamples) * psi * psi;
    const Matrix P = Matrix::Ones(feature_dim(kDimension), kDimension);
    const FeatureOperator features(source);
    WorkByKind rates;
    rates.gram64 = rate(gram, [&] { (void)moment_sums<double>(source, {}); });
    rates.gram32 = rate(gram, [&] { (void)moment_sums<float>(source, {}); });
    const double pass = 4.0 * static_cast<double>(kExamples * kDimension) * psi;
    rates.product = rate(pass, [&] { (void)features.apply_transposed(features.apply(P)); });
    rates.cholesky64 = cholesky_rate<double>(1200);
    rates.cholesky32 = cholesky_rate<float>(1200);
    const Matrix A = grid_matrix(grid_normal(), 1200, 600, Stream(0).child("orthogonal"));
    rates.orthogonal =
        rate(2.0 * 600.0 * 600.0 * (1200.0 - 200.0), [&] { (void)stack_qr(Matrix(0, 600), A); });
    rates.multiprecision = multiprecision_rate();
    return rates;
}

}  // namespace attest
