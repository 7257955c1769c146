// One update of each trained model: gradient and step of Adam, batch 32 of prefixes of 100 tokens.
// Beside the time, the relative loss that so many updates reached: speed that does not learn is no
// result. Bar: d = 4, H = 16 by moments at least 50 times the updates of torch's einsum
// (`attest reproduce training_speed` has both).

#include "core/algebra/lapack.hpp"
#include "core/train/heads_model.hpp"
#include "core/train/linear_layers.hpp"
#include "core/train/minibatches.hpp"
#include "core/train/optimiser.hpp"
#include "core/train/transformer.hpp"
#include "tasks/random_linear_attention.hpp"

#include <benchmark/benchmark.h>

namespace attest {
namespace {

template <class Scalar>
PrefixData<Scalar> training_data(Index d) {
    return prefix_data<Scalar>(
        materialise(*random_linear_attention(figure_1_options(d), Stream(1)), 0, 256, 1));
}

template <class Scalar>
void run(benchmark::State& state,
         const TrainedModel<Scalar>& model,
         const PrefixData<Scalar>& data) {
    set_blas_threads(1);
    Minibatches batches(data.num_sequences, 32, Stream(2));
    Optimiser<Scalar> optimiser({.rate = 0.001}, model.num_parameters());
    VectorOf<Scalar> theta = model.start(Stream(3));
    Index update = 0;
    for ([[maybe_unused]] auto iteration : state) {
        const VectorOf<Scalar> gradient = model.gradient(theta, batches.of_update(update));
        theta = optimiser.step(std::move(theta), gradient, 1.0);
        ++update;
    }
    state.SetItemsProcessed(update);
    state.counters["loss"] = model.loss(theta, data);
}

template <class Scalar, template <class> class Model>
void update_of(benchmark::State& state) {
    const PrefixData<Scalar> data = training_data<Scalar>(state.range(0));
    run<Scalar>(state, Model<Scalar>(data, state.range(1)), data);
}

template <class Scalar>
void transformer(benchmark::State& state) {
    const PrefixData<Scalar> data = training_data<Scalar>(state.range(0));
    run<Scalar>(state, Transformer<Scalar>(data, {}), data);
}

BENCHMARK(update_of<double, HeadsMoments>)
    ->ArgNames({"d", "H"})
    ->ArgsProduct({{2, 4}, {1, 16, 64}})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(update_of<float, HeadsMoments>)
    ->ArgNames({"d", "H"})
    ->Args({4, 16})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(update_of<double, HeadsResidual>)
    ->ArgNames({"d", "H"})
    ->Args({4, 16})
    ->Args({8, 64})
    ->Args({16, 64})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(update_of<double, LinearLayers>)
    ->ArgNames({"d", "L"})
    ->ArgsProduct({{4, 8}, {1, 4}})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(transformer<float>)->ArgNames({"d"})->Args({4})->Unit(benchmark::kMillisecond);
BENCHMARK(transformer<double>)->ArgNames({"d"})->Args({4})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace attest

BENCHMARK_MAIN();
