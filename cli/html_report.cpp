#include "report/html_report.hpp"

#include "cli/commands.hpp"
#include "core/base/files.hpp"
#include "core/base/interrupt.hpp"
#include "core/questions/output.hpp"
#include "record/directory_lock.hpp"
#include "report/catalogue.hpp"

#include <filesystem>
#include <iostream>
#include <memory>
#include <set>

namespace attest::cli {

namespace {

struct HtmlReportOptions {
    std::string results = "results/quick";
    std::string output;
    bool rewrite = false;
};

/// Tables and figures anew, while no run writes to the folders they stand in.
nlohmann::ordered_json rewritten(const ResultSet& results) {
    std::set<std::filesystem::path> folders;
    for (const ResultEntry& entry : results.entries) {
        folders.insert(entry.path.parent_path());
    }
    std::vector<std::unique_ptr<DirectoryLock>> locks;
    locks.reserve(folders.size());
    for (const std::filesystem::path& folder : folders) {
        locks.push_back(std::make_unique<DirectoryLock>(folder));
    }
    nlohmann::ordered_json files = nlohmann::ordered_json::array();
    for (const std::filesystem::path& file : rewrite_derived(results)) {
        files.push_back(file.string());
    }
    return files;
}

int write_report(const HtmlReportOptions& options, const CommonOptions& common) {
    install_interrupt_handlers();
    const ResultSet results = read_results(options.results);
    const std::filesystem::path folder = is_folder(options.results)
                                             ? std::filesystem::path(options.results)
                                             : results.entries.front().path.parent_path();
    const std::string page =
        options.output.empty() ? (folder / "report.html").string() : options.output;
    std::size_t problems = results.problems.size();
    for (const ResultEntry& entry : results.entries) {
        for (const std::string& problem : entry.problems) {
            std::cerr << "attest report: " << problem << '\n';
            ++problems;
        }
    }
    for (const std::string& problem : results.problems) {
        std::cerr << "attest report: " << problem << '\n';
    }
    Output output;
    if (options.rewrite) {
        const nlohmann::ordered_json files = rewritten(results);
        output.add("rewritten", files, std::to_string(files.size()) + " tables and figures");
    }
    write_html_report(results, page);
    output.add("result_files", results.entries.size());
    output.add("unread_lines", problems);
    output.add("report", page);
    output.print(std::cout, common.json);
    return problems == 0 ? kHolds : kBadInput;
}

}  // namespace

Command add_html_report(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<HtmlReportOptions>();
    CLI::App* app = program.add_subcommand(
        "report", "Write the HTML report of a result folder again, from its rows alone");
    app->add_option("results", options->results, "Folder of result files (*.jsonl), or one of them")
        ->capture_default_str();
    app->add_option(
        "-o,--output", options->output, "Page to write; else report.html in the folder");
    app->add_flag(
        "--rewrite", options->rewrite, "Also write tables and figures beside the rows again");
    add_common(*app, common);
    add_examples(*app,
                 "  attest report results/quick\n"
                 "  attest report results -o report.html --json\n");
    return {app, [options, &common] { return write_report(*options, common); }};
}

}  // namespace attest::cli
