#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/turing.hpp"
#include "core/base/text.hpp"
#include "core/data/model_file.hpp"
#include "programs/language/coefficient_matrix.hpp"
#include "programs/learning/exhaust.hpp"
#include "record/json_text.hpp"

#include <cmath>
#include <ctime>
#include <iostream>
#include <memory>

namespace attest::cli {

namespace {

struct ExhaustOptions {
    TuringShape shape;
    Index steps = 6;
    Index train_runs = 3000;
    bool active = false;
    bool prove = false;
    std::string model;
};

double cpu_seconds() {
    return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

void show_learned(Output& output, const LearnedProgram& learned) {
    output.add("train_runs", learned.num_traces);
    output.add("train_tokens", learned.num_tokens);
    output.add("d", learned.coefficients.d);
    output.add("psi", feature_dim(learned.coefficients.d));
    output.add("active_features", learned.active_features);
    output.add("classes",
               learned.classes,
               formatted("{} of features that agree up to sign", learned.classes));
    output.add("rank", learned.rank, formatted("{}, proved over Q", learned.rank));
    output.add("coefficients", learned.coefficients.entries.size());
    output.add("denominator", learned.coefficients.denominator);
    output.add("pivots", to_string(learned.order));
    output.add("primes", learned.primes);
}

void show_class(Output& output, const ExhaustReport& found, bool proved) {
    output.add("runs_total", found.runs_total);
    output.add("tokens_total", found.tokens_total);
    output.add("runs_certified", found.runs_certified);
    output.add("tokens_certified", found.tokens_certified);
    output.add("runs_exact", found.runs_exact);
    output.add("tokens_exact", found.tokens_exact);
    output.add("tokens_certified_but_wrong", found.tokens_certified_but_wrong);
    output.add("certified_over_z", proved, proved ? "every certified token" : "no; see --prove");
    output.add(
        "token_error_probability",
        std::ldexp(1.0, -kWordErrorBits),
        formatted("below 2^-{} a token, over the random words that judge it", kWordErrorBits));
}

/// The learned layer as a model file; `meta` names the rows of its tokens.
void write_learned(const std::string& path,
                   const Program& program,
                   const SparseCoefficients& coefficients) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (Index row = 0; row < program.schema.dim(); ++row) {
        rows.push_back(program.schema.row_name(row));
    }
    const nlohmann::ordered_json meta{{"program", program.name}, {"rows", rows}};
    const Index d = coefficients.d;
    write_model(path, {d, d, coefficient_matrix(coefficients), {d, d, {}}, json_text(meta)});
}

int exhaust_class(const ExhaustOptions& options, const CommonOptions& common) {
    const TuringClass machines(options.shape, options.steps);
    const Utm2 program(options.shape);
    const std::vector<Index> runs =
        machines.sample(options.train_runs, Stream(common.seed).child("turing_exhaust"));
    const double start = cpu_seconds();
    const LearnedProgram learned =
        learn_class(program, machines, runs, options.active ? Selection::active : Selection::all);
    const double learning = cpu_seconds() - start;
    Output output;
    output.add("machines", machines.num_machines());
    output.add("runs_offered", runs.size());
    show_learned(output, learned);
    const SpanTest test = options.prove ? SpanTest::over_z : SpanTest::random_words;
    show_class(output, exhaust(learned, program, machines, common.threads, test), options.prove);
    const double exhausting = cpu_seconds() - start - learning;
    if (!options.model.empty()) {
        write_learned(options.model, program.program(), learned.coefficients);
        output.add("model", options.model);
    }
    output.add("cpu_seconds_learning", learning, brief(learning));
    output.add("cpu_seconds_exhausting", exhausting, brief(exhausting));
    output.print(std::cout, common.json);
    return kHolds;
}

}  // namespace

Command add_turing_exhaust(CLI::App& turing, CommonOptions& common) {
    const auto options = std::make_shared<ExhaustOptions>();
    CLI::App* app = turing.add_subcommand("exhaust",
                                          "Learn the universal machine from random runs, then "
                                          "compare all runs of a class of machines");
    const auto size = integer_within(1, 1000);
    app->add_option("--states", options->shape.states, "Working states, all start in the first")
        ->check(size)
        ->capture_default_str();
    app->add_option("--halting", options->shape.halting, "Halting states")
        ->check(size)
        ->capture_default_str();
    app->add_option("--symbols", options->shape.symbols, "Symbols, the blank included")
        ->check(size)
        ->capture_default_str();
    app->add_option("--cells", options->shape.cells, "Cells of the tape")
        ->check(size)
        ->capture_default_str();
    app->add_option("--steps", options->steps, "Budget of steps of a run")
        ->check(size)
        ->capture_default_str();
    app->add_option("--train-runs", options->train_runs, "Different random runs to learn from")
        ->check(integer_within(1, Index{1} << 40))
        ->capture_default_str();
    app->add_flag("--active",
                  options->active,
                  "Of these runs, ask only for those that the earlier ones do not determine");
    app->add_option("--model", options->model, "Write the learned layer as a model (.npz)");
    app->add_flag("--prove", options->prove, "Verify every certified token over the integers");
    add_common(*app, common);
    add_examples(*app,
                 "  attest turing exhaust --states 2 --symbols 2 --cells 3 --steps 6 "
                 "--train-runs 3000 --json\n");
    return {app, [options, &common] { return exhaust_class(*options, common); }};
}

}  // namespace attest::cli
