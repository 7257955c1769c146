#include "bench/experiments/scaling.hpp"

#include "core/features/coefficients.hpp"
#include "core/solve/solvers.hpp"
#include "tasks/registry.hpp"

#include <ctime>
#include <memory>

namespace attest {

namespace {

constexpr Index kTokens = 8;

double processor_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

CaseOutcome solve_at(Index d, std::uint64_t seed) {
    const Index N = 2 * feature_dim(d);
    const auto task =
        make_task("random-linear-attention",
                  {{"d", std::to_string(d)}, {"n", std::to_string(kTokens)}, {"heads", "2"}},
                  seed);
    const Dataset data = materialise(*task, 0, N, 1);
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
    outcome.metrics["psi"] = {static_cast<double>(feature_dim(d))};
    outcome.metrics["num_examples"] = {static_cast<double>(N)};
    outcome.metrics["cpu_seconds"] = {cpu / solves, {}, "s"};
    outcome.metrics["flops"] = {total(cost.flops)};
    outcome.metrics["bytes"] = {cost.bytes, {}, "bytes"};
    outcome.metrics["relative_error"] = {(fit.P - truth).norm() / truth.norm()};
    return outcome;
}

}  // namespace

Experiment make_scaling(Profile profile, std::uint64_t seed) {
    const std::vector<Index> sizes = profile == Profile::full
                                         ? std::vector<Index>{4, 6, 8, 10, 12, 14, 16, 20, 24}
                                         : std::vector<Index>{4, 6, 8, 10, 12};
    Experiment experiment;
    experiment.id = "scaling";
    experiment.profile = profile;
    experiment.seed = seed;
    for (const Index d : sizes) {
        Case one;
        one.key.task = "random-linear-attention";
        one.key.parameters = {{"d", std::int64_t{d}}, {"n", std::int64_t{kTokens}}};
        one.key.learner = "auto";
        one.key.seed = seed;
        one.run = [=] { return solve_at(d, seed); };
        experiment.cases.push_back(one);
    }
    return experiment;
}

}  // namespace attest
