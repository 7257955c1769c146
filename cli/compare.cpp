#include "cli/check.hpp"
#include "cli/commands.hpp"
#include "cli/option_values.hpp"
#include "core/base/files.hpp"
#include "core/base/json_text.hpp"
#include "report/comparison.hpp"

#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

namespace attest::cli {

namespace {

struct CompareOptions {
    std::string before;
    std::string after;
    std::string markdown;
    CheckFiles files;
    double threshold = 0.01;
};

int compare(const CompareOptions& options, const CommonOptions& common) {
    const Comparison comparison = compare_results(
        read_results(options.before), read_results(options.after), options.threshold);
    for (const std::string& problem : comparison.problems) {
        std::cerr << "attest compare: " << problem << '\n';
    }
    if (!options.markdown.empty()) {
        write_file_atomically(options.markdown, comparison_markdown(comparison));
    }
    write_checks(options.files, "attest compare", checked_cases(comparison));
    if (common.json) {
        std::cout << json_text(comparison_json(comparison)) << '\n';
    } else {
        std::cout << comparison_text(comparison);
    }
    return comparison.same() ? kHolds : kDoesNotHold;
}

}  // namespace

Command add_compare(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<CompareOptions>();
    CLI::App* app = program.add_subcommand(
        "compare", "What changed between two result sets: exit 0 the same, 1 different");
    app->add_option("before", options->before, "Result folder or file")->required();
    app->add_option("after", options->after, "Result folder or file")->required();
    app->add_option("--threshold",
                    options->threshold,
                    "Relative change below which a metric without bound counts as the same")
        ->check(number_from_zero())
        ->capture_default_str();
    app->add_option("--markdown", options->markdown, "Also write it as Markdown to this file");
    add_check_files(*app, options->files);
    add_common(*app, common);
    add_examples(*app,
                 "  attest compare results/quick new/quick\n"
                 "  attest compare before after --junit change.xml --sarif change.sarif\n"
                 "  attest compare before after --threshold 0.05 --markdown change.md --json\n");
    return {app, [options, &common] { return compare(*options, common); }};
}

}  // namespace attest::cli
