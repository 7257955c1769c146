#include "core/solve/calibrate.hpp"

#include "core/algebra/lapack.hpp"
#include "core/algebra/packed_cholesky.hpp"
#include "core/exact/scalars.hpp"
#include "core/moments/moment_sums.hpp"
#include "core/moments/stored_source.hpp"
#include "core/rng/sample.hpp"
#include "core/solve/feature_operator.hpp"

#include <ctime>

namespace attest {

namespace {

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
