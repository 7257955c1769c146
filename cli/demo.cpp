#include "cli/check.hpp"
#include "cli/commands.hpp"
#include "core/base/child_process.hpp"
#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/data/dataset_file.hpp"
#include "core/questions/certify.hpp"
#include "core/questions/explanation_words.hpp"
#include "core/questions/learn.hpp"
#include "core/questions/output.hpp"
#include "tasks/registry.hpp"

#include <iostream>

namespace attest::cli {

namespace {

using DemoParameters = std::map<std::string, std::string>;

constexpr Index kDemoExamples = 60;
constexpr Index kDemoPrompts = 200;
constexpr Index kDemoFresh = 1000;

const DemoParameters kHiddenLayer{{"d", "3"}, {"n", "8"}, {"heads", "2"}};
const DemoParameters kRegression{{"d", "2"}, {"n", "8"}};

/// What the stand-alone checker says of the proof, from files that go away again.
std::string checker_answer(const Dataset& data, const std::string& proof) {
    const TemporaryDirectory folder;
    const std::string data_file = folder.file("data.npz");
    const std::string proof_file = folder.file("data.cert");
    write_dataset(data_file, data);
    write_file_atomically(proof_file, std::string_view(proof));
    const ChildResult answer = run_child({checker_program("attest-check"), proof_file, data_file});
    return answer.out.substr(0, answer.out.find('\n'));
}

void learn_hidden_layer(Output& output, const Task& task, const Dataset& data) {
    const DatasetSource source(data);
    const Learned found = learn(FactoredSource(source), {}, {});
    const Risk fresh = empirical_risk(found.model.P, TaskSource(task, kDemoExamples, kDemoFresh));
    output.say(
        formatted("1  Learn. A hidden layer of {} heads labelled {} sequences of tokens "
                  "with {} entries.",
                  kHiddenLayer.at("heads"),
                  data.num_examples(),
                  data.d()));
    output.add("psi",
               data.layout().psi(),
               formatted("{} coefficients an output, by least squares", data.layout().psi()));
    output.add("relative", number_or_null(found.risk.relative), brief(found.risk.relative));
    output.add("relative_on_fresh_inputs",
               number_or_null(fresh.relative),
               formatted("{} on {} new sequences", brief(fresh.relative), kDemoFresh));
}

/// Whether the data are proved to determine the layer, by this program and by the other one.
bool certify_hidden_layer(Output& output, const Dataset& data) {
    const DatasetSource source(data);
    const Certification found = certify(FactoredSource(source), {});
    const ExactRank& rank = found.exact()->rank;
    output.say("");
    output.say("2  Certify. Does any other layer fit as well?");
    output.add(
        "rank", rank.rank_lower, formatted("{} of {} (proved over Q)", rank.rank_lower, rank.psi));
    output.add("verdict",
               to_string(found.verdict),
               found.verdict == DataVerdict::determined
                   ? "determined: every layer that fits these labels is the same function (proved)"
                   : std::string(to_string(found.verdict)));
    const std::string answer = found.proof ? checker_answer(data, *found.proof) : "no proof";
    output.add(
        "checker", answer, answer + " (attest-check, which shares no code with this program)");
    return found.verdict == DataVerdict::determined && answer.starts_with("VERIFIED");
}

std::string input_text(const Dataset& input) {
    const Matrix Z = input.sequence(0);
    std::string text;
    for (Index j = 0; j < Z.rows(); ++j) {
        for (Index t = 0; t < Z.cols(); ++t) {
            text += (t > 0 ? " " : j > 0 ? "; " : "[") + round_trip(Z(j, t));
        }
    }
    return text + "]";
}

/// Whether prompts whose last answer is missing are proved to leave something open.
bool show_deficient(Output& output, const Dataset& data) {
    CertifyRequest request;
    request.parts.witness = true;
    request.parts.reasons = true;
    const DatasetSource source(data);
    const Certification found = certify(FactoredSource(source), request);
    const ExactEvidence& evidence = *found.exact();
    output.say("");
    output.say(
        formatted("3  Data that do not suffice. {} prompts of pairs (x, <w, x>) with a "
                  "last x whose answer is 0 so far.",
                  data.num_examples()));
    output.add("deficient_rank",
               evidence.rank.rank_lower,
               formatted("{} of {} (proved over Q): more prompts of this kind add nothing",
                         evidence.rank.rank_lower,
                         evidence.rank.psi));
    output.add_json("deficient_verdict", to_string(found.verdict));
    if (evidence.explanation) {
        describe(output, *evidence.explanation);
    }
    if (evidence.witness) {
        const Witness& witness = evidence.witness->witness;
        output.add("witness",
                   {{"input", input_text(witness.input)},
                    {"difference", number_or_null(witness.difference)}},
                   formatted("two models of the same training error differ by {} on the input {}",
                             brief(witness.difference),
                             input_text(witness.input)));
    }
    return found.verdict == DataVerdict::not_determined && evidence.witness;
}

constexpr std::string_view kNextSteps =
    "\nNext: your own data, an .npz file with Z (N,d,n) and y (N,o):\n"
    "   attest certify data.npz --explain      do they determine a layer, and why not?\n"
    "   attest learn data.npz -o model.npz     the layer\n"
    "   attest layers                          layers beyond the paper's: decays, windows, gates\n"
    "   docs/play/index.html                   the same questions on a page, with tokens to drag";

int run_demo(const CommonOptions& common) {
    const auto task = make_task("random-linear-attention", kHiddenLayer, common.seed);
    const Dataset data = materialise(*task, 0, kDemoExamples, common.threads);
    const auto regression = make_task("icl-regression", kRegression, common.seed);
    Output output;
    learn_hidden_layer(output, *task, data);
    const bool determined = certify_hidden_layer(output, data);
    const bool deficient =
        show_deficient(output, materialise(*regression, 0, kDemoPrompts, common.threads));
    output.say(std::string(kNextSteps));
    output.print(std::cout, common.json);
    return determined && deficient ? kHolds : kDoesNotHold;
}

}  // namespace

Command add_demo(CLI::App& program, CommonOptions& common) {
    CLI::App* app = program.add_subcommand(
        "demo",
        "Learns, certifies, and shows data that do not suffice, in seconds and without files");
    add_common(*app, common);
    add_examples(*app, "  attest demo\n  attest demo --json --seed 7\n");
    return {app, [&common] { return run_demo(common); }};
}

}  // namespace attest::cli
