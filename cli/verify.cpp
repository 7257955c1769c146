#include "cli/check.hpp"
#include "cli/claims_code.hpp"
#include "cli/commands.hpp"
#include "cli/own_claims.hpp"
#include "core/base/files.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/json_text.hpp"
#include "proofs_check/claims/errata.hpp"
#include "proofs_check/claims/report.hpp"
#include "record/progress.hpp"
#include "record/provenance.hpp"
#include "report/claim_rows.hpp"
#include "report/html_report.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

namespace attest::cli {

namespace {

struct VerifyOptions {
    std::vector<std::string> claims;
    std::string profile = "quick";
    std::string results = "results";
    CheckFiles files;
    std::string markdown;
    std::string errata;
    std::string rows;
    bool list = false;
    bool explain = false;
    bool quiet = false;
};

int list_claims(const std::vector<const Claim*>& chosen, const CommonOptions& common) {
    if (common.json) {
        std::cout << json_text(claim_list(chosen)) << '\n';
        return kHolds;
    }
    for (const Claim* claim : chosen) {
        std::cout << claim->id << "  " << words(claim->documented) << "  "
                  << to_string(claim->method) << "  " << claim->place;
        const std::string theorems = words(claim->machine_checked);
        std::cout << (theorems.empty() ? "" : "  machine-checked: " + theorems) << '\n';
    }
    return kHolds;
}

std::vector<ClaimResult> run_all(const std::vector<const Claim*>& chosen,
                                 const VerifyOptions& options,
                                 const CommonOptions& common) {
    const Profile profile = profile_from_string(options.profile);
    Progress progress("verify",
                      static_cast<Index>(chosen.size()),
                      {options.quiet ? ProgressMode::quiet : ProgressMode::automatic});
    std::vector<ClaimResult> results;
    for (const Claim* claim : chosen) {
        if (!claim->source.empty()) {
            continue;  // its file has run it
        }
        throw_if_interrupted("verify");
        progress.begin(claim->id);
        results.push_back(run_claim(*claim, profile, common.seed, options.results));
        if (results.back().outcome != claim->documented) {
            progress.message(std::string(claim->id) + ": " + words(results.back().outcome) +
                             ", documented: " + words(claim->documented));
        }
        progress.advance();
    }
    return results;
}

Provenance provenance_of(const CommonOptions& common) {
    return collect_provenance(
        {common.arguments, common.seed, "claims draw the same numbers on every machine"});
}

/// Rows, their table and the page of both. Where they stand is for people: they know the folder.
void write_rows(const std::vector<ClaimResult>& results,
                const VerifyOptions& options,
                const CommonOptions& common,
                const DirectoryLock& folder) {
    const Profile profile = profile_from_string(options.profile);
    std::vector<std::filesystem::path> files =
        write_claim_rows(results, profile, folder, provenance_of(common));
    const std::filesystem::path page = folder.directory() / "report.html";
    write_html_report(read_results(folder.directory()), page.string());
    files.push_back(page);
    for (const std::filesystem::path& file : files) {
        std::cerr << "wrote " << file.string() << '\n';
    }
}

void print(const std::vector<ClaimResult>& results,
           const VerifyOptions& options,
           const CommonOptions& common) {
    if (common.json) {
        nlohmann::ordered_json found = claim_results(results, profile_from_string(options.profile));
        found["provenance"] = to_json_object(provenance_of(common));
        std::cout << json_text(found) << '\n';
        return;
    }
    if (options.explain) {
        for (const ClaimResult& result : results) {
            std::cout << explanation(result) << '\n';
        }
    }
    std::cout << outcome_table(results) << open_reasons(results);
}

ExitCode results_code(const std::vector<ClaimResult>& results) {
    std::vector<Agreement> all;
    all.reserve(results.size());
    for (const ClaimResult& result : results) {
        all.push_back(result.agreement());
    }
    return claims_code(all);
}

void write_pages(const std::filesystem::path& folder, const std::vector<MarkdownPage>& pages) {
    for (const MarkdownPage& page : pages) {
        const std::filesystem::path file = folder / page.path;
        std::error_code ignored;  // writing says what is wrong
        std::filesystem::create_directories(file.parent_path(), ignored);
        write_file_atomically(file.string(), page.text);
    }
}

/// Results in the order of what was chosen, whoever ran them.
std::vector<ClaimResult> in_order(const std::vector<const Claim*>& chosen,
                                  const std::vector<ClaimResult>& results) {
    std::vector<ClaimResult> ordered;
    for (const Claim* claim : chosen) {
        const auto found =
            std::find_if(results.begin(), results.end(), [&](const ClaimResult& result) {
                return result.claim->id == claim->id;
            });
        ensure(found != results.end(), "verify: a claim without a result");
        ordered.push_back(*found);
    }
    return ordered;
}

void add_results(std::vector<ClaimResult>& results, const std::vector<ClaimResult>& more) {
    results.insert(results.end(), more.begin(), more.end());
}

bool all_own(const std::vector<const Claim*>& chosen) {
    return std::none_of(
        chosen.begin(), chosen.end(), [](const Claim* claim) { return claim->source.empty(); });
}

/// Where each own claim begins, for annotations.
std::vector<CheckedCase> with_lines(std::vector<CheckedCase> cases,
                                    const std::vector<OwnClaims>& own) {
    for (const OwnClaims& file : own) {
        for (std::size_t i = 0; i < file.claims.size(); ++i) {
            const auto found = std::find_if(cases.begin(), cases.end(), [&](const auto& one) {
                return one.name == file.claims[i].id;
            });
            if (found != cases.end()) {
                found->line = file.lines[i];
            }
        }
    }
    return cases;
}

int verify(const VerifyOptions& options, const CommonOptions& common) {
    const AskedClaims asked = asked_claims(options.claims);
    if (options.list) {
        return list_claims(asked.chosen, common);
    }
    require(options.errata.empty() || asked.own.empty() || all_own(asked.chosen),
            "--errata: got claims of {} and Attest's own, expected either; run each by itself",
            asked.own.empty() ? "" : asked.own.front().file);
    install_interrupt_handlers();
    // Opened first: a place that cannot be written is found before the claims are run.
    std::optional<DirectoryLock> rows;
    if (!options.rows.empty()) {
        rows.emplace(options.rows);
    }
    std::vector<OwnClaims> own;  // their texts outlive the results
    for (const OwnFile& file : asked.own) {
        own.push_back(run_own_claims(file, options.profile, common.seed));
    }
    std::vector<ClaimResult> run = run_all(asked.chosen, options, common);
    for (const OwnClaims& file : own) {
        add_results(run, file.results);
    }
    const std::vector<ClaimResult> results = in_order(asked.chosen, run);
    write_checks(options.files, "attest verify", with_lines(checked_cases(results), own));
    if (!options.markdown.empty()) {
        write_pages(options.markdown, claims_markdown(results));
    }
    if (!options.errata.empty()) {
        write_file_atomically(
            options.errata,
            asked.own.empty() ? errata_markdown(results) : own_errata_markdown(results));
    }
    if (rows) {
        write_rows(results, options, common, *rows);
    }
    print(results, options, common);
    return results_code(results);
}

}  // namespace

Command add_verify(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<VerifyOptions>();
    CLI::App* app = program.add_subcommand(
        "verify",
        "Check the papers' statements: exit 0 all as documented, 1 one differs, 3 undecided");
    app->add_option(
        "claim",
        options->claims,
        "Ids, beginnings, globs ('yau2024/*'), names ('Lemma 2.3'), your own FILE.py; or all");
    app->add_option("--profile", options->profile, "quick or full: the size of the sweeps")
        ->check(CLI::IsMember({"quick", "full"}))
        ->capture_default_str();
    app->add_flag("--list", options->list, "Only list the claims and their documented outcomes");
    app->add_flag("--explain", options->explain, "Print statement, argument and every check");
    add_check_files(*app, options->files);
    app->add_option("--markdown",
                    options->markdown,
                    "Write CLAIMS.md and its evidence, docs/claims/*.md, below this folder");
    app->add_option(
        "--errata", options->errata, "Write docs/errata.md, or that of your own claims, here");
    app->add_option("--rows",
                    options->rows,
                    "Write rows, their table and report.html to this folder, for attest compare");
    app->add_option("--results", options->results, "Folder of committed result rows")
        ->capture_default_str();
    app->add_flag("--quiet", options->quiet, "No progress on standard error");
    add_common(*app, common);
    add_examples(*app,
                 "  attest verify\n"
                 "  attest verify yau2024/lemma_a5 --explain\n"
                 "  attest verify 'yau2024/*' --profile full --junit claims.xml\n"
                 "  attest verify --sarif claims.sarif\n"
                 "  attest verify 'Theorem 2.2'\n"
                 "  attest verify mine.py --junit mine.xml\n"
                 "  attest verify mine.py --rows rows --errata errata.md\n");
    return {app, [options, &common] { return verify(*options, common); }};
}

}  // namespace attest::cli
