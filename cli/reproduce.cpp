#include "cli/reproduce.hpp"

#include "bench/experiments/text/text_tables.hpp"
#include "cli/claims_code.hpp"
#include "cli/commands.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/memory.hpp"
#include "core/base/side_by_side.hpp"
#include "core/base/text.hpp"
#include "core/questions/certify.hpp"
#include "core/questions/output.hpp"
#include "report/catalogue.hpp"
#include "report/claim_rows.hpp"
#include "report/html_report.hpp"
#include "report/joint_figures.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <span>

namespace attest::cli {

namespace {

struct ReproduceOptions {
    std::vector<std::string> ids;
    std::string profile = "quick";
    std::string output = "results";
    std::string results = "results";
    std::string text;  ///< the user's, for the experiments on text; empty: the built-in one
    int jobs = 0;      ///< 0: see jobs_of
    bool resume = false;
    bool quiet = false;
};

bool asks_for_all(const std::vector<std::string>& ids) {
    return std::find(ids.begin(), ids.end(), "all") != ids.end();
}

/// The entries that the ids name, each once and in their order; `all` is every one.
std::vector<ExperimentEntry> parts_of(const std::vector<std::string>& ids,
                                      const std::vector<ExperimentEntry>& all) {
    std::vector<ExperimentEntry> parts;
    const auto add = [&](const ExperimentEntry& entry) {
        const auto same = [&](const ExperimentEntry& other) { return other.id == entry.id; };
        if (std::none_of(parts.begin(), parts.end(), same)) {
            parts.push_back(entry);
        }
    };
    for (const std::string& id : ids) {
        if (id == "all") {
            std::for_each(all.begin(), all.end(), add);
        } else {
            add(entry_named(all, id));
        }
    }
    return parts;
}

/// The catalogue, with the experiments on text reading the user's where there is one.
std::vector<ExperimentEntry> entries_of(const ReproduceOptions& options) {
    std::vector<ExperimentEntry> entries = catalogue(options.results);
    if (!options.text.empty()) {
        for (ExperimentEntry& own : text_experiments(options.text)) {
            *std::find_if(entries.begin(), entries.end(), [&](const ExperimentEntry& entry) {
                return entry.id == own.id;
            }) = std::move(own);
        }
    }
    return entries;
}

/// The call that takes an interrupted run up again.
std::string resume_command(const ReproduceOptions& options, const CommonOptions& common) {
    std::vector<std::string> words{"attest", "reproduce"};
    words.insert(words.end(), options.ids.begin(), options.ids.end());
    for (const std::string& word : {std::string("--profile"),
                                    options.profile,
                                    std::string("--out"),
                                    options.output,
                                    std::string("--results"),
                                    options.results,
                                    std::string("--seed"),
                                    std::to_string(common.seed)}) {
        words.push_back(word);
    }
    if (!options.text.empty()) {
        words.insert(words.end(), {"--text", options.text});
    }
    if (options.jobs > 0) {
        words.insert(words.end(), {"--jobs", std::to_string(options.jobs)});
    }
    words.emplace_back("--resume");
    return shell_quoted(words);
}

/// How many experiments run side by side. Those of the full profile may each want most of the
/// memory.
int jobs_of(const ReproduceOptions& options) {
    if (options.jobs > 0) {
        return options.jobs;
    }
    const bool quick = profile_from_string(options.profile) == Profile::quick;
    return quick ? std::max(1, static_cast<int>(usable_cpus())) : 1;
}

/// The parts in the order in which they run.
struct Schedule {
    std::vector<ExperimentEntry> together;  ///< side by side, the longest first
    std::vector<ExperimentEntry> alone;     ///< then one after the other
    int jobs = 1;
};

Schedule schedule_of(const std::vector<ExperimentEntry>& parts, Profile profile, int jobs) {
    Schedule schedule{{}, {}, jobs};
    for (const ExperimentEntry& part : parts) {
        // Claims read rows that others write.
        const bool by_itself = jobs == 1 || part.timed || part.topic == Topic::claims;
        (by_itself ? schedule.alone : schedule.together).push_back(part);
    }
    if (schedule.together.size() < 2) {
        return {{}, parts, 1};
    }
    std::stable_sort(schedule.together.begin(),
                     schedule.together.end(),
                     [&](const ExperimentEntry& a, const ExperimentEntry& b) {
                         return a.seconds(profile) > b.seconds(profile);
                     });
    return schedule;
}

double sum_of_seconds(const std::vector<ExperimentEntry>& parts, Profile profile) {
    double seconds = 0.0;
    for (const ExperimentEntry& part : parts) {
        seconds += part.seconds(profile);
    }
    return seconds;
}

void say_how_long(const Schedule& schedule, Profile profile) {
    double seconds = sum_of_seconds(schedule.alone, profile);
    std::string how;
    if (!schedule.together.empty()) {
        seconds += std::max(sum_of_seconds(schedule.together, profile) / schedule.jobs,
                            schedule.together.front().seconds(profile));
        how = formatted(", {} of them {} at a time", schedule.together.size(), schedule.jobs);
    }
    const std::size_t count = schedule.together.size() + schedule.alone.size();
    std::cerr << count << (count == 1 ? " part" : " parts") << how << ", together about "
              << format_seconds(seconds) << "; rows are kept case by case\n";
}

/// The answer that `attest verify` gives with its exit code.
ExitCode rows_code(const std::vector<Row>& rows) {
    std::vector<Agreement> all;
    for (const ClaimRow& claim : claim_rows(rows)) {
        all.push_back(claim.agreement());
    }
    return claims_code(all);
}

std::string interruption(const EntryRun& run) {
    return "interrupted; finished cases are kept, go on with: " + run.resume_command();
}

/// What the parts came to.
struct Outcome {
    std::map<std::string, nlohmann::ordered_json> summaries;  ///< by the part's id
    std::size_t failed_cases = 0;
    ExitCode claims = kHolds;
};

void run_part(const ExperimentEntry& part,
              const EntryRun& run,
              const CommonOptions& common,
              const DirectoryLock& lock,
              const Provenance& provenance,
              Outcome& outcome) {
    std::cerr << part.id << ": " << part.summary << "; about "
              << format_seconds(part.seconds(run.profile)) << '\n';
    EntryResult found = run_entry(part, run, common, lock, provenance);
    if (part.topic == Topic::claims) {
        outcome.claims = rows_code(found.rows);
    } else {
        outcome.failed_cases += found.failed_cases;
    }
    outcome.summaries[part.id] = std::move(found.summary);
}

/// The share of the memory that each of these processes may take, from now on.
void share_memory(int jobs) {
    const std::string bytes = std::to_string(static_cast<std::int64_t>(memory_limit() / jobs));
    (void)setenv("ATTEST_MEMORY_LIMIT", bytes.c_str(), 1);
}

void run_together(const Schedule& schedule,
                  EntryRun run,
                  const CommonOptions& common,
                  const DirectoryLock& lock,
                  const Provenance& provenance,
                  Outcome& outcome) {
    if (run.progress != ProgressMode::quiet) {
        run.progress = ProgressMode::lines;  // several bars would overwrite one another
    }
    std::vector<std::function<std::string()>> parts;
    for (const ExperimentEntry& part : schedule.together) {
        parts.emplace_back([&, part] {
            share_memory(schedule.jobs);
            Outcome own;
            run_part(part, run, common, lock, provenance, own);
            return nlohmann::ordered_json{{"summary", own.summaries.at(part.id)},
                                          {"failed_cases", own.failed_cases}}
                .dump();
        });
    }
    std::vector<std::string> answers;
    try {
        answers = run_side_by_side(parts, schedule.jobs);
    } catch (const Interrupted&) {
        throw Interrupted(interruption(run));
    }
    for (std::size_t i = 0; i < answers.size(); ++i) {
        nlohmann::ordered_json answer = nlohmann::ordered_json::parse(answers[i]);
        outcome.failed_cases += answer.at("failed_cases").get<std::size_t>();
        outcome.summaries[schedule.together[i].id] = std::move(answer.at("summary"));
    }
}

nlohmann::ordered_json in_order(const std::vector<ExperimentEntry>& parts, Outcome& outcome) {
    nlohmann::ordered_json summaries = nlohmann::ordered_json::array();
    for (const ExperimentEntry& part : parts) {
        summaries.push_back(std::move(outcome.summaries.at(part.id)));
    }
    return summaries;
}

/// Draws the figures that some part of this run and other rows of the folder make together.
nlohmann::ordered_json joint_files(const std::vector<ExperimentEntry>& parts,
                                   const std::filesystem::path& folder,
                                   const CommonOptions& common) {
    nlohmann::ordered_json files = nlohmann::ordered_json::array();
    const auto is_part = [&](const std::string& id) {
        return std::any_of(
            parts.begin(), parts.end(), [&](const ExperimentEntry& part) { return part.id == id; });
    };
    const std::span<const JointFigure> all = joint_figures();
    if (std::none_of(all.begin(), all.end(), [&](const JointFigure& joint) {
            return std::any_of(joint.ids.begin(), joint.ids.end(), is_part);
        })) {
        return files;
    }
    const ResultSet results = read_results(folder);
    for (const DrawnJointFigure& joint : joint_figures_of(results)) {
        for (const std::filesystem::path& file : write_derived({{}, {joint.named}}, joint.folder)) {
            files.push_back(file.string());
            if (!common.json) {
                std::cout << "wrote " << file.string() << '\n';
            }
        }
    }
    return files;
}

int reproduce(const ReproduceOptions& options, const CommonOptions& common) {
    install_interrupt_handlers();
    const std::vector<ExperimentEntry> parts = parts_of(options.ids, entries_of(options));
    const std::filesystem::path folder = std::filesystem::path(options.output) / options.profile;
    const DirectoryLock lock(folder);
    const Provenance provenance =
        collect_provenance({common.arguments,
                            common.seed,
                            "inputs on the grid are; Haar-orthogonal keys are doubles"});
    const Profile profile = profile_from_string(options.profile);
    const Schedule schedule = schedule_of(parts, profile, jobs_of(options));
    say_how_long(schedule, profile);
    const EntryRun run{profile,
                       options.resume ? Restart::resume : Restart::anew,
                       options.quiet ? ProgressMode::quiet : ProgressMode::automatic,
                       [&] { return resume_command(options, common); }};
    Outcome outcome;
    run_together(schedule, run, common, lock, provenance, outcome);
    for (const ExperimentEntry& part : schedule.alone) {
        run_part(part, run, common, lock, provenance, outcome);
    }
    nlohmann::ordered_json summary{{"profile", options.profile},
                                   {"experiments", in_order(parts, outcome)},
                                   {"joint_figures", joint_files(parts, folder, common)},
                                   {"failed_cases", outcome.failed_cases}};
    if (asks_for_all(options.ids)) {
        const std::string report = (folder / "report.html").string();
        write_html_report(read_results(folder), report);
        summary["report"] = report;
        if (!common.json) {
            std::cout << "wrote " << report << '\n';
        }
    }
    if (common.json) {
        print_json(std::cout, summary);
    }
    return outcome.failed_cases > 0 ? kEnvironment : outcome.claims;
}

std::vector<Row> measure(const Experiment& experiment,
                         const EntryRun& run,
                         const DirectoryLock& folder,
                         const Provenance& provenance) {
    try {
        return run_experiment(experiment, folder, provenance, run.restart, {run.progress});
    } catch (const Interrupted&) {
        throw Interrupted(interruption(run));
    }
}

/// How many of the rows did not end well, with the first of them spelled out.
std::size_t report_failures(const ExperimentEntry& entry, const std::vector<Row>& rows) {
    std::size_t bad = 0;
    for (const Row& row : rows) {
        // A contender that is not installed is a row that says so, not a failure of the run.
        const bool answered = row.status == RowStatus::skipped ||
                              (row.status == RowStatus::refused && entry.asks_for_refusals);
        if (row.status != RowStatus::ok && !answered) {
            if (bad == 0) {
                std::cerr << entry.id << ": " << describe(row.key) << ": " << to_string(row.status)
                          << ": " << row.message << '\n';
            }
            ++bad;
        }
    }
    return bad;
}

}  // namespace

Command add_reproduce(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<ReproduceOptions>();
    CLI::App* app = program.add_subcommand(
        "reproduce", "Run experiments of the papers: rows, tables, figures, and one HTML report");
    app->add_option(
           "experiment", options->ids, "all, with the report; or some of the experiments below")
        ->required();
    app->add_option("--profile", options->profile, "quick (all in five minutes) or full")
        ->check(CLI::IsMember({"quick", "full"}))
        ->capture_default_str();
    app->add_option("--out", options->output, "Folder; files go to FOLDER/PROFILE")
        ->capture_default_str();
    app->add_option("--results",
                    options->results,
                    "Folder of committed rows, for the claims about experiments")
        ->take_last()
        ->capture_default_str();
    app->add_option("--text",
                    options->text,
                    "A file or folder of your own text, for the experiments text_...")
        ->take_last();
    app->add_option(
           "--jobs",
           options->jobs,
           "Experiments side by side; unless said, one a processor (quick profile) or 1 (full)")
        ->check(CLI::Range(1, 1024))
        ->take_last();
    app->add_flag("--resume", options->resume, "Keep the finished cases of an interrupted run");
    app->add_flag("--quiet", options->quiet, "No progress");
    add_common(*app, common);
    std::vector<std::pair<std::string, std::string>> names;
    for (const ExperimentEntry& entry : catalogue(options->results)) {
        names.emplace_back(entry.id, entry.summary);
    }
    add_names(*app, "Experiments", names);
    add_examples(*app,
                 "  attest reproduce all --profile quick\n"
                 "  attest reproduce fig2 --profile quick\n"
                 "  attest reproduce text_learning --text FOLDER\n"
                 "  attest reproduce all --profile full --out results --resume\n");
    return {app, [options, &common] { return reproduce(*options, common); }};
}

EntryResult run_entry(const ExperimentEntry& entry,
                      const EntryRun& run,
                      const CommonOptions& common,
                      const DirectoryLock& folder,
                      const Provenance& provenance) {
    const Experiment experiment = entry.make(run.profile, common.seed);
    EntryResult found;
    found.rows = measure(experiment, run, folder, provenance);
    // The claims say by their own exit code how they ended.
    if (entry.topic != Topic::claims) {
        found.failed_cases = report_failures(entry, found.rows);
    }
    nlohmann::ordered_json files = nlohmann::ordered_json::array();
    files.push_back(result_path(experiment, folder).string());
    for (const std::filesystem::path& file :
         write_derived(derive(entry, found.rows), folder.directory())) {
        files.push_back(file.string());
    }
    if (!common.json) {
        std::cout << entry.text(found.rows);
        for (const auto& file : files) {
            std::cout << "wrote " << file.get<std::string>() << '\n';
        }
    }
    found.summary = {{"id", entry.id}, {"rows", found.rows.size()}, {"files", files}};
    return found;
}

}  // namespace attest::cli
