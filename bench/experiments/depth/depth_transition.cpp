#include "bench/experiments/entries.hpp"
#include "bench/experiments/frame/last_problem.hpp"
#include "core/base/text.hpp"
#include "core/rng/sample.hpp"
#include "core/stack/local_stack.hpp"
#include "core/stack/stack_fit.hpp"
#include "record/cells.hpp"
#include "record/summary.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace attest {

// A stack of linear attention layers with residual connections, causal, read at its last token,
// labels N examples; a student of the same sizes is fitted to them by Levenberg–Marquardt, from the
// teacher's neighbourhood and from far, there from several starts of which the first that fits
// counts. D is the stack's functional dimension, proved, o = d the numbers an example gives, and
// the rank of the derivative on the examples is proved beside.
//
// Expected outcome: from nearby the error on fresh examples falls by ten orders at the first N
// whose rank is D, where the data determine the stack locally, and not before: at N = D/o, or later
// where outputs of an example depend on each other (d = 3, one head of size 1). From far some
// starts are stuck; fits at that N may be another function, for the certificate is local; a few
// examples later every fit is the teacher's function, which nothing here proves.

namespace {

/// Two or three layers, and the numbers of examples that are tried.
struct TransitionSize {
    Index d;
    Index a;
    Index v;
    Index heads;
    Index layers;
    std::vector<Index> examples;
};

struct TransitionSetting {
    Index d = 2;
    Index a = 1;
    Index v = 1;
    Index heads = 1;
    Index layers = 2;
    Index examples = 5;
    std::uint64_t seed = 0;
    Index repetition = 0;
    Index starts = 4;  ///< from far; the first that fits its examples counts

    friend bool operator==(const TransitionSetting&, const TransitionSetting&) = default;

    [[nodiscard]] Stream stream() const {
        return Stream(seed)
            .child("depth_transition")
            .child(formatted("{}_{}_{}_{}_{}", d, a, v, heads, layers))
            .child(repetition);
    }
};

/// A teacher, what it says of N examples and of fresh ones, and what the examples prove.
struct TransitionProblem {
    Stack teacher;
    StackTargets training;
    StackTargets fresh;
    LocalStack local;
};

using TransitionProblems = LastProblem<TransitionSetting, TransitionProblem>;

constexpr Index kTransitionTokens = 3;
constexpr Index kFreshExamples = 200;
constexpr double kTransitionScale = 0.7;
constexpr double kNear = 0.1;
/// |residuals| over |y| below which a start has fitted its examples.
constexpr double kFitted = 1e-9;
/// Error on fresh examples below which a fit is the teacher's function.
constexpr double kSameFunction = 1e-6;

StackShape transition_shape(const TransitionSetting& setting) {
    StackLayer layer;
    layer.heads = layer.groups = setting.heads;
    layer.key_size = setting.a;
    layer.value_size = setting.v;
    layer.residual = layer.causal = true;
    StackShape shape;
    shape.d = setting.d;
    shape.layers.assign(static_cast<std::size_t>(setting.layers), layer);
    shape.readout = Readout::last;
    return shape;
}

std::vector<double> normal_parameters(const StackShape& shape, double scale, const Stream& stream) {
    const Matrix theta =
        scale * grid_matrix(grid_normal(), layout_of(shape).num_parameters, 1, stream);
    return {theta.data(), theta.data() + theta.size()};
}

/// The first examples of one stream, so that more examples are those and others.
StackTargets labelled_examples(const Stack& teacher, Index examples, const Stream& stream) {
    StackTargets targets;
    targets.y = Vector(examples * teacher.shape.d);
    for (Index i = 0; i < examples; ++i) {
        targets.inputs.emplace_back(
            kTransitionScale *
            grid_matrix(grid_normal(), teacher.shape.d, kTransitionTokens, stream.child(i)));
        targets.y.segment(i * teacher.shape.d, teacher.shape.d) =
            outputs(teacher, targets.inputs.back());
    }
    return targets;
}

Dataset dataset_of(const std::vector<Matrix>& inputs) {
    const Index d = inputs.front().rows();
    Matrix all(d, static_cast<Index>(inputs.size()) * kTransitionTokens);
    Dataset data;
    data.offsets.push_back(0);
    for (const Matrix& X : inputs) {
        all.middleCols(data.offsets.back(), X.cols()) = X;
        data.offsets.push_back(data.offsets.back() + X.cols());
    }
    data.tokens = TokenMatrix(std::move(all));
    return data;
}

TransitionProblem transition_problem(const TransitionSetting& setting) {
    TransitionProblem problem;
    problem.teacher.shape = transition_shape(setting);
    problem.teacher.parameters = normal_parameters(
        problem.teacher.shape, kTransitionScale, setting.stream().child("teacher"));
    problem.teacher.constants.resize(problem.teacher.shape.layers.size());
    problem.training =
        labelled_examples(problem.teacher, setting.examples, setting.stream().child("examples"));
    problem.fresh =
        labelled_examples(problem.teacher, kFreshExamples, setting.stream().child("fresh"));
    problem.local = local_stack(dataset_of(problem.training.inputs), problem.teacher);
    return problem;
}

enum class TransitionStart : std::uint8_t { near, far };
constexpr Choices<TransitionStart, 2> kTransitionStarts{
    {{TransitionStart::near, "near"}, {TransitionStart::far, "far"}}};

StackAt<double> start_of(const TransitionSetting& setting,
                         const Stack& teacher,
                         TransitionStart from,
                         Index number) {
    StackAt<double> start = in_doubles(teacher);
    const bool near = from == TransitionStart::near;
    const std::vector<double> drawn =
        normal_parameters(teacher.shape,
                          near ? kNear : kTransitionScale,
                          setting.stream().child(name_of(kTransitionStarts, from)).child(number));
    for (std::size_t k = 0; k < drawn.size(); ++k) {
        start.parameters[k] = drawn[k] + (near ? start.parameters[k] : 0.0);
    }
    return start;
}

CaseOutcome fit_from(const TransitionSetting& setting,
                     TransitionStart from,
                     TransitionProblems& problems) {
    const std::shared_ptr<const TransitionProblem> problem = problems.of(setting);
    StackAt<double> student;
    StackFit fit;
    Index starts = 0;
    do {
        student = start_of(setting, problem->teacher, from, starts);
        fit = fit_stack(student, problem->training);
        student.parameters = fit.parameters;
        ++starts;
    } while (fit.relative >= kFitted && from == TransitionStart::far && starts < setting.starts);
    const double fresh = residuals(student, problem->fresh).norm() / problem->fresh.y.norm();
    const bool fitted = fit.relative < kFitted;
    const LocalStack& local = problem->local;
    CaseOutcome outcome;
    Metrics& metrics = outcome.metrics;
    const auto proved = [](Index number) {
        return Metric{static_cast<double>(number), 0.0, "", std::to_string(number)};
    };
    metrics["parameters"] = proved(local.parameters);
    metrics["dimension"] = local.dimension_proved ? proved(local.dimension)
                                                  : Metric{static_cast<double>(local.dimension)};
    metrics["rank"] = proved(local.rank);
    metrics["determined"] = proved(local.verdict == StackVerdict::determined ? 1 : 0);
    metrics["fitted"] = {fitted ? 1.0 : 0.0, {}, "success"};
    metrics["same_function"] = {fitted && fresh < kSameFunction ? 1.0 : 0.0, {}, "success"};
    metrics["train_relative"] = {fit.relative};
    metrics["fresh_relative"] = {fresh};
    metrics["starts_used"] = {static_cast<double>(starts)};
    metrics["steps"] = {static_cast<double>(fit.steps), {}, "steps"};
    return outcome;
}

Case transition_case(const TransitionSetting& setting,
                     TransitionStart from,
                     const std::shared_ptr<TransitionProblems>& problems) {
    CaseKey key;
    key.task = "random_stack";
    key.parameters = {{"d", std::int64_t{setting.d}},
                      {"a", std::int64_t{setting.a}},
                      {"v", std::int64_t{setting.v}},
                      {"heads", std::int64_t{setting.heads}},
                      {"layers", std::int64_t{setting.layers}},
                      {"num_examples", std::int64_t{setting.examples}}};
    key.learner = std::string(name_of(kTransitionStarts, from));
    if (from == TransitionStart::far) {
        key.learner_parameters = {{"starts", std::int64_t{setting.starts}}};
    }
    key.seed = setting.seed;
    key.stream = setting.stream().path();
    key.repetition = setting.repetition;
    return {key, [=] { return fit_from(setting, from, *problems); }};
}

std::vector<TransitionSize> transition_sizes(Profile profile) {
    std::vector<TransitionSize> sizes{{2, 1, 1, 1, 2, {3, 4, 5, 6, 7, 8, 9}},
                                      {2, 2, 2, 1, 2, {4, 5, 6, 7, 8, 10, 14}},
                                      {2, 1, 1, 1, 3, {5, 6, 7, 8, 9, 12, 16}}};
    if (profile == Profile::full) {
        sizes.push_back({2, 2, 2, 1, 3, {8, 9, 10, 11, 12, 16, 22}});
        sizes.push_back({3, 1, 1, 1, 2, {4, 5, 6, 7, 8, 10, 12}});
        sizes.push_back({3, 1, 1, 2, 2, {9, 10, 11, 12, 13, 16, 24}});
    }
    return sizes;
}

Experiment make_depth_transition(Profile profile, std::uint64_t seed) {
    Experiment experiment{"depth_transition", profile, seed};
    const auto problems = std::make_shared<TransitionProblems>(transition_problem);
    const bool quick = profile == Profile::quick;
    for (const TransitionSize& size : transition_sizes(profile)) {
        for (const Index examples : size.examples) {
            for (Index repetition = 0; repetition < (quick ? 12 : 24); ++repetition) {
                const TransitionSetting setting{size.d,
                                                size.a,
                                                size.v,
                                                size.heads,
                                                size.layers,
                                                examples,
                                                seed,
                                                repetition,
                                                quick ? 4 : 10};
                for (const TransitionStart from : {TransitionStart::near, TransitionStart::far}) {
                    experiment.cases.push_back(transition_case(setting, from, problems));
                }
            }
        }
    }
    return experiment;
}

const std::vector<std::string>& size_fields() {
    static const std::vector<std::string> kFields{"layers", "d", "a", "v", "heads"};
    return kFields;
}

bool is_set(const Row& row, const std::string& metric) {
    return finite_metric(row, metric).value_or(0.0) > 0.5;
}

/// Rows of starts that fitted their examples.
std::vector<Row> fits_of(std::vector<Row> rows) {
    std::erase_if(rows, [](const Row& row) { return !is_set(row, "fitted"); });
    return rows;
}

/// Rows of starts that ended elsewhere: optimisation failed, which says nothing of the data.
std::vector<Row> stuck_of(std::vector<Row> rows) {
    std::erase_if(rows, [](const Row& row) { return is_set(row, "fitted"); });
    return rows;
}

Cell sum_cell(const std::vector<Row>& rows, const std::string& metric) {
    return whole(cell_of(group_rows(rows, {}, metric).front(), Statistic::sum));
}

/// The median over rows that fitted their examples; nothing where none did.
Cell fit_error(const std::vector<Row>& rows) {
    const std::vector<Row> fits = fits_of(rows);
    return fits.empty()
               ? Cell()
               : cell_of(group_rows(fits, {}, "fresh_relative").front(), Statistic::median);
}

Table transition_table(const std::vector<Row>& rows) {
    const NumberFormat two{NumberFormat::Style::significant, 2};
    Table table;
    table.columns = {{"layers"},
                     {"d"},
                     {"a"},
                     {"v"},
                     {are_exact(rows, "dimension") ? "D (proved)" : "D"},
                     {"examples N"},
                     {"N·o/D", Alignment::right, two},
                     {"rank (proved)"},
                     {"near: fits"},
                     {"error", Alignment::right, two},
                     {"far: fits"},
                     {"error", Alignment::right, two},
                     {"the teacher's function"}};
    std::vector<std::string> fields = size_fields();
    fields.emplace_back("num_examples");
    for (const std::vector<Row>& mine : split_rows(rows, fields)) {
        const std::vector<Row> near = select_rows(mine, "learner", "near");
        const std::vector<Row> far = select_rows(mine, "learner", "far");
        if (near.empty() || far.empty() || near.front().status != RowStatus::ok) {
            continue;
        }
        const Row& first = near.front();
        table.rows.push_back(
            {setting_cell(first, "layers"),
             setting_cell(first, "d"),
             setting_cell(first, "a"),
             setting_cell(first, "v"),
             whole(metric_cell(first, "dimension")),
             setting_cell(first, "num_examples"),
             computed_cell({first},
                           "num_examples d / dimension",
                           [](const std::vector<Row>& one) {
                               return number_field(one.front(), "num_examples") *
                                      number_field(one.front(), "d") /
                                      one.front().metrics.at("dimension").value;
                           }),
             whole(cell_of(group_rows(near, {}, "rank").front(), Statistic::least)),
             sum_cell(near, "fitted"),
             fit_error(near),
             sum_cell(far, "fitted"),
             fit_error(far),
             sum_cell(far, "same_function")});
    }
    return table;
}

/// A point a row, on the floor where doubles end.
constexpr double kFloor = 1e-17;

Series marks_of(const std::string& name, const std::vector<Row>& rows) {
    Series series{name, {}, SeriesStyle::points};
    for (const Row& row : rows) {
        const double y = std::max(kFloor, row.metrics.at("fresh_relative").value);
        series.points.push_back({number_field(row, "num_examples"), y, y, y});
    }
    return series;
}

/// Medians of fits from nearby.
Series median_line(const std::vector<Row>& near) {
    Series series{"near the teacher: median of fits", {}, SeriesStyle::line};
    for (const RowGroup& group : group_rows(fits_of(near), {"num_examples"}, "fresh_relative")) {
        const double y = std::max(kFloor, group.summary.median);
        const auto x = static_cast<double>(std::get<std::int64_t>(group.keys.front()));
        series.points.push_back({x, y, y, y});
    }
    std::sort(series.points.begin(), series.points.end(), [](const Point& a, const Point& b) {
        return a.x < b.x;
    });
    return series;
}

/// The first number of examples on which every repetition has this rank.
std::optional<double> examples_to_rank(const std::vector<Row>& rows, double dimension) {
    std::optional<double> fewest;
    for (const RowGroup& group : group_rows(rows, {"num_examples"}, "rank")) {
        const auto N = static_cast<double>(std::get<std::int64_t>(group.keys.front()));
        if (group.summary.min >= dimension && N < fewest.value_or(HUGE_VAL)) {
            fewest = N;
        }
    }
    return fewest;
}

Panel transition_panel(const std::vector<Row>& rows) {
    const Row& first = rows.front();
    const auto number = [&](const char* name) {
        return static_cast<Index>(std::lround(number_field(first, name)));
    };
    const double dimension = first.metrics.at("dimension").value;
    Panel panel;
    panel.title = formatted("{} layers, d = {}, a = v = {}{}: D = {}",
                            number("layers"),
                            number("d"),
                            number("a"),
                            number("heads") == 1 ? "" : formatted(", H = {}", number("heads")),
                            static_cast<Index>(dimension));
    panel.x = {"examples N"};
    // Above the largest errors there is room for the guide's label.
    panel.y = {"error on fresh examples", Scale::log10, kFloor, 1e9};
    if (const std::optional<double> N = examples_to_rank(rows, dimension)) {
        panel.guides = {{Guide::Direction::vertical, *N, formatted("rank D at N = {}", *N)}};
    }
    panel.legend = Legend::none;
    const std::vector<Row> near = select_rows(rows, "learner", "near");
    const std::vector<Row> far = select_rows(rows, "learner", "far");
    panel.series = {median_line(near)};
    for (const Series& series : {marks_of("near the teacher: fits", fits_of(near)),
                                 marks_of("from far: fits", fits_of(far)),
                                 marks_of("from far: stuck", stuck_of(far))}) {
        if (!series.points.empty()) {
            panel.series.push_back(series);
        }
    }
    return panel;
}

Figure transition_figure(const std::vector<Row>& rows) {
    Figure figure;
    figure.title = "Where data begin to determine a stack of layers";
    figure.panel_width = 480;
    figure.panel_height = 400;
    figure.columns = 3;
    figure.legend = Legend::below;
    for (const std::vector<Row>& mine : split_rows(rows, size_fields())) {
        const std::vector<Row> ok = select_rows(mine, "status", "ok");
        if (!ok.empty()) {
            figure.panels.push_back(transition_panel(ok));
        }
    }
    return figure;
}

std::string depth_transition_text(const std::vector<Row>& rows) {
    return "Stacks fitted to N examples: median error on fresh ones, over those that fit\n" +
           to_terminal(transition_table(rows));
}

Derived depth_transition_derived(const std::vector<Row>& rows) {
    return {{{"depth_transition", transition_table(rows)}},
            {{"depth_transition", transition_figure(rows)}}};
}

}  // namespace

ExperimentEntry depth_transition() {
    return {.id = "depth_transition",
            .summary = "stacks of layers fitted to few examples: the jump at the proved number",
            .quick_seconds = 10.0,
            .full_seconds = 120.0,
            .make = make_depth_transition,
            .text = depth_transition_text,
            .derive_numbered = depth_transition_derived};
}

}  // namespace attest
