#include "bench/experiments/entries.hpp"
#include "bench/experiments/frame/group_table.hpp"
#include "core/base/error.hpp"
#include "core/rng/sample.hpp"
#include "programs/learning/exhaust.hpp"
#include "programs/learning/learning_curve.hpp"
#include "programs/learning/trace_rows.hpp"

#include <algorithm>

namespace attest {

// What a learner of traces saves when it is told more, or shown less. Typed heads: only features
// that heads with the program's block types can read. Compressed tokens: every token z becomes E z
// with a random matrix E of signs with fewer rows.
//
// Expected outcome: types leave a few features in a hundred and a smaller rank, so that fewer
// training tokens certify. Compressed tokens keep everything while the rank survives, and then need
// the same training tokens. psi(d) must be at least the rank for that, which does not suffice.
// Where the rank is lost, labels contradict each other and learning is refused.

namespace {

/// How tokens are looked at: with d rows and all features, with typed features, or compressed.
struct View {
    std::string learner;
    Index rows = 0;  ///< of compressed tokens; 0: as many as before
};

Token compressed(const Token& token, const Matrix& E) {
    Vector sum = Vector::Zero(E.rows());
    for (const TokenEntry& entry : token) {
        sum += static_cast<double>(entry.value) * E.col(entry.row);
    }
    std::vector<TokenEntry> entries;
    for (Index i = 0; i < sum.size(); ++i) {
        entries.push_back({i, static_cast<std::int64_t>(sum(i))});  // small integers, exactly
    }
    return make_token(std::move(entries));
}

TraceSource compressed(TraceSource source, Matrix E) {
    return [source = std::move(source), E = std::move(E)](Index i) {
        Trace trace = source(i);
        for (std::vector<Token>* part : {&trace.prompt, &trace.generated}) {
            for (Token& token : *part) {
                token = compressed(token, E);
            }
        }
        return trace;
    };
}

CaseOutcome learn(const Program& program,
                  TraceSource train,
                  TraceSource test,
                  const View& view,
                  CurveOptions options,
                  const Stream& stream) {
    Index d = program.schema.dim();
    FeatureMask mask(static_cast<std::size_t>(feature_dim(d)), 1);
    if (view.learner == "typed_heads") {
        mask = typed_features(program);
    }
    if (view.rows > 0) {
        const Matrix E = grid_matrix(rademacher(), view.rows, d, stream.child("compression"));
        train = compressed(std::move(train), E);
        test = compressed(std::move(test), E);
        d = view.rows;
        mask.assign(static_cast<std::size_t>(feature_dim(d)), 1);
    }
    options.mask = &mask;
    CaseOutcome outcome;
    const auto add = [&](const char* name, Index value) {
        outcome.metrics[name] = {static_cast<double>(value)};
    };
    add("d", d);
    add("features", std::count(mask.begin(), mask.end(), 1));
    try {
        const LearningCurve curve = learning_curve(train, test, d, options);
        add("active_features", curve.active_features);
        add("classes", curve.classes);
        add("rank", curve.points.back().rank);
        add("certified_but_wrong", curve.points.back().wrong_certified);
        if (const LearningPoint* const found = first_certified(curve)) {
            add("tokens_certified", found->tokens);
            add("examples_certified", found->traces);
        } else {
            outcome.status = RowStatus::refused;
            outcome.message = "the traces offered do not certify every test token";
        }
    } catch (const InvalidInput& contradiction) {
        outcome.status = RowStatus::refused;
        outcome.message = contradiction.what();
    }
    return outcome;
}

CaseOutcome learn_automata(const View& view, const Stream& stream) {
    const Dfa2 program({3, 3, 3});
    return learn(program.program(),
                 random_dfa_traces(program, stream.child("train")),
                 random_dfa_traces(program, stream.child("test")),
                 view,
                 {.most_traces = 4096, .test_traces = 128},
                 stream);
}

CaseOutcome learn_machines(const View& view, const Stream& stream) {
    const TuringShape shape{2, 1, 2, 2, Moves::left_right};
    const Utm2 program(shape);
    const TuringClass machines(shape, 5);
    constexpr Index kTest = 512;
    const std::vector<Index> runs = machines.sample(4096 + kTest, stream.child("runs"));
    const std::vector<Index> test(runs.begin(), runs.begin() + kTest);
    const std::vector<Index> train(runs.begin() + kTest, runs.end());
    return learn(program.program(),
                 class_traces(program, machines, train),
                 class_traces(program, machines, test),
                 view,
                 {.most_traces = 4096, .test_traces = kTest},
                 stream);
}

Case choice_case(const std::string& task, const View& view, std::uint64_t seed, Index repetition) {
    const Stream stream = Stream(seed).child("feature_choice").child(task).child(repetition);
    CaseKey key;
    key.task = task;
    key.learner = view.learner;
    key.learner_parameters = {{"rows", std::int64_t{view.rows}}};
    key.seed = seed;
    key.stream = stream.path();
    key.repetition = repetition;
    key.precision = "modulo 4194301";
    return {key, [=] {
                return task == "automata" ? learn_automata(view, stream)
                                          : learn_machines(view, stream);
            }};
}

Table choice_table(const std::vector<Row>& rows) {
    const NumberFormat whole{NumberFormat::Style::fixed, 0};
    return group_table(rows,
                       {"task", "learner", "rows"},
                       {{"d", whole},
                        {"features", whole},
                        {"classes", whole},
                        {"rank", whole},
                        {"tokens_certified", whole},
                        {"examples_certified", whole},
                        {"certified_but_wrong", whole}});
}

Experiment make_feature_choice(Profile profile, std::uint64_t seed) {
    Experiment experiment{"feature_choice", profile, seed};
    const Index repetitions = profile == Profile::quick ? 1 : 10;
    for (const char* task : {"automata", "machines"}) {
        for (const View& view : {View{"all_features"},
                                 View{"typed_heads"},
                                 View{"compressed", 20},
                                 View{"compressed", 16},
                                 View{"compressed", 12}}) {
            for (Index repetition = 0; repetition < repetitions; ++repetition) {
                experiment.cases.push_back(choice_case(task, view, seed, repetition));
            }
        }
    }
    return experiment;
}

std::string feature_choice_text(const std::vector<Row>& rows) {
    return "Training tokens until every test token is certified, median over seeds\n" +
           to_terminal(choice_table(rows)) +
           "\nno number: labels contradict each other, learning is refused\n";
}

Derived feature_choice_derived(const std::vector<Row>& rows) {
    return {.tables = {{"feature_choice", choice_table(rows)}}};
}

}  // namespace

ExperimentEntry feature_choice() {
    return {.id = "feature_choice",
            .summary = "traces learned with typed heads only, and from compressed tokens",
            .quick_seconds = 9.0,
            .full_seconds = 80.0,
            .make = make_feature_choice,
            .text = feature_choice_text,
            .derive_numbered = feature_choice_derived,
            .asks_for_refusals = true};
}

}  // namespace attest
