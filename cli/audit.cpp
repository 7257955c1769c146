#include "core/questions/audit.hpp"

#include "cli/commands.hpp"
#include "cli/data_options.hpp"
#include "cli/option_values.hpp"
#include "cli/telling.hpp"
#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/data/dataset_file.hpp"
#include "core/data/model_file.hpp"
#include "core/questions/output.hpp"
#include "core/solve/cost_model.hpp"
#include "record/provenance.hpp"
#include "report/audit_json.hpp"
#include "report/audit_page.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <span>

namespace attest::cli {

namespace {

struct AuditOptions {
    AuditNames names;
    std::string page;
    double budget = 60.0;
    double noise = std::numeric_limits<double>::quiet_NaN();
    LayerAuditRequest request;
    bool skip_invalid = false;
};

LayerAudit audited(const AuditOptions& options, const CommonOptions& common) {
    const Model model = read_model(options.names.model);
    const auto read = [&](const std::string& path) {
        return load_data("audit", path, options.skip_invalid, model.layer);
    };
    const Dataset data = read(options.names.data);
    LayerAuditRequest request = options.request;
    request.model_name = options.names.model;
    request.stream = Stream(common.seed).child("audit");
    if (!std::isnan(options.noise)) {
        request.noise = options.noise;
    }
    std::optional<Dataset> held_out;
    if (!options.names.held_out.empty()) {
        held_out = read(options.names.held_out);
        request.held_out = &*held_out;
        request.held_out_name = options.names.held_out;
    }
    request.budget = options.budget;
    request.machine_speed = machine_speed();
    request.again = shell_quoted(words_without(common.arguments, "--budget"));
    const DatasetSource source(data);
    const FactoredSource examples(source);
    const AuditPlan plan = audit_plan(examples, model, request);
    tell_beforehand("audit", plan.seconds(), in_words(plan));
    return told("audit", [&] { return audit_layer(examples, model, request); });
}

void say_summary(const AuditSummary& summary,
                 const std::vector<LeftOut>& left_out,
                 const std::string& page) {
    Output output;
    output.add("unique", to_string(summary.unique), summary.unique_in_words);
    output.add("good", nullptr, summary.good_in_words);
    for (const std::string& advice : summary.what_to_do()) {
        output.add("to do", nullptr, advice);
    }
    for (const Observation& one : summary.observations) {
        output.add(std::string(to_string(one.concern)), nullptr, one.sentence);
    }
    for (const LeftOut& one : left_out) {
        output.add("left out", nullptr, formatted("{}: {}", one.what, one.why));
    }
    if (!page.empty()) {
        output.add("page", page);
    }
    output.print(std::cout, false);
}

int audit(const AuditOptions& options, const CommonOptions& common) {
    // Opened first: a place that cannot be written is found before the audit is made.
    std::optional<AtomicFile> page;
    if (!options.page.empty()) {
        page.emplace(options.page);
    }
    const LayerAudit found = audited(options, common);
    const AuditSummary summary = summarise(found);
    if (page) {
        const std::string text = audit_page(found, summary, options.names);
        page->append(std::as_bytes(std::span(text.data(), text.size())));
        page->commit();
    }
    if (common.json) {
        print_json(std::cout, audit_json(found, summary));
    } else {
        say_summary(summary, beyond_budget(found), options.page);
    }
    return exit_code(decision(summary.unique));
}

}  // namespace

Command add_audit(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<AuditOptions>();
    CLI::App* app = program.add_subcommand("audit",
                                           "One page for one layer: is it unique, how good, what "
                                           "to do. Exit 0 yes, 1 no, 3 undecided");
    app->add_option("model", options->names.model, "Model file (.npz), learned or imported")
        ->required();
    app->add_option("data", options->names.data, "What it learned from (.npz)")->required();
    app->add_option(
        "--held-out",
        options->names.held_out,
        "Inputs it has not seen (.npz): is the output on each determined, and why not?");
    app->add_option("-o,--output", options->page, "Page to write (.html)");
    app->add_option(
           "--noise", options->noise, "Standard deviation of the label noise; else estimated")
        ->check(number_from_zero());
    app->add_option("--confidence",
                    options->request.confidence,
                    "Of the share of future inputs that are determined")
        ->check(number_within(1e-9, 1.0 - 1e-9))
        ->capture_default_str();
    app->add_option("--budget",
                    options->budget,
                    "Seconds, estimated before it starts; what does not fit is named and left out")
        ->check(number_from_zero())
        ->capture_default_str();
    app->add_flag(
        "--skip-invalid", options->skip_invalid, "Drop sequences that hold a NaN or infinity");
    add_common(*app, common);
    add_examples(*app,
                 "  attest audit model.npz data.npz -o audit.html\n"
                 "  attest audit model.npz data.npz --held-out test.npz -o audit.html\n"
                 "  attest audit model.npz data.npz --budget 600 -o audit.html\n"
                 "  attest audit model.npz data.npz --json\n");
    return {app, [options, &common] { return audit(*options, common); }};
}

}  // namespace attest::cli
