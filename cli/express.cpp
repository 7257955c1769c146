#include "core/questions/express.hpp"

#include "cli/commands.hpp"
#include "cli/generate.hpp"
#include "cli/telling.hpp"
#include "core/base/text.hpp"
#include "core/data/dataset_file.hpp"
#include "core/layers/parse_layer.hpp"
#include "core/questions/certify.hpp"
#include "core/questions/output.hpp"
#include "core/questions/proof_file.hpp"
#include "tasks/finite_tasks.hpp"

#include <iostream>
#include <map>
#include <memory>
#include <optional>

namespace attest::cli {

namespace {

struct ExpressOptions {
    std::string task;
    std::map<std::string, std::string> parameters;  ///< only those that the user gave
    std::string layer = "linear";
    std::string data;
    std::string model;
    std::string proof;
    bool all = false;
};

std::string in_words(const std::map<std::string, std::string>& parameters) {
    std::string text;
    for (const auto& [name, value] : parameters) {
        text += formatted("{}{}={}", text.empty() ? "" : " ", name, value);
    }
    return text;
}

LeastRisk least_risk_told(const Dataset& data) {
    const double seconds = least_risk_seconds(data);
    tell_beforehand("express", seconds, formatted("at most about {}", format_seconds(seconds)));
    return told("express", [&] { return least_risk(data); });
}

int express_task(const ExpressOptions& options, const CommonOptions& common) {
    const Dataset data =
        enumerate_task(options.task, options.parameters, layer_named(options.layer));
    const LeastRisk found = least_risk_told(data);
    Output output;
    output.add("task", options.task);
    output.add("parameters", options.parameters, in_words(options.parameters));
    describe(output, sequence_shape(data));
    describe(output, data.layer, found);
    if (!options.data.empty()) {
        write_dataset(options.data, data);
        output.add("output", options.data);
    }
    if (!options.model.empty()) {
        const BestModel best = best_model(data, found);
        write_model(options.model, best.model);
        output.add("model", options.model);
        describe(output, best);
    }
    if (!options.proof.empty()) {
        const std::optional<std::string> proof = inexpressible_proof(data, found);
        write_proof(options.proof, proof);
        describe_proof(
            output, options.proof, proof, "a proof says that no model does better than its risk");
    }
    output.print(std::cout, common.json);
    return exit_code(decision(found.verdict));
}

/// The rows of docs/expressible.md.
int express_all(const CommonOptions& common) {
    Output output;
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const FiniteCase& each : finite_cases()) {
        const Dataset data = enumerate_task(each.task, each.parameters, layer_named(each.layer));
        const LeastRisk found = least_risk_told(data);
        rows.push_back({{"task", each.task},
                        {"parameters", each.parameters},
                        {"layer", each.layer},
                        {"num_examples", data.num_examples()},
                        {"psi", data.layout().psi()},
                        {"rank", found.rank},
                        {"verdict", expressible_word(found.verdict)},
                        {"least_risk", risk_text(found)},
                        {"power", fraction_text(found.power)}});
        output.say(formatted("{} {} | {} | {} of {}",
                             each.task,
                             in_words(each.parameters),
                             each.layer,
                             risk_text(found),
                             fraction_text(found.power)));
    }
    output.add_json("rows", rows);
    output.print(std::cout, common.json);
    return kHolds;
}

/// One subcommand a task, its parameters as options.
void add_task(CLI::App& parent,
              const FiniteTask& task,
              ExpressOptions& options,
              CommonOptions& common) {
    CLI::App* app = parent.add_subcommand(std::string(task.name), std::string(task.summary));
    add_task_options(*app, task.parameters, options.parameters);
    add_layer_option(*app, options.layer);
    app->add_option("-o,--output", options.data, "Write every input with its label (.npz)");
    app->add_option("--model", options.model, "Write the best coefficients, in doubles (.npz)");
    app->add_option("--proof",
                    options.proof,
                    "Where no layer can: write a proof for attest-check to this file (.cert)");
    app->callback([&options, name = std::string(task.name)] { options.task = name; });
    add_common(*app, common);
    add_examples(*app, formatted("  attest express {} -o all.npz --proof no.cert\n", task.name));
}

}  // namespace

Command add_express(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<ExpressOptions>();
    CLI::App* app = program.add_subcommand(
        "express", "Can any layer do this task? Exit 0 yes, 1 no (both proved), 3 undecided");
    app->require_subcommand(0, 1);
    for (const FiniteTask& task : finite_tasks()) {
        add_task(*app, task, *options, common);
    }
    app->add_flag("--all", options->all, "The table of docs/expressible.md");
    app->callback([options, app] {
        if (options->all != app->get_subcommands().empty()) {
            throw CLI::ValidationError("expected a task or --all");
        }
    });
    add_common(*app, common);
    add_examples(*app,
                 "  attest express word-problem --group S3 --length 3\n"
                 "  attest express parity --length 4 --proof no.cert -o all.npz\n"
                 "  attest express recall --form split\n"
                 "  attest express last-write --length 4 --layer \"decay=1,1/2\"\n"
                 "  attest express --all\n");
    return {app, [options, &common] {
                return options->all ? express_all(common) : express_task(*options, common);
            }};
}

}  // namespace attest::cli
