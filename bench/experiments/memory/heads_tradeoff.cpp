#include "bench/experiments/memory/heads_tradeoff.hpp"

#include "bench/experiments/entries.hpp"
#include "bench/experiments/frame/group_table.hpp"
#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/text.hpp"
#include "core/data/dataset.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/predict.hpp"
#include "core/heads/fit_heads.hpp"
#include "core/heads/iterations.hpp"
#include "core/heads/lower_bound.hpp"
#include "core/moments/triangular_factor.hpp"
#include "core/rng/sample.hpp"
#include "core/rng/stream.hpp"
#include "core/solve/orthogonal.hpp"
#include "programs/language/compile.hpp"
#include "programs/learning/exhaust.hpp"
#include "programs/learning/learn_traces.hpp"
#include "programs/learning/learning_curve.hpp"
#include "programs/machines/dfa.hpp"
#include "programs/machines/turing_class.hpp"
#include "programs/machines/utm2.hpp"
#include "record/summary.hpp"
#include "tasks/associative_memory.hpp"
#include "tasks/iid_entries.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

namespace attest {

namespace {

/// A compiled program and what it prints: the planted heads are the program's, every printed token
/// is one example, the tokens before it labelled by it.
struct ProgramTraces {
    Parameters heads;
    Dataset data;
};

constexpr TuringShape kSmallestMachine{1, 1, 2, 2};
constexpr Index kTraceSteps = 3;

ProgramTraces traces_of(const Program& program, const TraceSource& source, Index count) {
    return {dense_parameters(program), printed_tokens(source, count, program.schema.dim())};
}

/// The universal automaton of two states and words of one letter, with the alphabet that gives
/// tokens of d = 4V + 6 entries, on random automata and words. Throws InvalidInput for another d.
ProgramTraces automaton_traces(Index d, Index count, const Stream& stream) {
    require(d >= 10 && d % 4 == 2,
            "automaton_traces: got d = {}, expected 4V + 6 with V >= 1 letters",
            d);
    const Dfa2 program({2, (d - 6) / 4, 1});
    return traces_of(program.program(), random_dfa_traces(program, stream), count);
}

/// The universal Turing machine for one state, two symbols and two cells, d = 18, on random
/// machines of that class, three steps each.
ProgramTraces turing_traces(Index count, const Stream& stream) {
    const Utm2 program(kSmallestMachine);
    const TuringClass machines(kSmallestMachine, kTraceSteps);
    const std::vector<Index> runs = machines.sample(count, stream);
    return traces_of(
        program.program(), class_traces(program, machines, runs), static_cast<Index>(runs.size()));
}

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

using Families = std::vector<std::string>;

const Families kFamilies{"gaussian", "power_law", "associative", "automaton", "turing"};

std::string title_of_family(const std::string& family) {
    return family == "gaussian"    ? "Gaussian tokens"
           : family == "power_law" ? "power-law tokens"
           : family == "automaton" ? "universal automaton"
           : family == "turing"    ? "universal Turing machine"
                                   : "associative memory";
}

std::string method_title(const std::string& method) {
    return method == "svd"            ? "SVD, cut"
           : method == "refit"        ? "SVD, values refitted"
           : method == "vp_frobenius" ? "fit, Frobenius norm"
                                      : "fit, data norm";
}

std::int64_t whole(const ParameterValue& value) {
    return std::get<std::int64_t>(value);
}

/// The sizes that occur, ascending.
std::set<std::int64_t> token_sizes(const std::vector<Row>& rows) {
    std::set<std::int64_t> found;
    for (const Row& row : rows) {
        found.insert(whole(*field(row, "d")));
    }
    return found;
}

std::vector<Row> rows_of_family(const std::vector<Row>& rows,
                                const std::string& family,
                                std::int64_t d) {
    return select_rows(select_rows(rows, "task", family), "d", std::to_string(d));
}

/// The families that were run at this size.
Families families(const std::vector<Row>& rows, std::int64_t d) {
    Families found;
    for (const std::string& family : kFamilies) {
        if (!rows_of_family(rows, family, d).empty()) {
            found.push_back(family);
        }
    }
    return found;
}

/// Median and range over repetitions of a metric, by number of heads.
std::vector<RowGroup> by_heads(const std::vector<Row>& rows,
                               const std::string& method,
                               const std::string& metric) {
    return group_rows(select_rows(rows, "learner", method), {"heads"}, metric);
}

/// One line per number of heads: relative loss by method, and the best method's error to the truth.
Table loss_table(const std::vector<Row>& rows) {
    std::vector<GroupColumn> columns;
    for (const std::string& method : distinct_values(rows, "learner")) {
        columns.push_back(
            {"relative_loss", kThreeDigits, method_title(method), Statistic::median, method});
    }
    columns.push_back({"error_to_truth",
                       kThreeDigits,
                       "fit, data norm: error to the truth",
                       Statistic::median,
                       "vp_lambda"});
    return group_table(rows, {{"heads", "heads"}}, columns);
}

/// Medians with the range over repetitions; the axis is cut below what is rounding.
Panel tradeoff_panel(const std::vector<Row>& rows, const std::string& family, std::int64_t d) {
    Panel panel;
    panel.title = title_of_family(family) + ", d = " + std::to_string(d);
    panel.x = {"heads"};
    panel.y = {"relative loss, data norm", Scale::log10, 1e-6};
    panel.legend = Legend::none;
    for (const std::string& method : distinct_values(rows, "learner")) {
        Series series{method_title(method)};
        for (const RowGroup& group : by_heads(rows, method, "relative_loss")) {
            const Summary& summary = group.summary;
            if (summary.count > 0 && summary.median >= 1e-6) {
                series.points.push_back({static_cast<double>(whole(group.keys[0])),
                                         summary.median,
                                         std::max(summary.min, 1e-6),
                                         summary.max});
            }
        }
        if (!series.points.empty()) {
            panel.series.push_back(series);
        }
    }
    const Summary noise = group_rows(rows, {"task"}, "noise").front().summary;
    const Summary planted = group_rows(rows, {"task"}, "planted").front().summary;
    panel.guides = {{Guide::Direction::vertical, planted.median, "planted"}};
    if (noise.median > 0.0) {
        panel.guides.push_back({Guide::Direction::horizontal, noise.median, "label noise"});
    }
    return panel;
}

}  // namespace

// What fewer heads cost: the loss of the best layer with H heads against coefficients that were
// learned from noisy data, by four methods. svd: Algorithm 1's heads, the strongest H. refit: the
// same queries with the values solved for again. vp_frobenius: variable projection in ‖Sym W‖.
// vp_lambda: variable projection in the norm of the training data.
//
// Expected outcome: vp_lambda ≤ refit ≤ svd at every H. At the number of planted heads the fit in
// the data norm loses about the noise that least squares had learned, while the SVD needs all d²
// heads for that.

ExperimentEntry heads_tradeoff() {
    return {.id = "heads_tradeoff",
            .summary = "what fewer heads cost: SVD, refitted values, fits in two norms",
            .quick_seconds = 5.0,
            .full_seconds = 300.0,
            .make = make_heads_tradeoff,
            .text = heads_tradeoff_text,
            .derive_numbered = heads_tradeoff_derived};
}

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

std::string heads_tradeoff_text(const std::vector<Row>& rows) {
    std::string text;
    for (const std::int64_t d : token_sizes(rows)) {
        for (const std::string& family : families(rows, d)) {
            text += "Relative loss in the data norm, " + title_of_family(family) +
                    ", d = " + std::to_string(d) + ", median over repetitions\n" +
                    to_terminal(loss_table(rows_of_family(rows, family, d))) + "\n";
        }
    }
    return text;
}

Derived heads_tradeoff_derived(const std::vector<Row>& rows) {
    Derived derived;
    Figure figure;
    figure.title = "What fewer heads cost";
    figure.columns = 3;
    figure.panel_width = 520;
    figure.legend = Legend::below;
    for (const std::int64_t d : token_sizes(rows)) {
        for (const std::string& family : families(rows, d)) {
            const std::vector<Row> mine = rows_of_family(rows, family, d);
            derived.tables.push_back(
                {"heads_tradeoff_" + family + "_d" + std::to_string(d), loss_table(mine)});
            figure.panels.push_back(tradeoff_panel(mine, family, d));
        }
    }
    derived.figures.push_back({"heads_tradeoff", figure});
    return derived;
}

}  // namespace attest
