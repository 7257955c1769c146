#include "bench/experiments/catalogue.hpp"
#include "cli/commands.hpp"
#include "cli/report.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/text.hpp"

#include <iostream>
#include <memory>

namespace attest::cli {

namespace {

struct ReproduceOptions {
    std::vector<std::string> ids;
    std::string profile = "quick";
    std::string output = "results";
    bool resume = false;
    bool quiet = false;
};

std::vector<const ExperimentEntry*> chosen(const std::vector<std::string>& ids) {
    std::vector<const ExperimentEntry*> entries;
    for (const std::string& id : ids) {
        if (id != "all") {
            entries.push_back(&experiment_named(id));
            continue;
        }
        for (const ExperimentEntry& entry : experiments()) {
            entries.push_back(&entry);
        }
    }
    return entries;
}

/// How many of the rows did not end well, with the first of them spelled out.
std::size_t report_failures(const ExperimentEntry& entry, const std::vector<Row>& rows) {
    std::size_t bad = 0;
    for (const Row& row : rows) {
        const bool answered = row.status == RowStatus::refused && entry.asks_for_refusals;
        if (row.status != RowStatus::ok && !answered) {
            if (bad == 0) {
                std::cerr << "attest reproduce: " << describe(row.key) << ": "
                          << to_string(row.status) << ": " << row.message << '\n';
            }
            ++bad;
        }
    }
    return bad;
}

/// The call that takes an interrupted run up again.
std::string resume_command(const ReproduceOptions& options, const CommonOptions& common) {
    std::vector<std::string> words{"attest", "reproduce"};
    words.insert(words.end(), options.ids.begin(), options.ids.end());
    for (const std::string& word : {std::string("--profile"),
                                    options.profile,
                                    std::string("--out"),
                                    options.output,
                                    std::string("--seed"),
                                    std::to_string(common.seed)}) {
        words.push_back(word);
    }
    words.emplace_back("--resume");
    return shell_quoted(words);
}

std::vector<Row> run(const Experiment& experiment,
                     const ReproduceOptions& options,
                     const CommonOptions& common,
                     const DirectoryLock& lock,
                     const Provenance& provenance) {
    try {
        return run_experiment(experiment,
                              lock,
                              provenance,
                              options.resume ? Restart::resume : Restart::anew,
                              {options.quiet ? ProgressMode::quiet : ProgressMode::automatic});
    } catch (const Interrupted&) {
        throw Interrupted("interrupted; finished cases are kept, go on with: " +
                          resume_command(options, common));
    }
}

int reproduce(const ReproduceOptions& options, const CommonOptions& common) {
    install_interrupt_handlers();
    const Profile profile = profile_from_string(options.profile);
    const std::vector<const ExperimentEntry*> entries = chosen(options.ids);
    const std::filesystem::path folder = std::filesystem::path(options.output) / options.profile;
    const DirectoryLock lock(folder);
    const Provenance provenance =
        collect_provenance({common.arguments,
                            common.seed,
                            "inputs on the grid are; Haar-orthogonal keys are doubles"});
    nlohmann::ordered_json results = nlohmann::ordered_json::array();
    std::size_t bad = 0;
    for (const ExperimentEntry* entry : entries) {
        const double expected =
            profile == Profile::quick ? entry->quick_seconds : entry->full_seconds;
        std::cerr << entry->id << ": " << entry->summary << "; about " << format_seconds(expected)
                  << " on two cores\n";
        const Experiment experiment = entry->make(profile, common.seed);
        const std::vector<Row> rows = run(experiment, options, common, lock, provenance);
        bad += report_failures(*entry, rows);
        nlohmann::ordered_json files = nlohmann::ordered_json::array();
        files.push_back(result_path(experiment, lock).string());
        for (const std::filesystem::path& file : entry->derive(rows, folder)) {
            files.push_back(file.string());
        }
        if (!common.json) {
            std::cout << entry->text(rows);
            for (const auto& file : files) {
                std::cout << "wrote " << file.get<std::string>() << '\n';
            }
        }
        results.push_back({{"id", entry->id}, {"rows", rows.size()}, {"files", files}});
    }
    if (common.json) {
        std::cout << nlohmann::ordered_json{{"profile", options.profile},
                                            {"experiments", results},
                                            {"failed_cases", bad}}
                         .dump()
                  << '\n';
    }
    return bad == 0 ? kHolds : kEnvironment;
}

}  // namespace

Command add_reproduce(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<ReproduceOptions>();
    CLI::App* app = program.add_subcommand(
        "reproduce", "Run experiments of the papers: rows, tables and figures");
    app->add_option("experiment", options->ids, "all, or some of the experiments below")
        ->required();
    app->add_option("--profile", options->profile, "quick (under a minute each) or full")
        ->check(CLI::IsMember({"quick", "full"}))
        ->capture_default_str();
    app->add_option("--out", options->output, "Folder; files go to FOLDER/PROFILE")
        ->capture_default_str();
    app->add_flag("--resume", options->resume, "Keep the finished cases of an interrupted run");
    app->add_flag("--quiet", options->quiet, "No progress");
    add_common(*app, common);
    std::vector<std::pair<std::string, std::string>> names;
    for (const ExperimentEntry& entry : experiments()) {
        names.emplace_back(entry.id, entry.summary);
    }
    add_names(*app, "Experiments", names);
    add_examples(*app,
                 "  attest reproduce fig2 --profile quick\n"
                 "  attest reproduce all --profile full --out results --resume\n");
    return {app, [options, &common] { return reproduce(*options, common); }};
}

}  // namespace attest::cli
