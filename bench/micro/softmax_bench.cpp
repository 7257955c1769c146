// Times of the six phases with polish on the default instances, examples drawn beforehand. Bars: 3
// s for up to two heads, 10 s for three.

#include "core/algebra/lapack.hpp"
#include "core/softmax/pipeline.hpp"
#include "tasks/softmax_attention.hpp"

#include <benchmark/benchmark.h>

namespace attest {
namespace {

constexpr Index kHeldOut = 2000;

void learn_planted_heads(benchmark::State& state) {
    set_blas_threads(1);
    SoftmaxAttentionOptions options;
    options.law = state.range(0) == 0 ? TokenLaw::gaussian : TokenLaw::boolean;
    options.teacher.d = state.range(1);
    options.k = state.range(2);
    options.teacher.heads = state.range(3);
    options.teacher.norm = static_cast<double>(state.range(4));
    const Index examples = state.range(5);
    const SoftmaxAttention task(options, Stream(1).child("softmax_bench"));
    const SoftmaxSource source = held_in_memory(softmax_source(task, 0, examples), 1e9);
    const SoftmaxExamples held_out = softmax_source(task, examples, kHeldOut).draw(0, kHeldOut);
    SoftmaxLearnOptions learning;
    learning.m = options.teacher.heads;
    learning.largest_norm = 1.5 * largest_theta(task.heads());
    SoftmaxResult result;
    for ([[maybe_unused]] auto iteration : state) {
        result = learn_softmax(source, held_out, learning);
    }
    state.counters["recovered"] = result.outcome == SoftmaxOutcome::recovered ? 1.0 : 0.0;
    state.counters["net_error"] = result.net_validation.value_or(-1.0);
}

BENCHMARK(learn_planted_heads)
    ->ArgNames({"boolean", "d", "k", "m", "norm", "N"})
    ->Args({0, 6, 2, 1, 3, 5000})
    ->Args({0, 6, 2, 2, 3, 40000})
    ->Args({1, 8, 2, 2, 3, 60000})
    ->Args({0, 6, 3, 2, 3, 50000})
    ->Args({0, 6, 2, 3, 3, 150000})
    ->Args({0, 6, 2, 3, 12, 150000})
    ->Unit(benchmark::kSecond);

}  // namespace
}  // namespace attest

BENCHMARK_MAIN();
