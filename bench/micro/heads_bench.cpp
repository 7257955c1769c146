// Times of head recovery, with the residual beside each: planted dense heads from the coefficients
// alone. Bar: d = 8, H = 6 within two seconds.

#include "core/algebra/lapack.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/closed_form.hpp"
#include "core/heads/minimal_heads.hpp"
#include "core/rng/sample.hpp"

#include <benchmark/benchmark.h>

namespace attest {
namespace {

FitTarget planted_target(const benchmark::State& state) {
    const Index d = state.range(0);
    const Stream stream = Stream(1).child(d).child(state.range(1));
    Parameters theta{d, d, {}};
    for (Index h = 0; h < state.range(1); ++h) {
        theta.heads.push_back({grid_matrix(grid_normal(), d, d, stream.child("V").child(h)),
                               grid_matrix(grid_normal(), d, d, stream.child("Q").child(h))});
    }
    return frobenius_target(coefficients(theta), d);
}

void search_planted(benchmark::State& state) {
    set_blas_threads(1);
    const FitTarget target = planted_target(state);
    MinimalHeads found;
    for ([[maybe_unused]] auto iteration : state) {
        found = minimal_heads(target, {});
    }
    state.counters["residual"] = found.residual;
    state.counters["heads"] = static_cast<double>(found.heads.num_heads());
}

void closed_form(benchmark::State& state) {
    set_blas_threads(1);
    const FitTarget target = planted_target(state);
    double residual = 1.0;
    for ([[maybe_unused]] auto iteration : state) {
        residual = closed_form_heads(target.P, target.d, state.range(1), Stream(2))->residual;
    }
    state.counters["residual"] = residual;
}

/// One start of variable projection from random queries: iterations and time an iteration.
void variable_projection_start(benchmark::State& state) {
    set_blas_threads(1);
    const FitTarget target = planted_target(state);
    const Matrix Q =
        start_queries(target, state.range(1), StartKind::random, Stream(3).child(state.range(0)));
    HeadFit fit;
    for ([[maybe_unused]] auto iteration : state) {
        fit = variable_projection(target, Q, {});
    }
    const double flops = variable_projection_cost(target, state.range(1)).flops;
    state.counters["residual"] = fit.residual;
    state.counters["iterations"] = static_cast<double>(fit.iterations);
    state.counters["flops"] = benchmark::Counter(flops * static_cast<double>(fit.iterations),
                                                 benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK(search_planted)
    ->ArgNames({"d", "H"})
    ->ArgsProduct({{3, 4, 5, 6}, {2}})
    ->Args({8, 6})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(closed_form)
    ->ArgNames({"d", "H"})
    ->Args({4, 2})
    ->Args({6, 4})
    ->Args({8, 6})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(variable_projection_start)
    ->ArgNames({"d", "H"})
    ->Args({4, 4})
    ->Args({6, 9})
    ->Args({8, 6})
    ->Args({8, 16})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace attest

BENCHMARK_MAIN();
