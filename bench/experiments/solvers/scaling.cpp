#include "bench/experiments/solvers/scaling.hpp"

#include "bench/experiments/entries.hpp"
#include "bench/experiments/frame/timer.hpp"
#include "bench/experiments/solvers/scaling_report.hpp"
#include "core/features/coefficients.hpp"
#include "core/solve/solvers.hpp"
#include "tasks/registry.hpp"

#include <memory>
#include <utility>

namespace attest {

// What a full solve costs on one thread as d grows, as N grows and as n grows; and what the fitted
// law of d says of sizes that no machine at hand can reach.

namespace {

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
    const Timer timer;
    do {
        fit = fit_least_squares(source, "auto", {});
        ++solves;
        cpu = timer.cpu_seconds();
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

ExperimentEntry scaling() {
    return {
        .id = "scaling",
        .summary = "what a full solve costs as d grows, and what that says of d = 768 and 12 288",
        .quick_seconds = 10.0,
        .full_seconds = 120.0,
        .make = make_scaling,
        .text = scaling_text,
        .derive_numbered = scaling_derived,
        .topic = Topic::solvers};
}

}  // namespace attest
