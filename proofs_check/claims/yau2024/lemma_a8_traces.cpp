#include "core/base/text.hpp"
#include "programs/learning/exhaust.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"

namespace attest::yau2024 {

namespace {

constexpr TuringShape kTracedShape{2, 1, 2, 2, Moves::left_right};
constexpr TuringShape kSmall{1, 1, 2, 2, Moves::left_right};
constexpr Index kTracedSteps = 4;

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

Evidence test_lemma_a8_traces(const ClaimContext& context) {
    Evidence evidence;
    const Utm2 program(kTracedShape);
    const TuringClass machines(kTracedShape, kTracedSteps);
    const Index d = program.program().schema.dim();
    const Utm2 small(kSmall);
    const TuringClass all(kSmall, kTracedSteps);
    const Index vanishing = vanishing_features(small, all);
    evidence.check(Form::tested,
                   vanishing > 0,
                   formatted("{} of {} features are 0 on every row of all {} runs of a one-state "
                             "class: lambda_min = 0 whatever the training set",
                             vanishing,
                             feature_dim(small.program().schema.dim()),
                             all.size()));
    const std::vector<Index> runs =
        machines.sample(context.pick(3200, 6400), context.stream.child("runs"));
    const SharedTest determined(
        evidence,
        [&](Index count, SpanTest span) -> Answer {
            const std::vector<Index> some(runs.begin(), runs.begin() + count);
            const LearnedProgram learned =
                learn_traces(class_traces(program, machines, some), count, d, Selection::all);
            const ExhaustReport found = exhaust(learned, program, machines, 1, span);
            return {
                found.runs_certified == found.runs_total && found.runs_exact == found.runs_total &&
                    found.tokens_certified_but_wrong == 0,
                formatted("{} random runs, rank {}, determine {} of all {} runs by the span "
                          "certificate{}, and the learned layer prints {} of them; certified but "
                          "wrong: {}",
                          count,
                          learned.rank,
                          found.runs_certified,
                          found.runs_total,
                          span == SpanTest::over_z ? ", each token verified over Z" : "",
                          found.runs_exact,
                          found.tokens_certified_but_wrong)};
        },
        kSampled);
    determined.check(Form::tested, static_cast<Index>(runs.size()), SpanTest::over_z);
    determined.control(Index{10}, SpanTest::random_words);
    return evidence;
}

}  // namespace

Claim lemma_a8_traces() {
    return {
        .id = "yau2024/lemma_a8_traces",
        .place = "Beside Lemma A.8: traces of a universal Turing machine",
        .tested =
            "lambda_min = 0 for every set of histories of a universal machine; yet once every row "
            "of a class lies in the span of the training rows, the learned layer simulates every "
            "machine and word of it",
        .depends_on = "yau2024/lemma_a8 yau2024/lemma_b1_overwriting",
        .method = Method::exact,
        .explain =
            "One-hot blocks make whole families of features vanish, e.g. S between two "
            "cells, so the second moment of traces is singular for every data set. The "
            "span certificate needs no full rank: all minimisers agree on a token if its "
            "features are a combination of training rows.",
        .run = test_lemma_a8_traces,
    };
}

}  // namespace attest::yau2024
