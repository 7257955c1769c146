// The rank of a ready square matrix modulo the same prime by fflas-ffpack, beside flint_rank and
// prove_full_rank of rank_bench.cpp.
#include "core/rng/stream.hpp"

#include <benchmark/benchmark.h>
#include <fflas-ffpack/ffpack/ffpack.h>
#include <givaro/modular-balanced.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

void fflas_rank(benchmark::State& state) {
    const auto d = static_cast<std::size_t>(state.range(0));
    const std::size_t psi = d * d * (d + 1) / 2;
    constexpr std::int64_t kPrime = 4194301;  // the largest below 2²²
    const Givaro::ModularBalanced<double> field(kPrime);
    std::vector<double> entries(psi * psi);
    attest::Draws draws(attest::Stream(4));
    for (double& entry : entries) {
        field.init(entry, static_cast<std::int64_t>(draws.below(kPrime)));
    }
    for ([[maybe_unused]] auto iteration : state) {
        state.PauseTiming();
        std::vector<double> work = entries;  // it is overwritten
        state.ResumeTiming();
        if (FFPACK::Rank(field, psi, psi, work.data(), psi) != psi) {
            state.SkipWithError("a random matrix was singular");
        }
    }
    const auto n = static_cast<double>(psi);
    state.counters["psi"] = n;
    state.counters["flops"] =
        benchmark::Counter(2.0 / 3.0 * n * n * n, benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK(fflas_rank)->ArgName("d")->Arg(8)->Arg(12)->Arg(16)->Unit(benchmark::kMillisecond);
BENCHMARK(fflas_rank)->ArgName("d")->Arg(24)->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace
