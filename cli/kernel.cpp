#include "cli/kernel.hpp"

#include "cli/commands.hpp"
#include "cli/option_values.hpp"
#include "core/base/text.hpp"
#include "core/data/archive/npz.hpp"
#include "core/kernels/kernel_check.hpp"
#include "core/kernels/kernel_dump.hpp"
#include "core/questions/output.hpp"

#include <iostream>
#include <memory>

namespace attest::cli {

namespace {

struct KernelOptions {
    std::string file;
    std::string kind;
    std::string layout = "time-first";
    std::string accumulator = "fp32";
    std::string operands;     ///< empty: as the accumulator
    std::string output_type;  ///< empty: as the accumulator
    std::string ratios;
    double scale = 0.0;
    DumpFormat format;
    KernelArithmetic arithmetic;
};

KernelArithmetic stated_arithmetic(const KernelOptions& options) {
    KernelArithmetic arithmetic = options.arithmetic;
    arithmetic.accumulator = precision_named(options.accumulator);
    arithmetic.operands =
        precision_named(options.operands.empty() ? options.accumulator : options.operands);
    arithmetic.output =
        precision_named(options.output_type.empty() ? options.accumulator : options.output_type);
    return arithmetic;
}

DumpFormat dump_format(const KernelOptions& options, bool has_scale) {
    DumpFormat format = options.format;
    format.recurrence = recurrence_named(options.kind);
    format.layout =
        options.layout == "head-first" ? DumpLayout::head_first : DumpLayout::time_first;
    if (has_scale) {
        format.scale = options.scale;
    }
    return format;
}

/// What is checked, and for which arithmetic.
void add_question(Output& output, const KernelDump& dump, const KernelArithmetic& arithmetic) {
    output.add("kind", to_string(dump.recurrence));
    output.add("arithmetic",
               {{"accumulator", to_string(arithmetic.accumulator)},
                {"operands", to_string(arithmetic.operands)},
                {"output_type", to_string(arithmetic.output)},
                {"chunk", arithmetic.chunk},
                {"slack", arithmetic.slack}},
               formatted("accumulated in {}, factors in {}, outputs in {}, chunks of at most {}",
                         to_string(arithmetic.accumulator),
                         to_string(arithmetic.operands),
                         to_string(arithmetic.output),
                         arithmetic.chunk));
    output.add("shape",
               {{"batch", dump.batch},
                {"tokens", dump.tokens},
                {"heads", dump.heads},
                {"key_dim", dump.key_dim},
                {"value_dim", dump.value_dim}},
               formatted("B = {}, T = {}, H = {}, K = {}, V = {}",
                         dump.batch,
                         dump.tokens,
                         dump.heads,
                         dump.key_dim,
                         dump.value_dim));
    output.add("scale", dump.scale);
}

int check_dump(const KernelOptions& options, bool has_scale, const CommonOptions& common) {
    const KernelArithmetic arithmetic = stated_arithmetic(options);
    const KernelDump dump = read_kernel_dump(options.file, dump_format(options, has_scale));
    const KernelCheck found = check_kernel(dump, arithmetic, common.threads);
    const bool undecided = found.holds() && found.rows_undecided > 0;
    Output output;
    output.add("verdict",
               !found.holds() ? "wrong"
               : undecided    ? "undecided"
                              : "right",
               !found.holds() ? "wrong: no kernel of this arithmetic computes these numbers"
               : undecided    ? "undecided: right where the bound says anything"
                              : "right within the rounding of this arithmetic");
    add_question(output, dump, arithmetic);
    add_kernel_findings(output, dump, arithmetic, found);
    if (!options.ratios.empty()) {
        NpzWriter file;
        file.add("ratios", {DType::float64, {dump.batch, dump.tokens, dump.heads}, found.ratios});
        file.write(options.ratios);
        output.add("ratios", options.ratios);
    }
    output.print(std::cout, common.json);
    return !found.holds() ? kDoesNotHold : undecided ? kUndecided : kHolds;
}

void add_kernel_options(CLI::App& app, KernelOptions& options) {
    app.add_option("dump", options.file, "Arrays q, k, v, o and more (.npz or .safetensors)")
        ->required();
    app.add_option("--kind", options.kind, "Which recurrence: one of the names below")
        ->required()
        ->check(CLI::IsMember(recurrence_names()));
    app.add_option("--layout", options.layout, "Axes (B,T,H,.) or (B,H,T,.)")
        ->check(CLI::IsMember({"time-first", "head-first"}))
        ->capture_default_str();
    app.add_option("--accumulator", options.accumulator, "What products and sums are rounded to")
        ->check(CLI::IsMember(precision_names()))
        ->capture_default_str();
    app.add_option("--operands",
                   options.operands,
                   "What factors of matrix products are rounded to; else the accumulator")
        ->check(CLI::IsMember(precision_names()));
    app.add_option(
           "--output-type", options.output_type, "What o is stored in; else the accumulator")
        ->check(CLI::IsMember(precision_names()));
    app.add_option("--epsilon", options.format.epsilon, "normalised: added to the normaliser")
        ->check(number_from_zero())
        ->capture_default_str();
    app.add_option("--chunk", options.arithmetic.chunk, "The kernel's chunk; 1: token by token")
        ->check(integer_within(1, 65536))
        ->capture_default_str();
    app.add_option("--slack", options.arithmetic.slack, "Times the roundings counted")
        ->check(number_within(1.0, 1e6))
        ->capture_default_str();
    app.add_option("--ratios", options.ratios, "Write |o - reference| / tolerance (B,T,H) (.npz)");
}

Command add_kernel_check(CLI::App& kernel, CommonOptions& common) {
    const auto options = std::make_shared<KernelOptions>();
    CLI::App* app = kernel.add_subcommand(
        "check", "What a kernel computed beside its recurrence: right, or where it goes wrong");
    add_kernel_options(*app, *options);
    const CLI::Option* scale =
        app->add_option("--scale", options->scale, "Of q; else the array scale, else 1/sqrt(K)")
            ->check(number_within(-1e300, 1e300));
    add_common(*app, common);
    add_names(*app,
              "Recurrences",
              {{"linear", "S += k v^T, o = scale S^T q"},
               {"normalised", "the same, o divided by scale q sum k + epsilon"},
               {"retention", "S = decay[h] S + k v^T"},
               {"simple-gla", "S = exp(g) S + k v^T, one gate a token and head"},
               {"gla", "S = diag(exp(g)) S + k v^T, one gate a row of S"},
               {"delta", "S += k beta (v - S^T k)^T"},
               {"gated-delta", "S = exp(g) S, then as delta"}});
    add_examples(
        *app,
        "  attest kernel check dump.npz --kind gla --chunk 64\n"
        "  attest kernel check dump.npz --kind delta --operands bf16 --output-type bf16\n");
    return {app,
            [options, scale, &common] { return check_dump(*options, scale->count() > 0, common); }};
}

using nlohmann::ordered_json;

ordered_json place_json(const KernelPlace& place, const KernelDump& dump) {
    const bool in_state = place.token == dump.tokens;
    ordered_json json{{"in", in_state ? "final_state" : "o"}, {"batch", place.batch}};
    if (!in_state) {
        json["token"] = place.token;
    }
    json["head"] = place.head;
    if (in_state) {
        json["key_row"] = place.column / dump.value_dim;
    }
    json["column"] = place.column % dump.value_dim;
    json["found"] = number_or_null(place.found);
    json["expected"] = place.expected;
    json["tolerance"] = place.tolerance;
    return json;
}

std::string place_text(const KernelPlace& place, const KernelDump& dump) {
    const std::string values = formatted(
        "{}, expected {} +- {}", brief(place.found), brief(place.expected), brief(place.tolerance));
    if (place.token == dump.tokens) {
        return formatted("final state, batch {}, head {}, entry ({},{}): {}",
                         place.batch,
                         place.head,
                         place.column / dump.value_dim,
                         place.column % dump.value_dim,
                         values);
    }
    return formatted("batch {}, token {}, head {}, column {}: {}",
                     place.batch,
                     place.token,
                     place.head,
                     place.column,
                     values);
}

/// Tokens outside as runs [first, last].
ordered_json runs_outside(const KernelCheck& check, const KernelDump& dump, Index b, Index h) {
    ordered_json runs = ordered_json::array();
    for (Index t = 0; t < dump.tokens; ++t) {
        if (check.ratios[dump.row(b, t, h)] <= 1.0) {
            continue;
        }
        if (!runs.empty() && runs.back()[1] == t - 1) {
            runs.back()[1] = t;
        } else {
            runs.push_back({t, t});
        }
    }
    return runs;
}

void add_head_verdicts(Output& output, const KernelCheck& check, const KernelDump& dump) {
    ordered_json heads = ordered_json::array();
    Index wrong = 0;
    for (Index at = 0; at < std::ssize(check.heads); ++at) {
        const HeadVerdict& head = check.heads[static_cast<std::size_t>(at)];
        wrong += head.first || head.final_state ? 1 : 0;
        const Index b = at / dump.heads;
        const Index h = at % dump.heads;
        heads.push_back({{"batch", b},
                         {"head", h},
                         {"rows_undecided", head.rows_undecided},
                         {"largest_ratio", number_or_null(head.largest_ratio)},
                         {"outside", runs_outside(check, dump, b, h)},
                         {"final_state_outside", head.final_state.has_value()}});
    }
    output.add("heads_outside", wrong, formatted("{} of {}", wrong, check.heads.size()));
    output.add_json("heads", heads);
}

}  // namespace

Command add_kernel(CLI::App& program, CommonOptions& common) {
    CLI::App* app = program.add_subcommand(
        "kernel", "Kernels of linear attention: what they computed, checked");
    app->require_subcommand(1);
    const auto check_command = std::make_shared<Command>(add_kernel_check(*app, common));
    add_examples(*app, "  attest kernel check dump.npz --kind gla\n");
    return {app, [check_command] { return check_command->run(); }};
}

void add_kernel_findings(Output& output,
                         const KernelDump& dump,
                         const KernelArithmetic& arithmetic,
                         const KernelCheck& check) {
    output.add(
        "rows_outside",
        check.rows_outside,
        formatted(
            "{} of {} (a row: one token, one head)", check.rows_outside, check.ratios.size()));
    output.add("rows_undecided", check.rows_undecided);
    output.add("states_outside", check.states_outside);
    add_head_verdicts(output, check, dump);
    output.add("largest_ratio", number_or_null(check.largest_ratio), brief(check.largest_ratio));
    if (!check.first) {
        return;
    }
    output.add("first_wrong", place_json(*check.first, dump), place_text(*check.first, dump));
    ordered_json alike = ordered_json::array();
    for (const Likeness& like : diagnose_kernel(dump, arithmetic, check)) {
        output.say("looks like: " + like.sentence);
        alike.push_back({{"name", like.name}, {"sentence", like.sentence}});
    }
    if (alike.empty()) {
        output.say(
            "looks like none of the faults that are known; see the tokens and heads (--json, "
            "--ratios)");
    }
    output.add_json("looks_like", alike);
}

}  // namespace attest::cli
