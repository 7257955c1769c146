#include "cli/generate.hpp"

#include "cli/commands.hpp"
#include "cli/option_values.hpp"
#include "cli/telling.hpp"
#include "core/base/text.hpp"
#include "core/data/dataset_file.hpp"
#include "core/questions/output.hpp"
#include "tasks/registry.hpp"
#include "tasks/text/text_task.hpp"

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
    tell_drawing("generate", drawing_seconds(*task, options.first, options.count, common.threads));
    const Dataset data = told("generate", [&] {
        return materialise(*task, options.first, options.count, common.threads);
    });
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

void add_generate_text(CLI::App& parent, GenerateTextOptions& options, CommonOptions& common) {
    CLI::App* app = parent.add_subcommand(
        "text", "windows of real text, your files or Debian's licences, and the next word");
    app->add_option("-N,--examples", options.count, "Number of windows; 0: all there are")
        ->check(integer_within(0, Index{1} << 40))
        ->capture_default_str();
    app->add_option("-o,--output", options.output, "Data set to write (.npz)")->required();
    add_task_options(*app, text_parameters(), options.parameters);
    app->callback([&options] { options.chosen = true; });
    add_common(*app, common);
    add_examples(
        *app,
        "  attest generate text -N 4000 -o train.npz\n"
        "  attest generate text --part test -o test.npz\n"
        "  attest generate text --text FOLDER --representation one_hot --d 32 -o mine.npz\n");
}

int generate_text(const GenerateTextOptions& options, const CommonOptions& common) {
    const ParameterReader reader("text", text_parameters(), options.parameters);
    const TextOptions asked = read_text_options(reader, common.seed);
    const TextTask task = told("generate text", [&] { return text_task(asked); });
    std::vector<TextWindow> windows = ordered_windows(task, task.options.part);
    const Index available = std::ssize(windows);
    require(options.count <= available,
            "task text: got -N {}, but the part {} has {} windows of {} tokens; ask for fewer",
            options.count,
            to_string(task.options.part),
            available,
            task.options.n);
    if (options.count > 0) {
        windows.resize(static_cast<std::size_t>(options.count));
    }
    const Dataset data = told("generate text", [&] { return window_dataset(task, windows); });
    write_dataset(options.output, data);
    Output output;
    output.add("task", "text");
    output.add("part", std::string(to_string(task.options.part)));
    output.add("split_by", task.split);
    output.add("shared_8grams",
               task.shared_8grams,
               formatted("{} % of the test part's occur in training", 100.0 * task.shared_8grams));
    output.add("vocabulary", task.text.size());
    output.add("num_sequences", data.num_sequences());
    output.add("num_available", available);
    output.add("d", data.d());
    output.add("o", data.o());
    output.add("psi", data.layout().psi());
    output.add("sha256", digest(data));
    output.add("output", options.output);
    output.print(std::cout, common.json);
    return kHolds;
}

void add_task_options(CLI::App& app,
                      const std::vector<TaskParameter>& parameters,
                      std::map<std::string, std::string>& given) {
    for (const TaskParameter& parameter : parameters) {
        app.add_option_function<std::string>(
               "--" + parameter.name,
               [&given, name = parameter.name](const std::string& value) { given[name] = value; },
               parameter.description)
            ->default_str(parameter.default_value)
            ->type_name("");
    }
}

}  // namespace attest::cli
