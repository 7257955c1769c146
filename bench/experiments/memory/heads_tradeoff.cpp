#include "bench/experiments/entries.hpp"
#include "bench/experiments/memory/heads_tradeoff_problem.hpp"
#include "bench/experiments/memory/heads_tradeoff_report.hpp"
#include "core/base/interrupt.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/counting.hpp"
#include "core/heads/fit_heads.hpp"
#include "core/heads/variable_projection.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace attest {

// What fewer heads cost: the loss of the best layer with H heads against coefficients that were
// learned from noisy data, by four methods. svd: Algorithm 1's heads, the strongest H. refit: the
// same queries with the values solved for again. vp_frobenius: variable projection in ‖Sym W‖.
// vp_lambda: variable projection in the norm of the training data.
//
// Expected outcome: vp_lambda ≤ refit ≤ svd at every H. At the number of planted heads the fit in
// the data norm loses about the noise that least squares had learned, while the SVD needs all d²
// heads for that.

namespace {

constexpr Index kStarts = 4;

/// Heads of the two programs, and how many of the Turing machine's are fitted in minutes.
constexpr Index kAutomatonHeads = 6;
constexpr Index kTuringHeads = 14;
constexpr Index kTuringFits = 4;

/// Loss below which only the stopping rule of a fit decides what is left: a residual of 10⁻¹⁰.
constexpr double kExactLoss = 1e-20;
/// Ratio of the Hessian's eigenvalues up to which the least is rounding, 10³ to 10⁴ unit roundings.
constexpr double kFlatTangent = 1e-12;

struct Reduced {
    Parameters heads;
    bool settled = true;  ///< false: stopped while it fell, or in a valley that rounding makes flat
};

HeadFitOptions fit_options(const TradeoffSetting& setting) {
    HeadFitOptions options;
    options.starts = kStarts;
    options.stream = Stream(setting.seed).child("heads_tradeoff").child("starts");
    options.control.interrupt = [] { return interrupted(); };
    return options;
}

Reduced by_svd(const TradeoffProblem& problem, Index H, const TradeoffSetting& /*setting*/) {
    return {truncated_heads(problem.weighted, H)};
}

Reduced by_refit(const TradeoffProblem& problem, Index H, const TradeoffSetting& /*setting*/) {
    return {refit_values(problem.weighted, truncated_heads(problem.weighted, H))};
}

Reduced fitted(const FitTarget& target, Index H, const TradeoffSetting& setting) {
    const HeadFit fit = fit_heads(target, H, fit_options(setting));
    const bool settled =
        fit.end != FitEnd::iterations && tangent_rcond(target, fit.factors) > kFlatTangent;
    return {heads_of(fit, setting.d), settled};
}

Reduced by_vp_frobenius(const TradeoffProblem& problem, Index H, const TradeoffSetting& setting) {
    return fitted(problem.frobenius, H, setting);
}

Reduced by_vp_lambda(const TradeoffProblem& problem, Index H, const TradeoffSetting& setting) {
    return fitted(problem.weighted, H, setting);
}

struct TradeoffMethod {
    std::string_view name;
    Reduced (*reduce)(const TradeoffProblem&, Index, const TradeoffSetting&);
    bool iterates;
};

constexpr std::array kMethods{
    TradeoffMethod{"svd", by_svd, false},
    TradeoffMethod{"refit", by_refit, false},
    TradeoffMethod{"vp_frobenius", by_vp_frobenius, true},
    TradeoffMethod{"vp_lambda", by_vp_lambda, true},
};

CaseOutcome measure(const TradeoffMethod& method,
                    Index H,
                    const TradeoffSetting& setting,
                    TradeoffProblems& problems) {
    const std::shared_ptr<const TradeoffProblem> problem = problems.of(setting);
    const auto [heads, settled] = method.reduce(*problem, H, setting);
    throw_if_interrupted("heads_tradeoff");
    const auto square = [](double x) { return x * x; };
    FitTarget truth = problem->weighted;
    truth.P = problem->truth;
    const double loss = square(relative_residual(problem->weighted, heads));
    // Both errors are measured in units of the learned function's size.
    const double error = square(relative_residual(truth, heads));
    // The least loss is between 0 and this one, and no more is known where the fit did not settle.
    const double known = settled ? kExactLoss : std::numeric_limits<double>::infinity();
    CaseOutcome outcome;
    outcome.metrics["relative_loss"] = zero_up_to(known, loss);
    outcome.metrics["error_to_truth"] = zero_up_to(problem->noise > 0.0 ? 0.0 : known, error);
    outcome.metrics["noise"] = {problem->noise};
    outcome.metrics["planted"] = {static_cast<double>(problem->planted)};
    outcome.metrics["heads"] = {static_cast<double>(heads.num_heads())};
    return outcome;
}

Case tradeoff_case(const TradeoffMethod& method,
                   Index H,
                   const TradeoffSetting& setting,
                   const std::shared_ptr<TradeoffProblems>& problems) {
    CaseKey key;
    key.task = setting.family;
    key.parameters = {{"d", std::int64_t{setting.d}}};
    key.learner = method.name;
    key.learner_parameters = {{"heads", std::int64_t{H}}};
    if (method.iterates) {
        key.learner_parameters["starts"] = std::int64_t{kStarts};
    }
    key.seed = setting.seed;
    key.stream = Stream(setting.seed).child("heads_tradeoff").child(setting.family).path();
    key.repetition = setting.repetition;
    return {key,
            [&method, H, setting, problems] { return measure(method, H, setting, *problems); }};
}

/// Every method with 1 to as many heads as are of use: to what is cut, and to what is fitted.
void add_methods(Experiment& experiment,
                 const std::shared_ptr<TradeoffProblems>& problems,
                 const TradeoffSetting& setting,
                 Index last_cut,
                 Index last_fit) {
    for (const TradeoffMethod& method : kMethods) {
        for (Index H = 1; H <= (method.iterates ? last_fit : last_cut); ++H) {
            experiment.cases.push_back(tradeoff_case(method, H, setting, problems));
        }
    }
}

Experiment make_heads_tradeoff(Profile profile, std::uint64_t seed) {
    const bool quick = profile == Profile::quick;
    Experiment experiment{"heads_tradeoff", profile, seed};
    const auto problems = std::make_shared<TradeoffProblems>(tradeoff_problem);
    const auto add = [&](const TradeoffSetting& setting, Index last_cut, Index last_fit) {
        add_methods(experiment, problems, setting, last_cut, last_fit);
    };
    for (const Index d : quick ? std::vector<Index>{4} : std::vector<Index>{4, 6}) {
        for (const char* family : {"gaussian", "power_law", "associative"}) {
            for (Index repetition = 0; repetition < (quick ? 3 : 5); ++repetition) {
                // Beyond the counting bound variable projection is exact; the SVD goes on to d².
                add({family, d, seed, repetition}, d * d, counting_bound(d, d));
            }
        }
    }
    // A program is one function: one repetition, and no more heads than it is written with.
    add({"automaton", quick ? 10 : 14, seed, 0}, 2 * kAutomatonHeads, kAutomatonHeads);
    if (!quick) {
        add({"turing", 18, seed, 0}, 2 * kTuringHeads, kTuringFits);
    }
    return experiment;
}

}  // namespace

ExperimentEntry heads_tradeoff() {
    return {.id = "heads_tradeoff",
            .summary = "what fewer heads cost: SVD, refitted values, fits in two norms",
            .quick_seconds = 5.0,
            .full_seconds = 300.0,
            .make = make_heads_tradeoff,
            .text = heads_tradeoff_text,
            .derive_numbered = heads_tradeoff_derived};
}

}  // namespace attest
