#include "bench/experiments/certificates/sampling_problem.hpp"

#include "core/algebra/lapack.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/cubic.hpp"
#include "core/moments/moment_sums.hpp"
#include "record/summary.hpp"
#include "tasks/agnostic_labels.hpp"
#include "tasks/gaussian_population.hpp"
#include "tasks/iid_entries.hpp"
#include "tasks/noisy_labels.hpp"
#include "tasks/random_linear_attention.hpp"

#include <cmath>
#include <vector>

namespace attest {

namespace {

/// No training set reaches this far: examples from here on are fresh.
constexpr Index kFirstFresh = Index{1} << 30;
constexpr Index kLimitSamples = 20000;

std::unique_ptr<Task> planted_and_noise(Index d, const Stream& stream) {
    RandomLinearAttentionOptions options;
    options.d = d;
    options.n = {kSamplingTokens, kSamplingTokens};
    options.heads = 2;
    return std::make_unique<NoisyLabels>(
        random_linear_attention(options, stream), kSamplingNoise, stream.child("noise"));
}

std::unique_ptr<Task> relabelled(Index d, AgnosticKind kind, const Stream& stream) {
    IidEntriesOptions options;
    options.d = d;
    options.n = {kSamplingTokens, kSamplingTokens};
    return std::make_unique<AgnosticLabels>(
        iid_entries(options, stream), kind, stream.child("labels"));
}

/// Least squares on a large sample in place of the population.
void estimate_best(SamplingProblem& problem, Index samples) {
    const TaskSource source(*problem.task, kFirstFresh, samples);
    const Moments moments = structured_moments(source, {});
    problem.best = cholesky_solve(cholesky(moments.Lambda), moments.cross);
    problem.floor = moments.label_power - problem.best.cwiseProduct(moments.cross).sum();
}

/// Mean and standard error over a fresh sample.
void estimate_limit(SamplingProblem& problem) {
    const TaskSource source(*problem.task, kFirstFresh, kLimitSamples);
    const CholeskyFactor factor = cholesky(problem.Lambda);
    std::vector<double> values;
    for (Index b = 0; b < source.shape().num_blocks; ++b) {
        const MomentBatch batch = source.block(b);
        const Matrix H = feature_columns(batch);
        const Matrix residual = batch.y - problem.best.transpose() * H;
        const Matrix solved = cholesky_solve(factor, H);
        for (Index i = 0; i < H.cols(); ++i) {
            values.push_back(residual.col(i).squaredNorm() * H.col(i).dot(solved.col(i)));
        }
    }
    const Summary summary = summarise(std::move(values));
    problem.limit = summary.mean;
    problem.limit_error = summary.standard_error;
}

}  // namespace

Stream sampling_stream(const SamplingSetting& setting) {
    return Stream(setting.seed)
        .child("sample_complexity")
        .child(setting.labels)
        .child(setting.d)
        .child(setting.repetition);
}

SamplingProblem sampling_problem(const SamplingSetting& setting) {
    const Stream stream = sampling_stream(setting);
    const Index d = setting.d;
    SamplingProblem problem;
    problem.Lambda = gaussian_second_moment(d, kSamplingTokens);
    if (setting.labels == "noise") {
        problem.task = planted_and_noise(d, stream);
        problem.best = coefficients(*problem.task->truth().heads);
        problem.floor = kSamplingNoise * kSamplingNoise * static_cast<double>(d);
        problem.limit = problem.floor * static_cast<double>(feature_dim(d));
    } else if (setting.labels == "token_cubic") {
        problem.task = relabelled(d, AgnosticKind::token_cubic, stream);
        const CubicPopulation population =
            cubic_population(token_cubic_factors(d, d, stream.child("labels")), d, kSamplingTokens);
        problem.best = population.best;
        problem.floor = population.floor;
        estimate_limit(problem);
    } else {
        problem.task = relabelled(d, AgnosticKind::softmax, stream);
        estimate_best(problem, setting.reference_size);
        estimate_limit(problem);
        problem.reference_error = problem.limit / static_cast<double>(setting.reference_size);
    }
    return problem;
}

}  // namespace attest
