#include "core/certify/rank/exact_rank.hpp"
#include "core/exact/modular_matrix.hpp"
#include "core/features/cubic.hpp"
#include "core/rng/sample.hpp"

#include <benchmark/benchmark.h>

namespace attest {
namespace {

Dataset gaussian(Index d, Index N) {
    const Index n = 4;
    Dataset data;
    data.tokens = grid_matrix(grid_normal(), d, N * n, Stream(3).child(d));
    for (Index i = 0; i <= N; ++i) {
        data.offsets.push_back(i * n);
    }
    return data;
}

/// Multiply-adds of an elimination of rank psi, twice, over the time taken.
void count_flops(benchmark::State& state, Index psi) {
    const auto n = static_cast<double>(psi);
    state.counters["psi"] = n;
    state.counters["flops"] =
        benchmark::Counter(2.0 / 3.0 * n * n * n, benchmark::Counter::kIsIterationInvariantRate);
}

/// Proves rank psi of psi + 8 generic examples: features modulo a prime, then elimination.
void prove_full_rank(benchmark::State& state) {
    const Index psi = feature_dim(state.range(0));
    const Dataset data = gaussian(state.range(0), psi + 8);
    for ([[maybe_unused]] auto iteration : state) {
        const ExactRank rank = certify_rank(data);
        if (rank.verdict != RankVerdict::full_rank) {
            state.SkipWithError("the rank was not proved");
        }
    }
    count_flops(state, psi);
}

/// FLINT's own elimination of a ready psi×psi matrix of the same prime.
void flint_rank(benchmark::State& state) {
    const Index psi = feature_dim(state.range(0));
    const Modulus p(previous_prime(std::uint64_t{1} << 22U));
    ModularMatrix A(psi, psi);
    const Matrix draws = grid_matrix(grid_normal(), psi, psi, Stream(4));
    for (Index i = 0; i < psi; ++i) {
        for (Index j = 0; j < psi; ++j) {
            A(i, j) = p.reduce(draws(i, j));
        }
    }
    for ([[maybe_unused]] auto iteration : state) {
        if (rank(p, A) != psi) {
            state.SkipWithError("a random matrix was singular");
        }
    }
    count_flops(state, psi);
}

BENCHMARK(prove_full_rank)->ArgName("d")->Arg(8)->Arg(12)->Arg(16)->Unit(benchmark::kMillisecond);
BENCHMARK(prove_full_rank)->ArgName("d")->Arg(24)->Iterations(1)->Unit(benchmark::kSecond);
BENCHMARK(flint_rank)->ArgName("d")->Arg(8)->Arg(12)->Arg(16)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace attest

BENCHMARK_MAIN();
