#include "core/base/text.hpp"
#include "programs/learning/exhaust.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"

namespace attest::yau2024 {

namespace {

constexpr TuringShape kShape{2, 1, 2, 2, Moves::left_right};
constexpr TuringShape kSmall{1, 1, 2, 2, Moves::left_right};
constexpr Index kSteps = 4;

/// Features that vanish on every row of every trace: S(P[0], P[1]) z(e) for each e, because no
/// token names two cells.
Index vanishing_features(const Utm2& program, const TuringClass& machines) {
    std::vector<Index> all;
    for (Index i = 0; i < machines.size(); ++i) {
        all.push_back(i);
    }
    const Index d = program.program().schema.dim();
    ColumnClasses classes(feature_dim(d));
    TraceRows rows(d);
    const TraceSource traces = class_traces(program, machines, all);
    for (Index i = 0; i < machines.size(); ++i) {
        rows.visit(traces(i), [&](auto row, auto /*label*/) { classes.observe(row); });
    }
    classes.close();
    return feature_dim(d) - classes.num_active();
}

Evidence run(const ClaimContext& context) {
    Evidence evidence;
    const Utm2 program(kShape);
    const TuringClass machines(kShape, kSteps);
    const Index d = program.program().schema.dim();
    const Utm2 small(kSmall);
    const TuringClass all(kSmall, kSteps);
    const Index vanishing = vanishing_features(small, all);
    evidence.check(Form::hypothesis,
                   vanishing == 0,
                   formatted("{} of {} features are 0 on every row of all {} runs of a one-state "
                             "class: lambda_min = 0 exactly, whatever the training set",
                             vanishing,
                             feature_dim(small.program().schema.dim()),
                             all.size()));
    const std::vector<Index> runs =
        machines.sample(context.pick(3200, 6400), context.stream.child("runs"));
    const LearnedProgram learned = learn_traces(
        class_traces(program, machines, runs), static_cast<Index>(runs.size()), d, Selection::all);
    const ExhaustReport found = exhaust(learned, program, machines, 1, SpanTest::over_z);
    evidence.check(
        Form::tested,
        found.runs_certified == found.runs_total && found.runs_exact == found.runs_total,
        formatted("with the span certificate instead: {} runs, rank {}, determine {} of {} runs, "
                  "each token verified over Z, and the learned layer prints {} of them",
                  learned.num_traces,
                  learned.rank,
                  found.runs_certified,
                  found.runs_total,
                  found.runs_exact));
    const std::vector<Index> few(runs.begin(), runs.begin() + 10);
    const LearnedProgram poor =
        learn_traces(class_traces(program, machines, few), 10, d, Selection::all);
    const ExhaustReport little = exhaust(poor, program, machines, 1);
    evidence.check(
        Form::control,
        little.runs_certified < little.runs_total && little.tokens_certified_but_wrong == 0,
        formatted("10 runs certify only {}, and no certified token is wrong",
                  little.runs_certified));
    return evidence;
}

}  // namespace

Claim lemma_a8_traces() {
    return {
        .id = "yau2024/lemma_a8_traces",
        .paper = "arXiv 2410.10101",
        .place = "Lemma 3.1, Lemma A.8, on traces of a universal Turing machine",
        .printed = kNotAtHand,
        .tested =
            "a layer learned from histories simulates every machine and word of the class "
            "once lambda_min of the second moment exceeds eta; or once every row of the "
            "class lies in the span of the training rows",
        .deviation = "the hypothesis cannot be met by one-hot tokens: the span replaces it",
        .depends_on = "yau2024/lemma_2_3 yau2024/lemma_b1",
        .method = Method::exact,
        .documented = Outcome::vacuous,
        .explain =
            "One-hot blocks make whole families of features vanish, e.g. S between two "
            "cells, so the second moment of traces is singular for every data set. The "
            "span certificate needs no full rank: all minimisers agree on a token if its "
            "features are a combination of training rows.",
        .run = run,
    };
}

}  // namespace attest::yau2024
