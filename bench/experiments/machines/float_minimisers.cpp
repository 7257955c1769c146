#include "bench/experiments/entries.hpp"
#include "bench/experiments/frame/group_table.hpp"
#include "bench/experiments/machines/self_fed.hpp"
#include "core/algebra/lapack.hpp"
#include "core/base/text.hpp"
#include "core/features/predict.hpp"
#include "core/rng/sample.hpp"
#include "core/solve/solvers.hpp"
#include "programs/language/literal_model.hpp"
#include "programs/learning/exhaust.hpp"
#include "programs/learning/learn_traces.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace attest {

// Three empirical risk minimisers of the same traces of a universal Turing machine: the exact basic
// one, the one of least norm in double, and a random one (a Gaussian point moved to the nearest
// minimiser). Each is fed its own tokens, as printed or rounded to integers.
//
// Expected outcome: on certified runs all agree with the simulator, up to rounding error; on others
// they differ from it and from each other. Fed back unrounded, the errors of the doubles grow until
// tokens are wrong; rounded to integers they never appear. The exact one needs no rounding.

namespace {

const TuringShape kShape{1, 1, 2, 3, Moves::left_right};
constexpr Index kBudget = 4;
constexpr Index kLongBudget = 200;

Matrix least_norm(const Dataset& data) {
    const char* const solver = lapack_info().backend == "lapacke" ? "gelsd" : "eigen_bdcsvd";
    LeastSquaresFit fit = fit_least_squares(DatasetSource(data), solver, {});
    ensure(fit.P.size() > 0,
           "float_minimisers: a singular value decomposition answers every problem");
    return std::move(fit.P);
}

/// The minimiser nearest to a Gaussian point G: G plus the least correction that fits.
Matrix random_minimiser(Dataset data, const Stream& stream) {
    const Matrix G = grid_matrix(grid_normal(), feature_dim(data.d()), data.o(), stream);
    data.y -= predict(G, DatasetSource(data));
    return G + least_norm(data);
}

/// Runs a minimiser after the prompt of a trace and compares.
using Runner = std::function<SelfFed(const Trace&, Feedback)>;

bool is_certified(const LearnedProgram& learned, const Trace& trace) {
    const std::vector<bool> tokens = certified_tokens(learned, trace);
    return std::all_of(tokens.begin(), tokens.end(), [](bool token) { return token; });
}

void add(CaseOutcome& outcome, const char* name, double value) {
    outcome.metrics[name] = {value};
}

/// All runs of the class, certified ones and others apart.
void judge_class(CaseOutcome& outcome, const Runner& runner, const LearnedProgram& learned) {
    const Utm2 program(kShape);
    const TuringClass machines(kShape, kBudget);
    const std::vector<Index> all = machines.sample(machines.size(), Stream(0));
    const TraceSource traces = class_traces(program, machines, all);
    Index certified = 0;
    Index certified_right = 0;
    Index others_right = 0;
    for (Index i = 0; i < machines.size(); ++i) {
        const Trace trace = traces(i);
        const SelfFed found = runner(trace, Feedback::as_printed);
        const bool right = found.right == static_cast<Index>(trace.generated.size());
        const bool determined = is_certified(learned, trace);
        certified += determined ? 1 : 0;
        certified_right += determined && right ? 1 : 0;
        others_right += !determined && right ? 1 : 0;
    }
    add(outcome, "runs_total", static_cast<double>(machines.size()));
    add(outcome, "runs_certified", static_cast<double>(certified));
    add(outcome, "certified_right", static_cast<double>(certified_right));
    add(outcome, "others_right", static_cast<double>(others_right));
}

/// Certified runs that use up a far larger budget.
void judge_long_runs(CaseOutcome& outcome, const Runner& runner, const LearnedProgram& learned) {
    const Utm2 program(kShape);
    const TuringClass machines(kShape, kLongBudget);
    const std::vector<Index> all = machines.sample(machines.size(), Stream(0));
    const TraceSource traces = class_traces(program, machines, all);
    Index runs = 0;
    SelfFed printed;
    SelfFed rounded;
    for (Index i = 0; i < machines.size(); ++i) {
        const Trace trace = traces(i);
        if (trace.generated.size() < 2 * kLongBudget || !is_certified(learned, trace)) {
            continue;
        }
        ++runs;
        for (const auto& [feedback, sum] :
             {std::pair(Feedback::as_printed, &printed), std::pair(Feedback::rounded, &rounded)}) {
            const SelfFed found = runner(trace, feedback);
            sum->right += found.right;
            sum->deviation = std::max(sum->deviation, found.deviation);
        }
    }
    add(outcome, "long_runs", static_cast<double>(runs));
    if (runs > 0) {
        const auto share = [&](const SelfFed& sum) {
            return static_cast<double>(sum.right) / static_cast<double>(2 * kLongBudget * runs);
        };
        add(outcome, "long_right", share(printed));
        add(outcome, "long_deviation", printed.deviation);
        add(outcome, "long_right_rounded", share(rounded));
        add(outcome, "long_deviation_rounded", rounded.deviation);
    }
}

CaseOutcome measure(Index train_runs, const std::string& learner, const Stream& stream) {
    const Utm2 program(kShape);
    const TuringClass machines(kShape, kBudget);
    const Index d = program.program().schema.dim();
    const std::vector<Index> runs = machines.sample(train_runs, stream.child("train"));
    const TraceSource traces = class_traces(program, machines, runs);
    const LearnedProgram learned = learn_traces(traces, train_runs, d, Selection::all);
    const Dataset data = printed_tokens(traces, train_runs, d);
    const bool exact = learner == "exact_basic";
    const Matrix P = exact                     ? coefficient_matrix(learned.coefficients)
                     : learner == "least_norm" ? least_norm(data)
                                               : random_minimiser(data, stream.child("point"));
    const Runner runner = [&](const Trace& trace, Feedback feedback) {
        return exact ? feed_exactly(learned.coefficients, trace)
                     : feed_doubles(P, trace, d, feedback);
    };
    CaseOutcome outcome;
    add(outcome, "train_tokens", static_cast<double>(learned.num_tokens));
    add(outcome, "rank", static_cast<double>(learned.rank));
    add(outcome, "training_residual", std::sqrt(empirical_risk(P, DatasetSource(data)).risk));
    judge_class(outcome, runner, learned);
    judge_long_runs(outcome, runner, learned);
    return outcome;
}

Case minimiser_case(Index train_runs,
                    const std::string& learner,
                    std::uint64_t seed,
                    Index repetition) {
    const Stream stream =
        Stream(seed).child("float_minimisers").child(train_runs).child(repetition);
    CaseKey key;
    key.task = "turing_class";
    key.parameters = {{"states", std::int64_t{kShape.states}},
                      {"symbols", std::int64_t{kShape.symbols}},
                      {"cells", std::int64_t{kShape.cells}},
                      {"steps", std::int64_t{kBudget}},
                      {"train_runs", std::int64_t{train_runs}}};
    key.learner = learner;
    key.seed = seed;
    key.stream = stream.path();
    key.repetition = repetition;
    key.precision = learner == "exact_basic" ? "exact" : "double";
    return {key, [=] { return measure(train_runs, learner, stream); }};
}

Table minimiser_table(const std::vector<Row>& rows) {
    const NumberFormat whole{NumberFormat::Style::fixed, 0};
    const NumberFormat two{NumberFormat::Style::significant, 2};
    const NumberFormat four{NumberFormat::Style::significant, 4};
    return group_table(rows,
                       {"train_runs", "learner"},
                       {{"runs_total", whole},
                        {"runs_certified", whole},
                        {"certified_right", whole},
                        {"others_right", whole},
                        {"training_residual", two},
                        {"long_right", four},
                        {"long_deviation", two},
                        {"long_right_rounded", four},
                        {"long_deviation_rounded", two}});
}

Experiment make_float_minimisers(Profile profile, std::uint64_t seed) {
    Experiment experiment{"float_minimisers", profile, seed};
    const Index repetitions = profile == Profile::quick ? 3 : 10;
    for (const Index train_runs : {30, 120, 480}) {
        for (const char* learner : {"exact_basic", "least_norm", "random"}) {
            for (Index repetition = 0; repetition < repetitions; ++repetition) {
                experiment.cases.push_back(minimiser_case(train_runs, learner, seed, repetition));
            }
        }
    }
    return experiment;
}

std::string float_minimisers_text(const std::vector<Row>& rows) {
    return "Minimisers of the same traces, each fed by itself, median over seeds\n" +
           to_terminal(minimiser_table(rows)) +
           formatted(
               "\nlong: share of the tokens of certified runs of {} steps; rounded: to integers "
               "before each token is fed back\n",
               kLongBudget);
}

Derived float_minimisers_derived(const std::vector<Row>& rows) {
    return {.tables = {{"float_minimisers", minimiser_table(rows)}}};
}

}  // namespace

ExperimentEntry float_minimisers() {
    return {.id = "float_minimisers",
            .summary = "exact, least-norm and random minimisers of traces, fed by themselves",
            .quick_seconds = 12.0,
            .full_seconds = 40.0,
            .make = make_float_minimisers,
            .text = float_minimisers_text,
            .derive_numbered = float_minimisers_derived};
}

}  // namespace attest
