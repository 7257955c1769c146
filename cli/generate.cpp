#include "cli/commands.hpp"
#include "cli/generate_text.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/task_options.hpp"
#include "core/data/dataset_file.hpp"
#include "tasks/registry.hpp"

#include <iostream>
#include <map>
#include <memory>

namespace attest::cli {

namespace {

struct GenerateOptions {
    Index first = 0;
    Index count = 1000;
    std::string output;
    std::string task;
    std::map<std::string, std::string> parameters;  ///< only those that the user gave
};

int generate(const GenerateOptions& options, const CommonOptions& common) {
    const std::unique_ptr<Task> task = make_task(options.task, options.parameters, common.seed);
    const Dataset data = materialise(*task, options.first, options.count, common.threads);
    write_dataset(options.output, data);
    const TaskTraits traits = task->traits();
    Output output;
    output.add("task", options.task);
    output.add("num_sequences", data.num_sequences());
    output.add("num_examples", data.num_examples());
    output.add("d", traits.d);
    output.add("o", traits.o);
    output.add("layer", to_string(traits.layer));
    output.add("psi", data.layout().psi());
    output.add("realisable", traits.realisable, traits.realisable ? "yes" : "no");
    output.add("sha256", digest(data));
    output.add("output", options.output);
    output.print(std::cout, common.json);
    return kHolds;
}

/// One subcommand a task, its parameters as options.
void add_task(CLI::App& parent,
              const TaskEntry& entry,
              GenerateOptions& options,
              CommonOptions& common) {
    CLI::App* app = parent.add_subcommand(std::string(entry.name), std::string(entry.summary));
    app->add_option("-N,--examples", options.count, "Number of sequences")
        ->check(integer_within(1, Index{1} << 40))
        ->capture_default_str();
    app->add_option(
           "--first", options.first, "First of these sequences: for shards of one data set")
        ->check(integer_within(0, Index{1} << 40))
        ->capture_default_str();
    app->add_option("-o,--output", options.output, "Data set to write (.npz)")->required();
    add_task_options(*app, entry.parameters, options.parameters);
    app->callback([&options, name = std::string(entry.name)] { options.task = name; });
    add_common(*app, common);
    add_examples(*app, formatted("  attest generate {} -N 400 -o data.npz\n", entry.name));
}

}  // namespace

Command add_generate(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<GenerateOptions>();
    CLI::App* app = program.add_subcommand(
        "generate", "Draw data of a task, with its ground truth, into an .npz file");
    app->require_subcommand(1);
    for (const TaskEntry& entry : task_registry()) {
        add_task(*app, entry, *options, common);
    }
    const auto text = std::make_shared<GenerateTextOptions>();
    add_generate_text(*app, *text, common);
    add_examples(
        *app,
        "  attest generate random-linear-attention --d 4 --n 16 --heads 3 -N 400 -o data.npz\n"
        "  attest generate associative-memory --mixture 0.99 -N 4096 -o memory.npz\n"
        "  attest generate text --text FOLDER -o train.npz\n"
        "  attest generate iid-entries --help\n");
    return {app, [options, text, &common] {
                return text->chosen ? generate_text(*text, common) : generate(*options, common);
            }};
}

}  // namespace attest::cli
