#include "cli/check.hpp"

#include "cli/commands.hpp"
#include "cli/telling.hpp"
#include "core/base/child_process.hpp"
#include "core/base/files.hpp"
#include "core/questions/output.hpp"
#include "record/provenance.hpp"

#include <iostream>
#include <memory>

namespace attest::cli {

namespace {

struct CheckOptions {
    std::string proof;
    std::string data;
    std::string queries;
    bool verified = false;  ///< by the checker that is proved in proofs_check/theory
};

/// Runs the checker as a process of its own, so that nothing of this program has a say in the
/// answer.
int check(const CheckOptions& options, const CommonOptions& common) {
    std::vector<std::string> words{
        checker_program(options.verified ? "attest-verified" : "attest-check")};
    for (const std::string& file : {options.proof, options.data, options.queries}) {
        if (!file.empty()) {
            // Never an option of the checker's.
            words.push_back(file.starts_with('-') ? "./" + file : file);
        }
    }
    const ChildResult answer = told("check", [&] { return run_child(words); });
    if (answer.code == kHolds || answer.code == kDoesNotHold) {
        const std::string line = answer.out.substr(0, answer.out.find('\n'));
        ensure(line.starts_with(answer.code == kHolds ? "VERIFIED " : "REJECTED"),
               "check: the checker's words are not what its exit code says");
        Output report;
        report.add_json("verdict", answer.code == kHolds ? "verified" : "rejected");
        report.add_json("answer", line);
        report.say(line);
        report.print(std::cout, common.json);
    }
    return answer.code < 0 ? kInternal : answer.code;
}

}  // namespace

Command add_check(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<CheckOptions>();
    CLI::App* app = program.add_subcommand("check",
                                           "Verify a proof from the data, by the independent "
                                           "attest-check. Exit 0 VERIFIED, 1 rejected");
    app->add_option("proof", options->proof, "Proof file (.cert)")->required();
    app->add_option(
        "data", options->data, "Data set (.npz) that the proof is about; none of a stack");
    app->add_option("queries", options->queries, "Data set of the queries, if it is about some");
    app->add_flag("--verified",
                  options->verified,
                  "By attest-verified, proved sound in Coq (scripts/theory --checker builds it)\n"
                  "Exit 3: not supported");
    add_common(*app, common);
    add_examples(*app,
                 "  attest check data.cert data.npz\n"
                 "  attest check queries.cert data.npz queries.npz --json\n"
                 "  attest check dimension.cert\n");
    return {app, [options, &common] { return check(*options, common); }};
}

void add_check_files(CLI::App& app, CheckFiles& files) {
    app.add_option("--junit", files.junit, "Write a JUnit report to this file");
    app.add_option("--sarif", files.sarif, "Write a SARIF 2.1.0 report to this file");
}

void write_checks(const CheckFiles& files,
                  const std::string& suite,
                  const std::vector<CheckedCase>& cases) {
    if (!files.junit.empty()) {
        write_file_atomically(files.junit, junit_xml(suite, cases));
    }
    if (!files.sarif.empty()) {
        const Provenance own = collect_provenance({{"attest"}, 0, ""});
        write_file_atomically(files.sarif, sarif_json(own.version, cases));
    }
}

std::string checker_program(const std::string& name) {
    const std::string beside = program_folder() + '/' + name;
    return is_there(beside) ? beside : name;
}

}  // namespace attest::cli
