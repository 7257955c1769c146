#include "bench/experiments/memory/fig2.hpp"

#include "bench/experiments/entries.hpp"
#include "bench/experiments/frame/group_table.hpp"
#include "core/certify/rank/exact_rank.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/predict.hpp"
#include "core/model/forward.hpp"
#include "core/rng/sample.hpp"
#include "core/solve/orthogonal.hpp"
#include "core/solve/other_minimisers.hpp"
#include "record/cells.hpp"
#include "tasks/associative_memory.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace attest {

// Figure 2 of arXiv 2410.10101: associative memory. Data mix Gaussian and unitary sequences; the
// paper's claim is that the distance between the learned and the true coefficients falls as
// λ_min(Λ_D) grows.
//
// Expected outcome: λ_min falls to 0 with the number of Gaussian sequences, and is exactly 0 on
// unitary data alone (nullity 2d(d²−1)/3). Whether the distance follows depends on which minimiser
// a learner returns and on which teacher made the labels: the minimum-norm fit of the paper's own
// teacher is exact even at λ_min = 0.

namespace {

constexpr double kRidge = 1e-3;
constexpr Index kDescentSteps = 1000;

Stream fig2_stream(const Fig2Setting& setting, std::string_view learner) {
    return Stream(setting.seed).child("fig2").child(learner).child(setting.repetition);
}

Matrix minimum_norm(const Fig2Problem& problem, Fig2Labels labels) {
    return fit_svd(problem.with_labels(labels), problem.fresh.d(), {}).P;
}

Matrix learn_minimum_norm(const Fig2Problem& problem, const Fig2Setting& /*setting*/) {
    return minimum_norm(problem, Fig2Labels::exact);
}

Matrix learn_from_noise(const Fig2Problem& problem, const Fig2Setting& /*setting*/) {
    return minimum_norm(problem, Fig2Labels::noisy);
}

Matrix learn_from_printed(const Fig2Problem& problem, const Fig2Setting& /*setting*/) {
    return minimum_norm(problem, Fig2Labels::printed);
}

Matrix learn_random_erm(const Fig2Problem& problem, const Fig2Setting& setting) {
    return fit_random_erm(problem.with_labels(Fig2Labels::exact),
                          problem.fresh.d(),
                          {},
                          1.0,
                          fig2_stream(setting, "random_erm"))
        .P;
}

Matrix learn_ridge(const Fig2Problem& problem, const Fig2Setting& /*setting*/) {
    return fit_svd(problem.with_labels(Fig2Labels::exact), problem.fresh.d(), {kRidge}).P;
}

Matrix learn_gradient_descent(const Fig2Problem& problem, const Fig2Setting& setting) {
    const Stream stream = fig2_stream(setting, "gradient_descent");
    const Matrix start =
        grid_matrix(grid_normal(), problem.truth.rows(), problem.truth.cols(), stream);
    return gradient_descent(problem.with_labels(Fig2Labels::exact), start, {kDescentSteps});
}

struct Fig2Learner {
    std::string_view name;
    Matrix (*learn)(const Fig2Problem&, const Fig2Setting&);
    bool noisy = false;
};

constexpr std::array kFig2Learners{
    Fig2Learner{"minimum_norm", learn_minimum_norm},
    Fig2Learner{"random_erm", learn_random_erm},
    Fig2Learner{"ridge", learn_ridge},
    Fig2Learner{"gradient_descent", learn_gradient_descent},
    Fig2Learner{"minimum_norm_noise", learn_from_noise, true},
    Fig2Learner{"minimum_norm_printed", learn_from_printed},
};

/// σ √(o · tr Λ⁺ / N): the root mean square of ‖P̂ − P‖_F under label noise σ, if the noise is all
/// that is wrong.
double predicted_distance(const Fig2Problem& problem, double sigma) {
    const NumericalSpectrum& spectrum = problem.spectrum;
    const double trace = spectrum.sigma.head(spectrum.rank).array().square().inverse().sum();
    return sigma * std::sqrt(static_cast<double>(problem.truth.cols()) * trace /
                             static_cast<double>(problem.factor.num_examples));
}

CaseOutcome measure(const Fig2Learner& learner,
                    const Fig2Setting& setting,
                    Fig2Problems& problems) {
    const std::shared_ptr<const Fig2Problem> problem = problems.of(setting);
    const Matrix P = learner.learn(*problem, setting);
    const double distance = (P - problem->truth).norm();
    CaseOutcome outcome;
    outcome.metrics["distance"] = {distance};
    outcome.metrics["relative_distance"] = {distance / problem->truth.norm()};
    outcome.metrics["ood_relative"] = {empirical_risk(P, DatasetSource(problem->fresh)).relative};
    outcome.metrics["lambda_min"] = {problem->spectrum.lambda_min,
                                     problem->spectrum.lambda_min_bound()};
    outcome.metrics["psi"] = {static_cast<double>(problem->spectrum.psi)};
    outcome.metrics["rank"] = {static_cast<double>(problem->spectrum.rank)};
    if (learner.noisy) {
        outcome.metrics["predicted_distance"] = {predicted_distance(*problem, setting.sigma)};
    }
    return outcome;
}

Case learner_case(const Fig2Learner& learner,
                  const Fig2Setting& setting,
                  const std::shared_ptr<Fig2Problems>& problems) {
    CaseKey key = fig2_key(setting);
    key.learner = learner.name;
    if (learner.name == "ridge") {
        key.learner_parameters = {{"penalty", kRidge}};
    } else if (learner.name == "gradient_descent") {
        key.learner_parameters = {{"steps", std::int64_t{kDescentSteps}}};
    } else if (learner.noisy) {
        key.learner_parameters = {{"sigma", setting.sigma}};
    }
    key.stream = fig2_stream(setting, learner.name).path();
    return {key, [&learner, setting, problems] { return measure(learner, setting, *problems); }};
}

/// Numbers of Gaussian sequences, from 5 % of N down to none, denser where the rank is about to
/// drop: unitary data lack 40 dimensions at d = 4 and every Gaussian sequence gives back one.
std::vector<Index> gaussian_counts(Index N, Profile profile) {
    if (profile == Profile::quick) {
        return {N / 20, 100, 60, 50, 45, 40, 30, 20, 10, 0};
    }
    return {N / 20, N / 25, N / 50, N / 100, 120, 100, 80, 60, 50, 45, 42, 40, 38, 30, 20, 10, 0};
}

Experiment make_fig2(Profile profile, std::uint64_t seed) {
    const bool quick = profile == Profile::quick;
    const Index N = quick ? 4096 : 16384;
    const Index repetitions = quick ? 5 : 10;
    Experiment experiment{"fig2", profile, seed};
    const auto problems = std::make_shared<Fig2Problems>(fig2_problem);
    for (const Index count : gaussian_counts(N, profile)) {
        for (Index repetition = 0; repetition < repetitions; ++repetition) {
            for (const char* teacher : {"paper", "random"}) {
                const Fig2Setting setting{4, N, count, teacher, 0.1, seed, repetition};
                for (const Fig2Learner& learner : kFig2Learners) {
                    // Equation 14 speaks of the paper's teacher only.
                    if (learner.name != "minimum_norm_printed" || setting.teacher == "paper") {
                        experiment.cases.push_back(learner_case(learner, setting, problems));
                    }
                }
            }
        }
    }
    for (Case& exact : fig2_exact_rank_cases(seed)) {
        experiment.cases.push_back(std::move(exact));
    }
    return experiment;
}

/// The least common denominator of a rational matrix.
Integer common_denominator(const MatrixOf<Rational>& Z) {
    Integer result = 1;
    for (Index k = 0; k < Z.size(); ++k) {
        result = lcm(result, Integer(denominator(Z.data()[k])));
    }
    return result;
}

/// Unitary sequences first, then Gaussian ones, all exact in double: a unitary Z is multiplied by
/// its common denominator, which multiplies H(Z) by the cube and leaves every rank as it is.
Dataset exact_dataset(Index d, Index num_unitary, Index num_gaussian, std::uint64_t seed) {
    AssociativeMemoryOptions options;
    options.d = d;
    options.orthogonal = OrthogonalKind::rational;
    options.num_gaussian = num_gaussian;
    const AssociativeMemory task(options, Stream(seed).child("fig2").child("exact"));
    const Index n = d + 1;
    Dataset data;
    Matrix tokens(2 * d, n * (num_unitary + num_gaussian));
    data.offsets.push_back(0);
    for (Index i = 0; i < num_unitary + num_gaussian; ++i) {
        // The task's Gaussian sequences come first; here the unitary ones do.
        const Index drawn = i < num_unitary ? num_gaussian + i : i - num_unitary;
        const MatrixOf<Rational> Z = task.draw_exact(drawn);
        const MatrixOf<Rational> integral = Z * Rational(common_denominator(Z));
        for (Index k = 0; k < integral.size(); ++k) {
            const auto entry = integral.data()[k].convert_to<double>();
            ensure(Rational(entry) == integral.data()[k], "fig2: a scaled entry is not a double");
            tokens.data()[i * Z.size() + k] = entry;
        }
        data.offsets.push_back((i + 1) * n);
    }
    data.tokens = std::move(tokens);
    return data;
}

/// Lower bound: pivots of the whole set modulo a prime. Upper bound: the unitary part's, proved by
/// null vectors that annihilate every unitary example over Z, plus one for every Gaussian example.
CaseOutcome prove_rank(Index d, Index num_gaussian, std::uint64_t seed) {
    const Index psi = feature_dim(2 * d);
    const Index num_unitary = psi + 20;
    const Dataset all = exact_dataset(d, num_unitary, num_gaussian, seed);
    const Index upper =
        std::min(psi, certify_rank(subset(all, 0, num_unitary)).rank_upper + num_gaussian);
    const Index lower = certify_rank(all, {NullVectors::none, {}}).rank_lower;
    CaseOutcome outcome;
    const auto exact = [&](const char* name, Index value) {
        outcome.metrics[name] = {static_cast<double>(value), 0.0, "", std::to_string(value)};
    };
    exact("d", d);
    exact("psi", psi);
    exact("num_unitary", num_unitary);
    exact("num_gaussian", num_gaussian);
    exact("rank", lower);
    exact("nullity", psi - lower);
    exact("proved", lower == upper ? 1 : 0);
    return outcome;
}

constexpr Index kFreshSequences = 1000;

AssociativeMemoryOptions options_of(const Fig2Setting& setting) {
    AssociativeMemoryOptions options;
    options.d = setting.d;
    options.num_gaussian = setting.num_gaussian;
    options.orthogonal = OrthogonalKind::haar;  // the paper's law; ranks of this data are numerical
    options.teacher = setting.teacher == "paper" ? MemoryTeacher::paper : MemoryTeacher::random;
    return options;
}

/// The data's labels three times over: exact, with noise, and without the query column's own
/// contribution, which is what equation 14 prints.
Dataset with_three_labels(const Dataset& data, double sigma, const Stream& noise) {
    const Parameters& theta = *data.truth.heads;
    const Index o = theta.o;
    Dataset labelled = data;
    labelled.y.resize(3 * o, data.num_sequences());
    labelled.y.topRows(o) = data.y;
    labelled.y.middleRows(o, o) =
        data.y + sigma * grid_matrix(grid_normal(), o, data.num_sequences(), noise);
    for (Index i = 0; i < data.num_sequences(); ++i) {
        const Matrix Z = data.sequence(i);
        const Matrix memories = Z.leftCols(Z.cols() - 1);
        labelled.y.col(i).tail(o) = attend<double>(theta, memories, Z.col(Z.cols() - 1));
    }
    return labelled;
}

using Names = std::vector<std::string>;

const Names kTeachers{"paper", "random"};

std::vector<Row> rows_of_learner(const std::vector<Row>& rows,
                                 const std::string& teacher,
                                 const std::string& learner) {
    return select_rows(select_rows(rows, "teacher", teacher), "learner", learner);
}

/// Median of a metric for each number of Gaussian sequences, which decreases.
std::vector<RowGroup> groups_by_mixture(const std::vector<Row>& rows, const std::string& metric) {
    return group_rows(rows, {"num_gaussian"}, metric);
}

/// The learners that were run, in the order of their cases.
Names learners_of(const std::vector<Row>& rows, const std::string& teacher) {
    return distinct_values(select_rows(rows, "teacher", teacher), "learner");
}

/// One line per mixture, one column per learner: medians over seeds of `metric`.
Table pivot(const std::vector<Row>& rows, const std::string& teacher, const std::string& metric) {
    std::vector<GroupColumn> columns{
        {"lambda_min", kThreeDigits, "λ_min", Statistic::median, "minimum_norm"},
        {"rank", {}, "rank", Statistic::median, "minimum_norm"}};
    for (const std::string& learner : learners_of(rows, teacher)) {
        columns.push_back({metric, kThreeDigits, spaced(learner), Statistic::median, learner});
    }
    Table table = group_table(
        select_rows(rows, "teacher", teacher), {{"num_gaussian", "Gaussian sequences"}}, columns);
    for (std::vector<Cell>& line : table.rows) {
        line[2] = whole(line[2]);
    }
    return table;
}

Table exact_ranks(const std::vector<Row>& rows) {
    Table table;
    table.columns = {{"d"}, {"psi"}, {"unitary"}, {"Gaussian"}, {"rank"}, {"nullity"}, {"proved"}};
    for (const Row& row : select_rows(rows, "learner", "exact_rank")) {
        if (row.status != RowStatus::ok) {
            continue;
        }
        const auto metric = [&](const std::string& name) { return whole(metric_cell(row, name)); };
        const bool proved = row.metrics.at("proved").value > 0.5;
        table.rows.push_back({metric("d"),
                              metric("psi"),
                              metric("num_unitary"),
                              metric("num_gaussian"),
                              metric("rank"),
                              metric("nullity"),
                              text_cell(proved ? "yes" : "no", {row}, "proved")});
    }
    return table;
}

/// The axis all panels share. More Gaussian sequences than this change nothing any more; the tables
/// have them.
constexpr double kLargestCount = 120.0;

/// Medians with the range over seeds as error bar.
Series mixture_curve(const std::string& name, const std::vector<RowGroup>& groups) {
    Series series{name};
    for (const RowGroup& group : groups) {
        const double count = to_number(group.keys[0], "num_gaussian");
        if (group.summary.count > 0 && count <= kLargestCount) {
            series.points.push_back(
                {count, group.summary.median, group.summary.min, group.summary.max});
        }
    }
    return series;
}

Panel panel_over_counts(const std::string& title, const std::string& label) {
    Panel panel;
    panel.title = title;
    panel.x = {"Gaussian sequences, all others unitary"};
    panel.y = {label, Scale::log10};
    panel.guides = {{Guide::Direction::vertical, 40.0, ""}};
    panel.legend = Legend::none;
    return panel;
}

/// One curve per learner.
Panel learners_panel(const std::vector<Row>& rows,
                     const std::string& teacher,
                     const std::string& metric,
                     const std::string& title,
                     const std::string& label) {
    Panel panel = panel_over_counts(title, label);
    for (const std::string& learner : learners_of(rows, teacher)) {
        const Series series = mixture_curve(
            spaced(learner), groups_by_mixture(rows_of_learner(rows, teacher, learner), metric));
        if (!series.points.empty()) {
            panel.series.push_back(series);
        }
    }
    return panel;
}

/// λ_min, drawn as 0 where floating point sees a deficiency: what is left there is rounding.
Panel certificate_panel(const std::vector<Row>& rows) {
    Panel panel = panel_over_counts("The certificate", "λ_min(Λ_D), numerical");
    std::vector<Row> mine = rows_of_learner(rows, "paper", "minimum_norm");
    for (Row& row : mine) {
        if (row.status == RowStatus::ok &&
            row.metrics.at("rank").value < row.metrics.at("psi").value) {
            row.metrics["lambda_min"].value = 0.0;
        }
    }
    panel.guides[0].label = "nullity of unitary data";
    panel.series.push_back(mixture_curve("λ_min", groups_by_mixture(mine, "lambda_min")));
    return panel;
}

}  // namespace

ExperimentEntry fig2() {
    return {.id = "fig2",
            .summary = "associative memory: identifiability decides which minimiser generalises",
            .quick_seconds = 15.0,
            .full_seconds = 140.0,
            .make = make_fig2,
            .text = fig2_text,
            .derive_numbered = fig2_derived};
}

std::vector<Case> fig2_exact_rank_cases(std::uint64_t seed) {
    std::vector<Case> cases;
    for (const Index d : {2, 3, 4}) {
        const Index nullity = 2 * d * (d * d - 1) / 3;
        for (const Index num_gaussian : std::array<Index, 4>{0, 1, nullity - 1, nullity}) {
            CaseKey key;
            key.task = "associative_memory";
            key.parameters = {{"d", std::int64_t{d}},
                              {"num_gaussian", std::int64_t{num_gaussian}},
                              {"orthogonal", std::string("cayley")}};
            key.learner = "exact_rank";
            key.seed = seed;
            key.stream = Stream(seed).child("fig2").child("exact").path();
            key.precision = "exact";
            cases.push_back({key, [=] { return prove_rank(d, num_gaussian, seed); }});
        }
    }
    return cases;
}

TriangularFactor Fig2Problem::with_labels(Fig2Labels labels) const {
    TriangularFactor chosen = factor;
    const Index o = truth.cols();
    chosen.C = factor.C.middleCols(static_cast<Index>(labels) * o, o);
    return chosen;
}

CaseKey fig2_key(const Fig2Setting& setting) {
    CaseKey key;
    key.task = "associative_memory";
    key.parameters = {{"d", std::int64_t{setting.d}},
                      {"num_sequences", std::int64_t{setting.N}},
                      {"num_gaussian", std::int64_t{setting.num_gaussian}},
                      {"teacher", setting.teacher}};
    key.seed = setting.seed;
    key.repetition = setting.repetition;
    return key;
}

Fig2Problem fig2_problem(const Fig2Setting& setting) {
    const Stream root = Stream(setting.seed).child("fig2").child("data").child(setting.repetition);
    const AssociativeMemory task(options_of(setting), root);
    Fig2Problem problem;
    problem.data = materialise(task, 0, setting.N, 1);
    problem.truth = coefficients(*problem.data.truth.heads);
    const Dataset labelled = with_three_labels(problem.data, setting.sigma, root.child("noise"));
    problem.factor = triangular_factor(DatasetSource(labelled));
    problem.spectrum = numerical_spectrum(problem.factor);
    Fig2Setting gaussian = setting;
    gaussian.num_gaussian = setting.N + kFreshSequences;
    // Sequences from N on were not trained on.
    problem.fresh =
        materialise(AssociativeMemory(options_of(gaussian), root), setting.N, kFreshSequences, 1);
    return problem;
}

std::string fig2_text(const std::vector<Row>& rows) {
    std::string text;
    for (const std::string& teacher : kTeachers) {
        text += "Distance ‖p(Θ) − p(Θ̂)‖_F, " + teacher + " teacher, median over seeds\n" +
                to_terminal(pivot(rows, teacher, "distance")) + "\n";
    }
    text += "Out-of-distribution error on Gaussian data (relative), random teacher\n" +
            to_terminal(pivot(rows, "random", "ood_relative")) + "\n";
    text += "Exact rank, rational orthogonal keys\n" + to_terminal(exact_ranks(rows)) + "\n";
    return text;
}

Derived fig2_derived(const std::vector<Row>& rows) {
    Derived derived;
    for (const std::string& teacher : kTeachers) {
        derived.tables.push_back({"fig2_distance_" + teacher, pivot(rows, teacher, "distance")});
        derived.tables.push_back({"fig2_ood_" + teacher, pivot(rows, teacher, "ood_relative")});
    }
    derived.tables.push_back({"fig2_rank", exact_ranks(rows)});
    Figure figure;
    figure.title = "Associative memory: what the data determine, and what learners return";
    figure.columns = 2;
    const std::string distance = "‖p(Θ) − p(Θ̂)‖_F";
    figure.panels = {
        certificate_panel(rows),
        learners_panel(rows, "paper", "distance", "Distance, the paper's teacher", distance),
        learners_panel(rows, "random", "distance", "Distance, a random teacher", distance),
        learners_panel(rows,
                       "random",
                       "ood_relative",
                       "Error on Gaussian data, a random teacher",
                       "relative out-of-distribution error")};
    figure.panels[1].legend = Legend::right;
    figure.panels[3].legend = Legend::right;
    derived.figures.push_back({"fig2", figure});
    return derived;
}

}  // namespace attest
