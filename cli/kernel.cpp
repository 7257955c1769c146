#include "cli/kernel.hpp"

#include "cli/commands.hpp"
#include "cli/option_values.hpp"
#include "core/base/text.hpp"
#include "core/data/archive/npz.hpp"
#include "core/kernels/kernel_call.hpp"
#include "core/kernels/kernel_findings.hpp"
#include "core/questions/output.hpp"

#include <algorithm>
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
    bool no_sharp = false;
    bool strict = false;
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
void add_question(Output& output, const KernelCall& call, const KernelArithmetic& arithmetic) {
    output.add("kind", to_string(call.recurrence));
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
    const Index tokens = call.tokens() / call.batch;
    output.add(
        "shape",
        {{"batch", call.batch},
         {"tokens", tokens},
         {"heads", call.heads},
         {"key_dim", call.key_dim},
         {"value_dim", call.value_dim},
         {"sequences", call.sequences()}},
        formatted(
            "B = {}, T = {}, H = {}, K = {}, V = {}{}",
            call.batch,
            tokens,
            call.heads,
            call.key_dim,
            call.value_dim,
            call.sequences() > call.batch ? formatted(", {} sequences", call.sequences()) : ""));
    output.add("scale", call.scale);
}

/// For people: the verdict and who says so.
std::string verdict_text(const KernelFindings& findings) {
    switch (findings.verdict) {
        case KernelVerdict::right:
            return "right within the rounding of this arithmetic";
        case KernelVerdict::suspicious:
            return "suspicious: farther off than right kernels of this arithmetic were seen to be";
        case KernelVerdict::wrong:
            return "wrong: no kernel of this arithmetic computes these numbers";
        case KernelVerdict::undecided:
            break;
    }
    return findings.has_bound() ? "undecided: right where the bound says anything"
                                : "undecided: nothing bounds the rounding of this kernel";
}

void write_ratios(Output& output,
                  const KernelOptions& options,
                  const KernelCall& call,
                  const KernelFindings& findings) {
    if (options.ratios.empty()) {
        return;
    }
    require(findings.has_bound(),
            "{}: a {} kernel has no bound, hence no ratios; drop --ratios",
            options.file,
            to_string(call.recurrence));
    NpzWriter file;
    file.add("ratios",
             {DType::float64,
              {call.batch, call.tokens() / call.batch, call.heads},
              findings.bound.ratios});
    file.write(options.ratios);
    output.add("ratios", options.ratios);
}

int check_dump(const KernelOptions& options,
               bool has_scale,
               bool has_chunk,
               const CommonOptions& common) {
    KernelArithmetic arithmetic = stated_arithmetic(options);
    const KernelCall call = read_kernel_call(options.file, dump_format(options, has_scale));
    arithmetic.chunk = has_chunk ? arithmetic.chunk : call.chunk.value_or(arithmetic.chunk);
    const KernelFindings findings = check_call(
        call, arithmetic, options.no_sharp ? SharpLevel::off : SharpLevel::on, common.threads);
    Output output;
    output.add("verdict", to_string(findings.verdict), verdict_text(findings));
    add_question(output, call, arithmetic);
    add_kernel_findings(output, call, arithmetic, findings);
    write_ratios(output, options, call, findings);
    output.print(std::cout, common.json);
    switch (findings.verdict) {
        case KernelVerdict::right:
            return kHolds;
        case KernelVerdict::wrong:
            return kDoesNotHold;
        case KernelVerdict::suspicious:
            return options.strict ? kDoesNotHold : kUndecided;
        case KernelVerdict::undecided:
            break;
    }
    return kUndecided;
}

void add_kernel_options(CLI::App& app, KernelOptions& options) {
    app.add_option("dump", options.file, "Arrays q, k, v, o and more (.npz or .safetensors)")
        ->required();
    app.add_option("--kind", options.kind, "Which recurrence: one of the names below")
        ->required()
        ->check(CLI::IsMember(recurrence_names()).description("KIND"));
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
    app.add_option("--epsilon",
                   options.format.epsilon,
                   "normalised: added to the normaliser; mlstm: times e^m")
        ->check(number_from_zero())
        ->capture_default_str();
    app.add_option("--slack", options.arithmetic.slack, "Times the roundings counted")
        ->check(number_within(1.0, 1e6))
        ->capture_default_str();
    app.add_option("--ratios", options.ratios, "Write |o - reference| / tolerance (B,T,H) (.npz)");
    app.add_flag("--no-sharp",
                 options.no_sharp,
                 "Leave out the comparison with the spread of right kernels: gradients too");
    app.add_flag("--strict", options.strict, "Suspicious is as bad as wrong: exit 1");
}

Command add_kernel_check(CLI::App& kernel, CommonOptions& common) {
    const auto options = std::make_shared<KernelOptions>();
    CLI::App* app = kernel.add_subcommand(
        "check", "What a kernel computed beside its recurrence: right, or where it goes wrong");
    add_kernel_options(*app, *options);
    const CLI::Option* scale =
        app->add_option("--scale", options->scale, "Of q; else the array scale, else 1/sqrt(K)")
            ->check(number_within(-1e300, 1e300));
    const CLI::Option* chunk =
        app->add_option("--chunk",
                        options->arithmetic.chunk,
                        "The kernel's chunk; 1: token by token; else the array chunk")
            ->check(integer_within(1, 65536))
            ->capture_default_str();
    add_common(*app, common);
    add_names(*app,
              "Recurrences",
              {{"linear", "S += k v^T, o = scale S^T q"},
               {"normalised", "the same, o divided by scale q sum k + epsilon"},
               {"retention", "S = decay[h] S + k v^T"},
               {"simple-gla", "S = exp(g) S + k v^T, one gate a token and head"},
               {"gla", "S = diag(exp(g)) S + k v^T, one gate a row of S"},
               {"delta", "S += k beta (v - S^T k)^T"},
               {"gated-delta", "S = exp(g) S, then as delta"},
               {"kda", "S = diag(exp(g)) S, then as delta"},
               {"gated-delta-product", "S = exp(g) S, then n times as delta"},
               {"dplr", "S = diag(exp(g)) S + b (S^T a)^T + k v^T"},
               {"rwkv7", "the same with arrays r, w in place of q, g, and scale 1"},
               {"comba", "as gated-delta, corrected by what p reads: v - S^T p"},
               {"gdn2", "S = diag(exp(g)) S, then S += k (w v - S^T (b k))^T"},
               {"hgrn2", "as gla with k = 1 - exp(g)"},
               {"ssd", "Mamba-2: S = exp(dt A) S + dt B x^T, o = S^T C + D x"},
               {"mlstm", "S = sigmoid(f) S + exp(i) k v^T, n alike, o = S^T q / max(|n q|, 1)"}});
    add_examples(*app,
                 "  attest kernel check dump.npz --kind gla --chunk 64\n"
                 "  attest kernel check dump.npz --kind delta --operands bf16 --output-type bf16\n"
                 "  attest kernel check dump.npz --kind kda --strict\n");
    return {app, [options, scale, chunk, &common] {
                return check_dump(*options, scale->count() > 0, chunk->count() > 0, common);
            }};
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

namespace {

using nlohmann::ordered_json;

ordered_json place_json(const KernelPlace& place, const KernelCall& call) {
    const bool in_state = place.token == call.length(place.batch);
    ordered_json json{{"in", in_state ? "final_state" : "o"}, {"batch", place.batch}};
    if (!in_state) {
        json["token"] = place.token;
    }
    json["head"] = place.head;
    if (in_state) {
        json["key_row"] = place.column / call.value_dim;
    }
    json["column"] = place.column % call.value_dim;
    json["found"] = number_or_null(place.found);
    json["expected"] = place.expected;
    json["tolerance"] = place.tolerance;
    return json;
}

std::string place_text(const KernelPlace& place, const KernelCall& call) {
    const std::string values = formatted(
        "{}, expected {} +- {}", brief(place.found), brief(place.expected), brief(place.tolerance));
    const std::string_view sequence = call.sequences() > call.batch ? "sequence" : "batch";
    if (place.token == call.length(place.batch)) {
        return formatted("final state, {} {}, head {}, entry ({},{}): {}",
                         sequence,
                         place.batch,
                         place.head,
                         place.column / call.value_dim,
                         place.column % call.value_dim,
                         values);
    }
    return formatted("{} {}, token {}, head {}, column {}: {}",
                     sequence,
                     place.batch,
                     place.token,
                     place.head,
                     place.column,
                     values);
}

/// Tokens outside as runs [first, last].
ordered_json runs_outside(const KernelCheck& check, const KernelCall& call, Index s, Index h) {
    ordered_json runs = ordered_json::array();
    const Index first = call.starts[static_cast<std::size_t>(s)];
    for (Index t = 0; t < call.length(s); ++t) {
        if (check.ratios[static_cast<std::size_t>((first + t) * call.heads + h)] <= 1.0) {
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

void add_head_verdicts(Output& output, const KernelCheck& check, const KernelCall& call) {
    ordered_json heads = ordered_json::array();
    Index wrong = 0;
    for (Index at = 0; at < std::ssize(check.heads); ++at) {
        const HeadVerdict& head = check.heads[static_cast<std::size_t>(at)];
        wrong += head.first || head.final_state ? 1 : 0;
        const Index s = at / call.heads;
        const Index h = at % call.heads;
        heads.push_back({{"batch", s},
                         {"head", h},
                         {"rows_undecided", head.rows_undecided},
                         {"largest_ratio", number_or_null(head.largest_ratio)},
                         {"outside", runs_outside(check, call, s, h)},
                         {"final_state_outside", head.final_state.has_value()}});
    }
    output.add("heads_outside", wrong, formatted("{} of {}", wrong, check.heads.size()));
    output.add_json("heads", heads);
}

void add_bound(Output& output, const KernelCall& call, const KernelCheck& check) {
    output.add(
        "rows_outside",
        check.rows_outside,
        formatted(
            "{} of {} (a row: one token, one head)", check.rows_outside, check.ratios.size()));
    output.add("rows_undecided", check.rows_undecided);
    output.add("states_outside", check.states_outside);
    add_head_verdicts(output, check, call);
    output.add("largest_ratio", number_or_null(check.largest_ratio), brief(check.largest_ratio));
    if (check.first) {
        output.add("first_wrong", place_json(*check.first, call), place_text(*check.first, call));
    }
}

ordered_json result_json(const SharpResult& result) {
    ordered_json json{{"array", result.name.array}};
    json["sequence"] = nullptr;  // of parameters, whose gradients all sequences share
    if (result.name.sequence >= 0) {
        json["sequence"] = result.name.sequence;
    }
    json["head"] = result.name.head;
    json["verdict"] = to_string(result.verdict);
    json["largest_sigma"] = number_or_null(result.largest);
    json["rms_sigma"] = number_or_null(result.rms);
    json["gain"] = number_or_null(result.gain);
    json["gain_of_replicas"] = number_or_null(result.gain_of_replicas);
    json["rows"] = result.rows;
    json["rows_outside"] = result.rows_outside;
    json["rows_undecided"] = result.rows_undecided;
    json["row"] = result.row;
    json["column"] = result.column;
    json["found"] = number_or_null(result.found);
    json["expected"] = number_or_null(result.expected);
    json["sigma"] = number_or_null(result.sigma);
    return json;
}

std::string result_text(const SharpResult& result, const KernelCall& call) {
    const std::string sequence = result.name.sequence >= 0 && call.sequences() > 1
                                     ? formatted("sequence {}, ", result.name.sequence)
                                     : "";
    return formatted("{}: {}head {}, row {}, column {}: {}, expected {}, off by {} sigma ({} rms)",
                     to_string(result.verdict),
                     sequence,
                     result.name.head,
                     result.row,
                     result.column,
                     brief(result.found),
                     brief(result.expected),
                     brief(result.largest),
                     brief(result.rms));
}

/// Of each array the worst result, and everything for programs.
void add_sharp(Output& output, const KernelCall& call, const SharpCheck& sharp) {
    ordered_json results = ordered_json::array();
    std::vector<const SharpResult*> worst;
    for (const SharpResult& result : sharp.results) {
        results.push_back(result_json(result));
        const auto same = std::find_if(worst.begin(), worst.end(), [&](const SharpResult* other) {
            return other->name.array == result.name.array;
        });
        if (same == worst.end()) {
            worst.push_back(&result);
        } else if (result.verdict > (*same)->verdict ||
                   (result.verdict == (*same)->verdict && result.largest > (*same)->largest)) {
            *same = &result;
        }
    }
    ordered_json json{{"verdict", sharp.silent.empty() ? to_string(sharp.verdict()) : "silent"},
                      {"replicas", sharp.replicas},
                      {"threshold", sharp.threshold},
                      {"repeated_rows", sharp.repeated_rows}};
    if (!sharp.silent.empty()) {
        json["silent"] = sharp.silent;
    }
    json["results"] = results;
    output.add_json("sharp", json);
    if (!sharp.silent.empty()) {
        output.say("the spread of right kernels was not computed: " + sharp.silent);
        return;
    }
    if (sharp.repeated_rows) {
        output.say(formatted("many rows repeat, and so do their roundings: {} sigma are allowed",
                             sharp.threshold));
    }
    for (const SharpResult* const result : worst) {
        output.say(formatted("{} {}", result->name.array, result_text(*result, call)));
    }
}

}  // namespace

void add_kernel_findings(Output& output,
                         const KernelCall& call,
                         const KernelArithmetic& arithmetic,
                         const KernelFindings& findings) {
    if (findings.has_bound()) {
        add_bound(output, call, findings.bound);
    }
    if (findings.sharp) {
        add_sharp(output, call, *findings.sharp);
    }
    const bool outside = findings.has_bound() && !findings.bound.holds();
    const bool odd = findings.sharp && findings.sharp->verdict() >= SharpVerdict::suspicious;
    if (!outside && !odd) {
        return;
    }
    ordered_json alike = ordered_json::array();
    const auto add = [&](const std::string& name, const std::string& sentence) {
        output.say("looks like: " + sentence);
        alike.push_back({{"name", name}, {"sentence", sentence}});
    };
    if (outside) {
        for (const Likeness& like : diagnose_call(arithmetic, findings)) {
            add(like.name, like.sentence);
        }
    }
    if (findings.sharp) {
        for (const SharpLikeness& like : findings.sharp->alike) {
            add(like.name, like.sentence);
        }
        for (const std::string& sentence : gain_sentences(call, *findings.sharp)) {
            add("gain", sentence);
        }
    }
    if (alike.empty()) {
        output.say(
            "looks like none of the faults that are known; see the tokens and heads (--json, "
            "--ratios)");
    }
    output.add_json("looks_like", alike);
}

}  // namespace attest::cli
