#include "bench/experiments/solvers/scaling.hpp"

#include "core/features/coefficients.hpp"
#include "core/solve/solvers.hpp"
#include "tasks/registry.hpp"

#include <ctime>
#include <memory>
#include <utility>

namespace attest {

namespace {

double processor_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

CaseOutcome solve_at(const ScalingSize& size, std::uint64_t seed) {
    const auto task =
        make_task("random-linear-attention",
                  {{"d", std::to_string(size.d)}, {"n", std::to_string(size.n)}, {"heads", "2"}},
                  seed);
    const Dataset data = materialise(*task, 0, size.num_examples, 1);
    const DatasetSource source(data);
    // Small problems are solved several times, so that the clock sees them.
    double cpu = 0.0;
    int solves = 0;
    LeastSquaresFit fit;
    const double start = processor_seconds();
    do {
        fit = fit_least_squares(source, "auto", {});
        ++solves;
        cpu = processor_seconds() - start;
    } while (cpu < 0.2);
    const Matrix truth = coefficients(*data.truth.heads);
    const SolveCost cost = solver_named(fit.solver).cost(source.shape());
    CaseOutcome outcome;
    outcome.message = fit.solver;
    outcome.metrics["psi"] = {static_cast<double>(feature_dim(size.d))};
    outcome.metrics["cpu_seconds"] = {cpu / solves, {}, "s"};
    outcome.metrics["flops"] = {total(cost.flops)};
    outcome.metrics["bytes"] = {cost.bytes, {}, "bytes"};
    outcome.metrics["relative_error"] = {(fit.P - truth).norm() / truth.norm()};
    return outcome;
}

ScalingSize at_ratio(Index d, Index ratio, Index n) {
    return {d, n, ratio * feature_dim(d)};
}

}  // namespace

std::vector<ScalingSize> scaling_sizes(Profile profile) {
    const bool full = profile == Profile::full;
    const std::vector<Index> dimensions =
        full ? std::vector<Index>{4, 6, 8, 10, 12, 14, 16, 20, 24, 32}
             : std::vector<Index>{4, 6, 8, 10, 12};
    std::vector<ScalingSize> sizes;
    sizes.reserve(dimensions.size() + 9);
    for (const Index d : dimensions) {
        sizes.push_back(at_ratio(d, kScalingRatio, kScalingTokens));
    }
    const Index d = full ? kScalingDimension : kScalingDimension - 4;
    for (const Index ratio : {4, 8, 16, 32}) {
        sizes.push_back(at_ratio(d, ratio, kScalingTokens));
    }
    for (const Index n : {16, 32, 64, 128, 256}) {
        sizes.push_back(at_ratio(d, kScalingRatio, n));
    }
    return sizes;
}

Experiment make_scaling(Profile profile, std::uint64_t seed) {
    Experiment experiment;
    experiment.id = "scaling";
    experiment.profile = profile;
    experiment.seed = seed;
    for (const ScalingSize& size : scaling_sizes(profile)) {
        Case one;
        one.key.task = "random-linear-attention";
        one.key.parameters = {{"d", std::int64_t{size.d}},
                              {"n", std::int64_t{size.n}},
                              {"num_examples", std::int64_t{size.num_examples}}};
        one.key.learner = "auto";
        one.key.seed = seed;
        one.run = [=] { return solve_at(size, seed); };
        experiment.cases.push_back(one);
    }
    return experiment;
}

}  // namespace attest
