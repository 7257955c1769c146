#include "cli/certify_extras.hpp"
#include "cli/certify_levels.hpp"
#include "cli/commands.hpp"
#include "cli/numbers.hpp"
#include "cli/report.hpp"
#include "core/base/atomic_file.hpp"
#include "core/data/dataset_file.hpp"

#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>

namespace attest::cli {

namespace {

struct CertifyOptions {
    std::string data;
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
};

void write_proof(Report& report, const std::string& path, const std::optional<std::string>& proof) {
    if (path.empty()) {
        return;
    }
    if (proof) {
        write_file_atomically(path, std::string_view(*proof));
        report.add("proof",
                   path,
                   path + "; verify it with attest-check, which shares no code with this program");
    } else {
        report.add("proof",
                   nullptr,
                   "none: the evidence at hand does not prove the answer to a third party");
    }
}

int certify(const CertifyOptions& options, const CommonOptions& common) {
    const Dataset data = read_dataset(
        options.data, options.skip_invalid ? InvalidExamples::skip : InvalidExamples::reject);
    std::optional<Dataset> inputs;
    if (!options.queries.empty()) {
        inputs = read_dataset(options.queries);
    }
    const Dataset* queries = inputs ? &*inputs : nullptr;
    Report report;
    report.add("level", options.level);
    describe_data(report, data);
    CertifyOutcome outcome;
    if (options.level == "numerical") {
        outcome = certify_numerically(report, data);
    } else if (options.level == "rigorous") {
        outcome = certify_rigorously(report, data);
    } else {
        const ExactRequest request{queries,
                                   options.witness,
                                   options.level == "auto" ? Margin::where_cheap : Margin::none,
                                   options.realisable ? Presume::realisable : Presume::nothing};
        outcome = certify_exactly(report, data, request);
    }
    if (!options.model.empty()) {
        report_model(report, options.model, data, queries);
    }
    if (!options.ood.empty()) {
        report_ood(report, options.ood, options.noise, data);
    }
    if (queries != nullptr && !std::isnan(options.noise)) {
        report_noise(report, options.noise, data, *queries);
    }
    if (options.suggest > 0) {
        report_suggestions(report, options.suggest, options.pool, data);
    }
    write_proof(report, options.proof, outcome.proof);
    report.print(std::cout, common.json);
    return outcome.code;
}

}  // namespace

Command add_certify(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<CertifyOptions>();
    CLI::App* app = program.add_subcommand("certify",
                                           "Do the data determine the learned function? Exit 0 "
                                           "yes, 1 no (both proved), 3 undecided");
    app->add_option("data", options->data, "Data set (.npz); labels are not needed")->required();
    app->add_option("--level", options->level, "How the rank is decided: one of the levels below")
        ->check(CLI::IsMember({"auto", "numerical", "rigorous", "exact"}))
        ->capture_default_str();
    app->add_option("--queries",
                    options->queries,
                    "Data set (.npz) of inputs: is the output on each determined? (auto, exact)");
    app->add_option(
        "--proof", options->proof, "Write a proof for attest-check to this file (.cert)");
    app->add_option("--witness",
                    options->witness,
                    "Write two minimisers that disagree: OUT-a.npz, OUT-b.npz and OUT-input.npz");
    app->add_option("--model",
                    options->model,
                    "Your own model: how far may an equally good one differ, on each query?");
    app->add_option(
        "--ood", options->ood, "Other data: expected excess risk there under label noise");
    app->add_option(
           "--noise", options->noise, "Standard deviation of the label noise; else estimated")
        ->check(number_from_zero());
    CLI::Option* pool =
        app->add_option("--pool", options->pool, "Candidate sequences (.npz) for --suggest");
    app->add_option("--suggest", options->suggest, "Which K examples of the pool to add")
        ->check(integer_within(1, 1000000))
        ->needs(pool);
    app->add_flag("--realisable",
                  options->realisable,
                  "Presume that a model fits the labels exactly; undecided where they deny it");
    app->add_flag(
        "--skip-invalid", options->skip_invalid, "Drop sequences that hold a NaN or infinity");
    app->callback([options] {
        const bool exact = options->level == "auto" || options->level == "exact";
        if (!exact &&
            (!options->queries.empty() || !options->witness.empty() || options->realisable)) {
            throw CLI::ValidationError(
                "--queries, --witness and --realisable need --level auto or exact");
        }
    });
    add_common(*app, common);
    add_names(*app,
              "Levels",
              {{"auto", "exact, with lambda_min beside the verdict"},
               {"numerical", "looks at singular values and proves nothing"},
               {"rigorous", "encloses lambda_min"},
               {"exact", "proves the rank over the rationals"}});
    add_examples(*app,
                 "  attest certify data.npz\n"
                 "  attest certify data.npz --proof data.cert && attest check data.cert data.npz\n"
                 "  attest certify data.npz --queries fresh.npz --json\n"
                 "  attest certify data.npz --level rigorous\n"
                 "  attest certify data.npz --witness witness.npz\n"
                 "  attest certify data.npz --suggest 5 --pool candidates.npz\n");
    return {app, [options, &common] { return certify(*options, common); }};
}

}  // namespace attest::cli
