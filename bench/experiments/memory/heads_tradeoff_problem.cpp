#include "bench/experiments/memory/heads_tradeoff_problem.hpp"

#include "bench/experiments/machines/program_traces.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/predict.hpp"
#include "core/moments/triangular_factor.hpp"
#include "core/rng/sample.hpp"
#include "core/solve/orthogonal.hpp"
#include "tasks/associative_memory.hpp"
#include "tasks/iid_entries.hpp"

#include <cmath>

namespace attest {

namespace {

constexpr Index kSequencesPerFeature = 20;
constexpr double kTradeoffNoise = 0.01;
constexpr double kPowerLaw = -0.75;  // standard deviation of entry k: k^−0.75

/// d heads of strengths 2^−h: unit V_h, Q_h of norm 2^−h.
Parameters decaying_heads(Index d, const Stream& stream) {
    Parameters theta{d, d, {}};
    for (Index h = 0; h < d; ++h) {
        const Matrix V = grid_matrix(grid_normal(), d, d, stream.child("V").child(h));
        const Matrix Q = grid_matrix(grid_normal(), d, d, stream.child("Q").child(h));
        theta.heads.push_back({V / V.norm(), std::ldexp(1.0, -static_cast<int>(h)) * Q / Q.norm()});
    }
    return theta;
}

Dataset normal_tokens(const TradeoffSetting& setting, const Stream& root) {
    IidEntriesOptions options;
    options.d = setting.d;
    options.n = {2 * setting.d, 2 * setting.d};
    Dataset data = materialise(
        *iid_entries(options, root), 0, kSequencesPerFeature * feature_dim(setting.d), 1);
    if (setting.family == "power_law") {
        for (Index k = 0; k < setting.d; ++k) {
            data.tokens.own().row(k) *= std::pow(static_cast<double>(k + 1), kPowerLaw);
        }
    }
    data.truth.heads = decaying_heads(setting.d, root.child("heads"));
    return data;
}

Dataset memories(const TradeoffSetting& setting, const Stream& root) {
    AssociativeMemoryOptions options;
    options.d = setting.d / 2;
    options.teacher = MemoryTeacher::random;
    return materialise(
        AssociativeMemory(options, root), 0, kSequencesPerFeature * feature_dim(setting.d), 1);
}

/// Labels Pᵀ H + σ g with σ² such that the fit's expected error is kTradeoffNoise of the signal: σ²
/// o ψ/N against mean ‖Pᵀ H‖².
void add_noisy_labels(Dataset& data, const Matrix& P, const Stream& stream) {
    data.labels = LabelKind::none;
    data.y.resize(0, 0);
    const Matrix Y = predict(P, DatasetSource(data));
    const auto N = static_cast<double>(Y.cols());
    const double variance =
        kTradeoffNoise * (Y.squaredNorm() / N) * N / static_cast<double>(P.cols() * P.rows());
    data.labels = LabelKind::per_sequence;
    data.y = Y + std::sqrt(variance) * grid_matrix(grid_normal(), Y.rows(), Y.cols(), stream);
}

bool is_program(const TradeoffSetting& setting) {
    return setting.family == "automaton" || setting.family == "turing";
}

/// The program's own coefficients: nothing is learned, so nothing is off.
TradeoffProblem program_problem(const TradeoffSetting& setting, const Stream& root) {
    constexpr Index kTraces = 400;
    const ProgramTraces traces = setting.family == "turing"
                                     ? turing_traces(kTraces, root)
                                     : automaton_traces(setting.d, kTraces, root);
    TradeoffProblem problem;
    problem.truth = coefficients(traces.heads);
    problem.planted = traces.heads.num_heads();
    problem.frobenius = frobenius_target(problem.truth, setting.d);
    problem.weighted =
        weighted_target(problem.truth, setting.d, triangular_factor(DatasetSource(traces.data)).R);
    return problem;
}

}  // namespace

TradeoffProblem tradeoff_problem(const TradeoffSetting& setting) {
    require(setting.family == "gaussian" || setting.family == "power_law" || is_program(setting) ||
                (setting.family == "associative" && setting.d % 2 == 0),
            "tradeoff_problem: got family {} at d = {}, expected gaussian, power_law, automaton, "
            "turing, or associative at an even d",
            setting.family,
            setting.d);
    const Stream root = Stream(setting.seed)
                            .child("heads_tradeoff")
                            .child(setting.family)
                            .child(setting.d)
                            .child(setting.repetition);
    if (is_program(setting)) {
        return program_problem(setting, root);
    }
    Dataset data =
        setting.family == "associative" ? memories(setting, root) : normal_tokens(setting, root);
    TradeoffProblem problem;
    problem.truth = coefficients(*data.truth.heads);
    problem.planted = data.truth.heads->num_heads();
    add_noisy_labels(data, problem.truth, root.child("noise"));
    const TriangularFactor factor = triangular_factor(DatasetSource(data));
    const Matrix P = fit_svd(factor, data.d(), {}).P;
    problem.frobenius = frobenius_target(P, data.d());
    problem.weighted = weighted_target(P, data.d(), factor.R);
    const FitTarget exact = weighted_target(problem.truth, data.d(), factor.R);
    problem.noise = std::pow(relative_residual(exact, P), 2.0);
    return problem;
}

}  // namespace attest
