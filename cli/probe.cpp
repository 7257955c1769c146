#include "core/questions/probe.hpp"

#include "cli/commands.hpp"
#include "cli/option_values.hpp"
#include "cli/telling.hpp"
#include "core/base/text.hpp"
#include "core/data/dataset_file.hpp"
#include "core/layers/parse_layer.hpp"
#include "core/questions/express.hpp"
#include "core/questions/output.hpp"
#include "core/questions/probe_stack.hpp"
#include "core/softmax/single_head_probe.hpp"
#include "core/solve/cost_model.hpp"

#include <iostream>
#include <memory>
#include <optional>
#include <vector>

namespace attest::cli {

namespace {

struct ProbeOptions {
    Index d = 0;
    Index width = 0;
    std::string layer = "linear";
    std::string output;
    std::string read;
    std::optional<double> noise;
    bool softmax = false;
    Index layers = 1;
    StackProbeRequest stack;
    std::vector<Index> head_size;  ///< of a key, and of a value; empty: d/heads
    Index starts = 40;
};

int write_queries(const ProbeOptions& options, const CommonOptions& common) {
    const ProbeRequest request{layer_named(options.layer), options.d, options.width, options.noise};
    const double seconds = probe_seconds(request) / machine_speed();
    tell_beforehand("probe", seconds, formatted("at most about {}", format_seconds(seconds)));
    const Probe found = told("probe", [&] { return probe(request); });
    write_dataset(options.output, found.design.queries);
    Output output = describe(found);
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
    const double seconds = least_risk_seconds(data);
    tell_beforehand("probe", seconds, formatted("at most about {}", format_seconds(seconds)));
    const LeastRisk found = told("probe", [&] { return least_risk(data); });
    Output output;
    output.add("layer", to_string(data.layer));
    output.add("num_examples", data.num_examples());
    output.add("psi", data.layout().psi());
    output.add("rank", found.rank);
    describe(output, data.layer, found);
    if (found.verdict != LabelConsistency::undecided && found.P.rows() > 0) {
        const BestModel best = best_model(data, found);
        write_model(options.output, best.model);
        output.add("model", options.output);
        describe(output, best);
    }
    output.print(std::cout, common.json);
    return found.verdict == LabelConsistency::undecided ? kUndecided : kHolds;
}

int read_softmax_answers(const ProbeOptions& options, const CommonOptions& common) {
    const SingleHead head =
        told("probe", [&] { return read_single_head(read_dataset(options.read)); });
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

StackProbeRequest stack_request(const ProbeOptions& options, Index d, std::uint64_t seed) {
    StackProbeRequest request = options.stack;
    request.d = d;
    request.seed = seed;
    if (!options.head_size.empty()) {
        request.key_size = options.head_size.front();
        request.value_size = options.head_size.back();
    }
    return request;
}

int write_stack_queries(const ProbeOptions& options, const CommonOptions& common) {
    const StackProbeRequest request = stack_request(options, options.d, common.seed);
    tell_beforehand("probe",
                    dimension_seconds({probed_shape(request), request.tokens}) / machine_speed());
    const StackProbe found = told("probe", [&] { return probe_stack(request); });
    write_dataset(options.output, found.queries);
    Output output = describe(found);
    output.add("output", options.output, options.output + "; add the answers as y (N,d)");
    output.print(std::cout, common.json);
    return kHolds;
}

int read_stack(const ProbeOptions& options, const CommonOptions& common) {
    const Dataset answers = read_dataset(options.read);
    const FoundStack found = read_stack_answers(
        answers, stack_request(options, answers.d(), common.seed), options.starts);
    Output output = describe(found);
    if (found.stack) {
        write_stack(options.output, *found.stack);
        output.add("model", options.output);
    }
    output.print(std::cout, common.json);
    return exit_code(decision(found));
}

int run(const ProbeOptions& options, const CommonOptions& common) {
    if (options.layers > 1) {
        return options.read.empty() ? write_stack_queries(options, common)
                                    : read_stack(options, common);
    }
    if (options.read.empty()) {
        return options.softmax ? write_softmax_queries(options, common)
                               : write_queries(options, common);
    }
    return options.softmax ? read_softmax_answers(options, common) : read_answers(options, common);
}

/// Refuses what the other number of layers asks, and what an answer's file says.
void require_options_fit(const CLI::App& app, const ProbeOptions& options) {
    if (options.layers > 1) {
        refuse_options(app,
                       {"--layer", "--width", "--noise", "--softmax"},
                       "belongs to a single layer, not to --layers 2");
    } else {
        refuse_options(app,
                       {"--heads", "--head-size", "--tokens", "--causal", "--starts"},
                       "belongs to --layers 2");
    }
    if (!options.read.empty()) {
        refuse_options(app, {"--width", "--noise"}, "is what the file of --read says");
    }
    if (options.softmax) {
        refuse_options(app, {"--layer", "--width", "--noise"}, "does not go with --softmax");
    }
}

void add_stack_options(CLI::App& app, ProbeOptions& options) {
    app.add_option("--layers",
                   options.layers,
                   "2: two linear layers with residual connections, read at their last token")
        ->check(integer_within(1, 2))
        ->capture_default_str();
    app.add_option("--heads", options.stack.heads, "Two layers: heads of each")
        ->check(integer_within(1, 64))
        ->capture_default_str();
    app.add_option("--head-size",
                   options.head_size,
                   "Two layers: entries of a key, and of a value: 2, or 2,3; else d/heads")
        ->delimiter(',')
        ->expected(1, 2)
        ->allow_extra_args(false)
        ->check(integer_within(1, 64));
    app.add_option("--tokens", options.stack.tokens, "Two layers: tokens of a query")
        ->check(integer_within(1, 64))
        ->capture_default_str();
    app.add_flag(
        "--causal", options.stack.causal, "Two layers: a token sees itself and those before it");
    app.add_option("--starts", options.starts, "Two layers, with --read: fits tried at most")
        ->check(integer_within(1, 100000))
        ->capture_default_str();
}

}  // namespace

Command add_probe(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<ProbeOptions>();
    CLI::App* app = program.add_subcommand(
        "probe", "Inputs to ask a black box, so that its answers determine the layer in it");
    app->add_option("--d", options->d, "Token dimension")->check(integer_within(1, kLargestProbed));
    app->add_option("--width", options->width, "Entries of x, for the layer cross; else d")
        ->check(integer_within(1, kLargestProbed));
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
    add_stack_options(*app, *options);
    app->callback([app, options] {
        require_options_fit(*app, *options);
        if ((options->d == 0) == options->read.empty()) {
            throw CLI::ValidationError("expected --d, or --read with the answers");
        }
    });
    add_common(*app, common);
    add_examples(*app,
                 "  attest probe --d 4 -o queries.npz\n"
                 "  attest probe --read answers.npz -o model.npz\n"
                 "  attest probe --d 4 --noise 0.01 -o queries.npz\n"
                 "  attest probe --d 3 --layer \"decay=1,1/2\" -o queries.npz\n"
                 "  attest probe --d 4 --softmax -o queries.npz\n"
                 "  attest probe --d 2 --layers 2 --causal -o queries.npz\n"
                 "  attest probe --read answers.npz --layers 2 --causal -o stack.npz\n");
    return {app, [options, &common] { return run(*options, common); }};
}

}  // namespace attest::cli
