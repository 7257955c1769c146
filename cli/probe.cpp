#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/show_findings.hpp"
#include "core/certify/probe_design.hpp"
#include "core/data/dataset_file.hpp"
#include "core/layers/parse_layer.hpp"
#include "core/softmax/single_head_probe.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>

namespace attest::cli {

namespace {

struct ProbeOptions {
    Index d = 0;
    Index width = 0;
    std::string layer = "linear";
    std::string output;
    std::string read;
    double noise = std::numeric_limits<double>::quiet_NaN();
    bool softmax = false;
};

/// "1 of all 40", or what they are: "1 (38 times), 2, 4".
std::string in_words(const std::vector<Integer>& divisors) {
    std::string text;
    for (auto first = divisors.begin(); first != divisors.end();) {
        const auto next = std::upper_bound(first, divisors.end(), *first);
        text += (text.empty() ? "" : ", ") + first->str();
        text += next - first > 1 ? formatted(" ({} times)", next - first) : "";
        first = next;
    }
    return text;
}

void show_divisors(Output& output, const ProbeDesign& design) {
    if (design.divisors.empty()) {
        output.add(
            "elementary_divisors", nullptr, "not computed: too many features, or numbers too long");
        return;
    }
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Integer& divisor : design.divisors) {
        list.push_back(divisor.str());
    }
    const bool unimodular = design.divisors.back() == 1;
    output.add_json("elementary_divisors", list);
    output.add("unimodular",
               unimodular,
               unimodular ? "yes: integer answers have integer coefficients"
                          : "no: elementary divisors " + in_words(design.divisors));
}

/// Queries that suffer less from noise, and by how much.
Dataset quieter(Output& output, const ProbeDesign& design, const ProbeOptions& options) {
    const Layer& layer = design.queries.layer;
    const double before = noise_factor(design.queries, design.rank);
    QuieterQueries found =
        quieter_queries(design.queries,
                        layer.is_linear() ? two_token_candidates(options.d)
                                          : probe_candidates(layer, options.d, options.width));
    const double variance = options.noise * options.noise;
    output.add(
        "noise_error_default",
        number_or_null(variance * before),
        formatted("{} expected in |P - truth|^2 for each output, of the default queries{}",
                  brief(variance * before),
                  design.rank == design.psi ? "" : ", coefficients that no input shows left out"));
    output.add(
        "noise_error",
        number_or_null(variance * found.factor),
        formatted(
            "{} of these, {} of them exchanged", brief(variance * found.factor), found.exchanged));
    return std::move(found.queries);
}

int write_queries(const ProbeOptions& options, const CommonOptions& common) {
    const ProbeDesign design = probe_design(layer_named(options.layer), options.d, options.width);
    Output output;
    output.add("layer", to_string(design.queries.layer));
    output.add("d", options.d);
    output.add("psi", design.psi);
    output.add("num_queries", design.queries.num_sequences());
    output.add(
        "rank",
        design.rank,
        design.rank == design.psi
            ? formatted(
                  "{} of {}: the answers determine every coefficient", design.rank, design.psi)
            : formatted("{} of {}, that of all inputs: the answers determine the function",
                        design.rank,
                        design.psi));
    const bool noisy = !std::isnan(options.noise);
    if (!noisy) {
        show_divisors(output, design);
    }
    const Dataset queries = noisy ? quieter(output, design, options) : design.queries;
    write_dataset(options.output, queries);
    output.add("output", options.output, options.output + "; add the answers as y (N,o)");
    output.print(std::cout, common.json);
    return kHolds;
}

int write_softmax_queries(const ProbeOptions& options, const CommonOptions& common) {
    const Dataset queries = softmax_queries(options.d);
    write_dataset(options.output, queries);
    Output output;
    output.add("d", options.d);
    output.add("num_queries", queries.num_sequences());
    output.add("output", options.output, options.output + "; add the answers as y (N,o)");
    output.print(std::cout, common.json);
    return kHolds;
}

int read_answers(const ProbeOptions& options, const CommonOptions& common) {
    const Dataset data =
        read_dataset(options.read, InvalidExamples::reject, layer_named(options.layer));
    const LeastRisk found = least_risk(data);
    Output output;
    output.add("layer", to_string(data.layer));
    output.add("num_examples", data.num_examples());
    output.add("psi", data.layout().psi());
    output.add("rank", found.rank);
    show_least_risk(output, data.layer, found);
    if (found.verdict != LabelConsistency::undecided) {
        write_best_model(output, options.output, data, found);
    }
    output.print(std::cout, common.json);
    return found.verdict == LabelConsistency::undecided ? kUndecided : kHolds;
}

int read_softmax_answers(const ProbeOptions& options, const CommonOptions& common) {
    const SingleHead head = read_single_head(read_dataset(options.read));
    write_single_head(options.output, head);
    Output output;
    output.add("d", head.A.rows());
    output.add("o", head.V.rows());
    output.add("misfit",
               number_or_null(head.misfit),
               brief(head.misfit) + " of a value, the most that a single head leaves unexplained");
    output.add(
        "error",
        number_or_null(head.error),
        brief(head.error) + " at most in an entry of A, to first order, of rounding and misfit");
    output.add("unread",
               head.unread,
               formatted("{} entries of A, where a weight is 0 or 1 or no value shows it",
                         head.unread.size()));
    output.add("model", options.output, options.output + " with V and A: y = V Z softmax(Z'Az)");
    output.print(std::cout, common.json);
    return head.unread.empty() ? kHolds : kUndecided;
}

int run(const ProbeOptions& options, const CommonOptions& common) {
    if (options.read.empty()) {
        return options.softmax ? write_softmax_queries(options, common)
                               : write_queries(options, common);
    }
    return options.softmax ? read_softmax_answers(options, common) : read_answers(options, common);
}

}  // namespace

Command add_probe(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<ProbeOptions>();
    CLI::App* app = program.add_subcommand(
        "probe", "Inputs to ask a black box, so that its answers determine the layer in it");
    app->add_option("--d", options->d, "Token dimension")->check(integer_within(1, 64));
    app->add_option("--width", options->width, "Entries of x, for the layer cross; else d")
        ->check(integer_within(1, 64));
    add_layer_option(*app, options->layer);
    app->add_flag("--softmax", options->softmax, "One head of softmax attention instead");
    app->add_option("--noise",
                    options->noise,
                    "Standard deviation of noise in the answers: queries that suffer less from it")
        ->check(number_from_zero());
    app->add_option("--read",
                    options->read,
                    "Read answers, the queries with y (.npz), into a model: exact coefficients");
    app->add_option("-o,--output", options->output, "Queries, or with --read the model (.npz)")
        ->required();
    app->callback([options] {
        if ((options->d == 0) == options->read.empty()) {
            throw CLI::ValidationError("expected --d, or --read with the answers");
        }
        if (options->width == 0) {
            options->width = options->d;
        }
        const bool other = options->layer != "linear" || !std::isnan(options->noise);
        if (options->softmax && other) {
            throw CLI::ValidationError("--softmax takes neither --layer nor --noise");
        }
    });
    add_common(*app, common);
    add_examples(*app,
                 "  attest probe --d 4 -o queries.npz\n"
                 "  attest probe --read answers.npz -o model.npz\n"
                 "  attest probe --d 4 --noise 0.01 -o queries.npz\n"
                 "  attest probe --d 3 --layer \"decay=1,1/2\" -o queries.npz\n"
                 "  attest probe --d 4 --softmax -o queries.npz\n");
    return {app, [options, &common] { return run(*options, common); }};
}

}  // namespace attest::cli
