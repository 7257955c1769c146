#include "core/algebra/lapack.hpp"
#include "core/algebra/residual_ratio.hpp"
#include "core/algebra/symmetric_pack.hpp"
#include "core/data/sources/moments.hpp"
#include "core/features/cubic.hpp"
#include "core/moments/moment_sums.hpp"
#include "core/rng/sample.hpp"
#include "core/rng/stream.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <type_traits>

// The structured second moment against what BLAS does on ready features, side by side: every
// iteration runs all contestants in turn on one thread, the rates are those of the fastest run of
// each. Nψ²/2 flops count as work for the structured Gram, Nψ² for dsyrk, 2n³ for dgemm.
//
//   gram_bench --benchmark_counters_tabular=true

namespace attest::bench {

namespace {

/// N examples' moments in memory, in blocks of 256: S = Z Zᵀ of n = 32 grid-normal tokens each, the
/// query the last of them; no labels. For timing what starts from (S, z).
class StoredMoments final : public MomentSource {
public:
    StoredMoments(Index d, Index num_examples, const Stream& stream);

    [[nodiscard]] SourceShape shape() const override;
    [[nodiscard]] MomentBatch block(Index b) const override;

    [[nodiscard]] const MomentBatch& all() const { return all_; }

private:
    MomentBatch all_;
};

constexpr Index kBlockExamples = 256;
constexpr Index kTokens = 32;

StoredMoments::StoredMoments(Index d, Index num_examples, const Stream& stream)
    : all_{Matrix(packed_dim(d), num_examples), Matrix(d, num_examples), Matrix(0, num_examples)} {
    for (Index i = 0; i < num_examples; ++i) {
        const Matrix Z = grid_matrix(grid_normal(), d, kTokens, stream.child(i));
        all_.S.col(i) = pack<double>(Z * Z.transpose());
        all_.u.col(i) = Z.rightCols(1);
    }
}

SourceShape StoredMoments::shape() const {
    const Index N = all_.size();
    return {all_.u.rows(), 0, N, (N + kBlockExamples - 1) / kBlockExamples};
}

MomentBatch StoredMoments::block(Index b) const {
    const Index first = b * kBlockExamples;
    const Index count = std::min(kBlockExamples, all_.size() - first);
    return {all_.S.middleCols(first, count),
            all_.u.middleCols(first, count),
            all_.y.middleCols(0, count)};
}

/// Seconds this thread has computed: time other programs take from it does not count.
double thread_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The fastest of several runs.
class Fastest {
public:
    template <class Action>
    double time(const Action& action) {
        const double start = thread_seconds();
        action();
        const double seconds = thread_seconds() - start;
        seconds_ = std::min(seconds_, seconds);
        return seconds;
    }

    [[nodiscard]] double seconds() const { return seconds_; }

    [[nodiscard]] double gflops(double flops) const { return 1e-9 * flops / seconds_; }

private:
    double seconds_ = std::numeric_limits<double>::infinity();
};

/// dgemm on square matrices of a size that fills second-level cache several times.
class GemmReference {
public:
    GemmReference() : A_(draw("A")), B_(draw("B")), C_(Matrix::Zero(kSize, kSize)) {}

    void run() {
        fastest_.time([this] { add_product(C_, A_, B_); });
    }

    [[nodiscard]] double gflops() const { return fastest_.gflops(2.0 * kSize * kSize * kSize); }

private:
    static constexpr Index kSize = 960;

    static Matrix draw(std::string_view name) {
        return grid_matrix(grid_normal(), kSize, kSize, Stream(1).child(name));
    }

    Matrix A_;
    Matrix B_;
    Matrix C_;
    Fastest fastest_;
};

double structured_flops(const SourceShape& shape) {
    const auto psi = static_cast<double>(shape.psi());
    return 0.5 * static_cast<double>(shape.num_examples) * psi * psi;
}

/// The structured Gram alone; `isa` as Isa counts.
template <class Scalar>
void structured_gram(benchmark::State& state) {
    const auto isa = static_cast<Isa>(state.range(2));
    const StoredMoments source(state.range(0), state.range(1), Stream(2));
    GemmReference gemm;
    Fastest gram;
    double peak = 0.0;
    for ([[maybe_unused]] auto _ : state) {
        gemm.run();
        peak = std::max(peak, peak_gflops<Scalar>(isa, 5));
        state.SetIterationTime(gram.time([&] {
            benchmark::DoNotOptimize(moment_sums<Scalar>(source, {1, isa}).num_examples);
        }));
    }
    const double rate = gram.gflops(structured_flops(source.shape()));
    state.counters["GF"] = rate;
    state.counters["of_peak"] = rate / peak;
    if constexpr (std::is_same_v<Scalar, double>) {
        state.counters["of_dgemm"] = rate / gemm.gflops();
    }
}

/// Structured Gram, its expansion, and dsyrk on features that are there already.
void against_dsyrk(benchmark::State& state) {
    const StoredMoments source(state.range(0), state.range(1), Stream(2));
    const Matrix H = feature_columns(source.all());
    Matrix explicit_gram = Matrix::Zero(H.rows(), H.rows());
    Matrix structured;
    Fastest gram;
    Fastest syrk;
    for ([[maybe_unused]] auto _ : state) {
        explicit_gram.setZero();
        syrk.time([&] { add_syrk(explicit_gram, H); });
        state.SetIterationTime(
            gram.time([&] { structured = second_moment_sum(source, GramOptions{}); }));
    }
    const Matrix expected = explicit_gram.triangularView<Eigen::Lower>();
    state.counters["GF"] = gram.gflops(structured_flops(source.shape()));
    state.counters["dsyrk_GF"] = syrk.gflops(2.0 * structured_flops(source.shape()));
    state.counters["speedup"] = syrk.seconds() / gram.seconds();
    state.counters["residual_ratio"] = difference_ratio(expected, structured);
}

/// Wall seconds by number of threads.
void threaded_gram(benchmark::State& state) {
    const StoredMoments source(state.range(0), state.range(1), Stream(2));
    const GramOptions options{static_cast<int>(state.range(2)), Isa::automatic};
    for ([[maybe_unused]] auto _ : state) {
        benchmark::DoNotOptimize(moment_sums<double>(source, options).num_examples);
    }
    state.counters["GF"] = benchmark::Counter(structured_flops(source.shape()) * 1e-9,
                                              benchmark::Counter::kIsIterationInvariantRate);
}

void sizes(benchmark::internal::Benchmark* bench) {
    bench->Args({8, 8000})->Args({12, 3744})->Args({16, 4352})->Args({20, 4200})->Args({24, 4096});
}

void sizes_with_isa(benchmark::internal::Benchmark* bench) {
    bench->ArgNames({"d", "N", "isa"});
    for (const auto& [d, N] :
         {std::pair{8, 8000}, {12, 3744}, {16, 4352}, {20, 4200}, {24, 4096}}) {
        bench->Args({d, N, static_cast<long>(Isa::automatic)});
    }
    for (const Isa isa : available_isas()) {
        bench->Args({16, 4352, static_cast<long>(isa)});
    }
}

BENCHMARK(structured_gram<double>)
    ->Apply(sizes_with_isa)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(structured_gram<float>)
    ->Apply(sizes_with_isa)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(against_dsyrk)
    ->Apply(sizes)
    ->ArgNames({"d", "N"})
    ->Iterations(5)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(threaded_gram)
    ->ArgNames({"d", "N", "threads"})
    ->ArgsProduct({{16, 20}, {4200}, {1, 2}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace attest::bench

int main(int argc, char** argv) {
    attest::set_blas_threads(1);
    const attest::LapackInfo info = attest::lapack_info();
    benchmark::AddCustomContext("blas", info.library);
    benchmark::AddCustomContext("blas_core", info.core);
    const attest::Isa isa = attest::resolve_isa(attest::Isa::automatic);
    benchmark::AddCustomContext("isa", std::string(attest::to_string(isa)));
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 2;
    }
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
