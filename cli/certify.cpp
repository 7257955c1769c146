#include "core/questions/certify.hpp"

#include "cli/commands.hpp"
#include "cli/data_options.hpp"
#include "cli/option_values.hpp"
#include "cli/telling.hpp"
#include "core/data/model_file.hpp"
#include "core/data/opened_dataset.hpp"
#include "core/layers/parse_layer.hpp"
#include "core/questions/certify_cost.hpp"
#include "core/questions/certify_stack.hpp"
#include "core/questions/express.hpp"
#include "core/questions/output.hpp"
#include "core/solve/cost_model.hpp"

#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attest::cli {

namespace {

struct CertifyOptions {
    std::string data;
    std::string layer = "linear";
    std::string level = "auto";
    std::string queries;
    std::string proof;
    std::string witness;
    std::string model;
    std::string ood;
    std::string pool;
    double noise = std::numeric_limits<double>::quiet_NaN();
    Index suggest = 0;
    bool skip_invalid = false;
    bool realisable = false;
    bool coverage = false;
    bool expressible = false;
    Index heads = 0;
    std::vector<Index> head_size;  ///< of a key, and of a value; empty: full
    bool explain = false;
    double confidence = 0.95;
};

/// The other files that options name; what an option does not name is absent.
struct OtherFiles {
    std::optional<Dataset> queries;
    std::optional<Model> model;
    std::optional<Dataset> ood;
    std::optional<Dataset> pool;
};

OtherFiles read_files(const CertifyOptions& options, const Layer& layer) {
    const auto read = [&](const std::string& path) {
        return read_dataset(path, InvalidExamples::reject, layer);
    };
    OtherFiles files;
    if (!options.queries.empty()) {
        files.queries = read(options.queries);
    }
    if (!options.model.empty()) {
        files.model = read_model(options.model);
    }
    if (!options.ood.empty()) {
        files.ood = read(options.ood);
    }
    if (options.suggest > 0) {
        files.pool = read(options.pool);
    }
    return files;
}

template <class Value>
const Value* if_any(const std::optional<Value>& value) {
    return value ? &*value : nullptr;
}

CertifyRequest request_of(const CertifyOptions& options, const OtherFiles& files) {
    CertifyRequest request;
    request.level = certify_level_from_string(options.level);
    request.parts.queries = if_any(files.queries);
    request.parts.witness = !options.witness.empty();
    request.parts.reasons = options.explain;
    request.parts.realisable = options.realisable;
    request.parts.least_risk = options.expressible;
    request.parts.heads = options.heads;
    if (!options.head_size.empty()) {
        request.parts.head_sizes = {options.head_size.front(), options.head_size.back()};
    }
    if (options.coverage) {
        request.parts.coverage = options.confidence;
    }
    request.model = if_any(files.model);
    request.model_name = options.model;
    request.other = if_any(files.ood);
    request.other_name = options.ood;
    if (!std::isnan(options.noise)) {
        request.noise = options.noise;
    }
    request.pool = if_any(files.pool);
    request.pool_name = options.pool;
    request.suggest = options.suggest;
    return request;
}

/// `--model` names a stack of layers: another question, of which few options are.
int certify_stack(const CertifyOptions& options, const CommonOptions& common) {
    const bool others = !options.queries.empty() || !options.witness.empty() ||
                        !options.proof.empty() || !options.ood.empty() ||
                        !std::isnan(options.noise) || options.realisable || options.coverage ||
                        options.expressible || options.explain || options.heads > 0 ||
                        options.level != "auto" || options.layer != "linear";
    if (others) {
        throw UnknownName(
            "of a stack of layers only --suggest with --pool can be asked: what its data determine "
            "is local");
    }
    const Stack stack = read_stack(options.model);
    const auto read = [&](const std::string& path) {
        return load_data("certify", path, options.skip_invalid);
    };
    const Dataset data = read(options.data);
    LocalStackRequest request;
    request.seed = common.seed;
    std::optional<Dataset> pool;
    if (options.suggest > 0) {
        pool = read(options.pool);
        request.pool = &*pool;
        request.suggest = options.suggest;
    }
    const LocalStack found = told("certify", [&] { return local_stack(data, stack, request); });
    describe(stack.shape, found).print(std::cout, common.json);
    return exit_code(decision(found));
}

int certify_file(const CertifyOptions& options, const CommonOptions& common) {
    if (!options.model.empty() && is_stack_file(NpzReader::open(options.model))) {
        return certify_stack(options, common);
    }
    const Layer layer = layer_named(options.layer);
    const OtherFiles files = read_files(options, layer);
    const CertifyRequest request = request_of(options, files);
    require_answerable(request);  // before the data are read
    const OpenedDataset opened =
        open_data("certify", options.data, options.skip_invalid, layer, reading_for(request));
    const AuditPlan plan = certify_plan(opened.sequences->shape(), request, machine_speed());
    tell_beforehand("certify", plan.seconds(), in_words(plan));
    Certification found =
        told("certify", [&] { return certify(FactoredSource(*opened.source), request); });
    if (!options.witness.empty()) {
        keep_witness(found, options.witness);
    }
    if (!options.proof.empty()) {
        keep_proof(found, options.proof);
    }
    describe(found).print(std::cout, common.json);
    return exit_code(decision(found.answer));
}

std::vector<std::string> names_of_levels() {
    std::vector<std::string> names;
    for (const CertifyLevelWords& each : certify_levels()) {
        names.emplace_back(each.name);
    }
    return names;
}

/// A model to be judged beside the data.
void add_model_options(CLI::App& app, CertifyOptions& options) {
    CLI::Option* model =
        app.add_option("--model",
                       options.model,
                       "Your own model: how far may an equally good one differ, on each query?\n"
                       "A stack of layers: do the data determine it, near it?");
    CLI::Option* heads =
        app.add_option("--heads",
                       options.heads,
                       "Do the data determine the model among layers of as many heads, near it?")
            ->check(integer_within(1, 1000))
            ->needs(model);
    app.add_option("--head-size",
                   options.head_size,
                   "Entries of a key as trained, and of a value: 2, or 2,3; else full")
        ->delimiter(',')
        ->expected(1, 2)
        ->allow_extra_args(false)
        ->check(integer_within(1, 4096))
        ->needs(heads);
}

/// What follows for other inputs: risk on other data, examples to add, coverage of fresh ones.
void add_elsewhere_options(CLI::App& app, const std::shared_ptr<CertifyOptions>& options) {
    app.add_option(
        "--ood", options->ood, "Other data: expected excess risk there under label noise");
    const CLI::Option* const noise =
        app.add_option(
               "--noise", options->noise, "Standard deviation of the label noise; else estimated")
            ->check(number_from_zero());
    CLI::Option* pool =
        app.add_option("--pool", options->pool, "Candidate sequences (.npz) for --suggest");
    CLI::Option* suggest =
        app.add_option("--suggest", options->suggest, "Which K examples of the pool to add")
            ->check(integer_within(1, 1000000))
            ->needs(pool);
    pool->needs(suggest);
    CLI::Option* coverage = app.add_flag(
        "--coverage",
        options->coverage,
        "How many fresh examples of the same law the data leave undetermined, at most");
    app.add_option("--confidence", options->confidence, "Of that bound, over the draw of the data")
        ->check(number_within(1e-9, 1.0 - 1e-9))
        ->capture_default_str()
        ->needs(coverage);
    app.callback([noise, options] {
        if (noise->count() > 0 && options->queries.empty() && options->ood.empty()) {
            throw CLI::ValidationError("--noise goes with --queries or --ood");
        }
    });
}

void add_levels_and_examples(CLI::App& app) {
    std::vector<std::pair<std::string, std::string>> levels;
    for (const CertifyLevelWords& each : certify_levels()) {
        levels.emplace_back(each.name, each.summary);
    }
    add_names(app, "Levels", levels);
    add_examples(app,
                 "  attest certify data.npz\n"
                 "  attest certify data.npz --proof data.cert && attest check data.cert data.npz\n"
                 "  attest certify data.npz --queries fresh.npz --json\n"
                 "  attest certify data.npz --level rigorous\n"
                 "  attest certify data.npz --level matrix-free\n"
                 "  attest certify data.npz --level grouped --proof data.cert\n"
                 "  attest certify data.npz --coverage --confidence 0.99\n"
                 "  attest certify data.npz --explain\n"
                 "  attest certify data.npz --expressible --proof no.cert\n"
                 "  attest certify data.npz --layer \"decay=1,31/32\" --proof data.cert\n"
                 "  attest certify data.npz --witness witness.npz\n"
                 "  attest certify data.npz --model m.npz --heads 2\n"
                 "  attest certify data.npz --model m.npz --heads 2 --head-size 2\n"
                 "  attest certify data.npz --model stack.npz\n"
                 "  attest certify data.npz --suggest 5 --pool candidates.npz\n");
}

}  // namespace

Command add_certify(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<CertifyOptions>();
    CLI::App* app = program.add_subcommand("certify",
                                           "Do the data determine the learned function? Exit 0 "
                                           "yes, 1 no, 3 undecided");
    app->add_option(
           "data", options->data, "Data set (.npz, or a folder of them); labels are not needed")
        ->required();
    add_layer_option(*app, options->layer);
    app->add_option("--level", options->level, "How the rank is decided: one of the levels below")
        ->check(CLI::IsMember(names_of_levels()))
        ->capture_default_str();
    app->add_option("--queries",
                    options->queries,
                    "Data set (.npz) of inputs: is the output on each determined? (auto, exact)");
    app->add_option(
        "--proof", options->proof, "Write a proof for attest-check to this file (.cert)");
    app->add_option("--witness",
                    options->witness,
                    "Write two minimisers that disagree: OUT-a.npz, OUT-b.npz and OUT-input.npz");
    add_model_options(*app, *options);
    add_elsewhere_options(*app, options);
    app->add_flag("--explain",
                  options->explain,
                  "Why the data leave something open: exact relations, causes, what breaks them");
    app->add_flag(
        "--expressible",
        options->expressible,
        "Can any model fit the labels? The least training risk, exactly; --proof is of it");
    app->add_flag("--realisable",
                  options->realisable,
                  "Presume that a model fits the labels exactly; undecided where they deny it");
    app->add_flag(
        "--skip-invalid", options->skip_invalid, "Drop sequences that hold a NaN or infinity");
    add_common(*app, common);
    add_levels_and_examples(*app);
    return {app, [options, &common] { return certify_file(*options, common); }};
}

}  // namespace attest::cli
