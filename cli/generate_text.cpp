#include "cli/generate_text.hpp"

#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/task_options.hpp"
#include "core/base/text.hpp"
#include "core/data/dataset_file.hpp"
#include "tasks/text/text_task.hpp"

#include <iostream>

namespace attest::cli {

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
    const TextTask task = text_task(read_text_options(reader, common.seed));
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
    const Dataset data = window_dataset(task, windows);
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

}  // namespace attest::cli
