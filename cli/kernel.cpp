#include "cli/check.hpp"
#include "cli/commands.hpp"
#include "cli/option_values.hpp"
#include "cli/telling.hpp"
#include "core/base/text.hpp"
#include "core/data/archive/npz.hpp"
#include "core/kernels/kernel_call.hpp"
#include "core/questions/check_kernel.hpp"
#include "core/solve/cost_model.hpp"

#include <iostream>
#include <memory>
#include <utility>

namespace attest::cli {

namespace {

struct KernelOptions {
    std::string file;
    std::string kind;
    std::string layout = "time-first";
    std::string ratios;
    std::string chunk_grid = "own";
    bool no_sharp = false;
    bool strict = false;
    double scale = 0.0;
    Index chunk = 64;
    DumpFormat format;
    KernelRequest request;
    CheckFiles files;
};

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

void write_ratios(Output& output, const KernelOptions& options, const KernelAnswer& answer) {
    if (options.ratios.empty()) {
        return;
    }
    const KernelCall& call = answer.call;
    require(answer.findings.has_bound(),
            "{}: a {} kernel has no bound, hence no ratios; drop --ratios",
            options.file,
            to_string(call.recurrence));
    NpzWriter file;
    file.add("ratios",
             {DType::float64,
              {call.batch, call.tokens() / call.batch, call.heads},
              answer.findings.bound.ratios});
    file.write(options.ratios);
    output.add("ratios", options.ratios);
}

/// The dump as one check. Suspicious fails where --strict says so, and is open else.
CheckedCase checked_case(const KernelOptions& options, const KernelAnswer& answer, int exit) {
    const CheckOutcome outcome = exit == kHolds         ? CheckOutcome::passed
                                 : exit == kDoesNotHold ? CheckOutcome::failed
                                                        : CheckOutcome::open;
    return {.group = options.kind,
            .name = options.file,
            .outcome = outcome,
            .message = verdict_text(answer.findings),
            .file = options.file};
}

int check_dump(const KernelOptions& options,
               bool has_scale,
               bool has_chunk,
               const CommonOptions& common) {
    KernelRequest request = options.request;
    request.grid = chunk_grid_named(options.chunk_grid);
    request.sharp = options.no_sharp ? SharpLevel::off : SharpLevel::on;
    if (has_chunk) {
        request.chunk = options.chunk;
    }
    KernelCall call = read_kernel_call(options.file, dump_format(options, has_scale));
    const double seconds =
        kernel_seconds(call, request.sharp) / machine_speed() / static_cast<double>(common.threads);
    tell_beforehand(
        "kernel check",
        seconds,
        formatted("about {}, some three times as long where it is wrong", format_seconds(seconds)));
    const KernelAnswer answer = told(
        "kernel check", [&] { return check_kernel(std::move(call), request, common.threads); });
    Output output = describe(answer);
    write_ratios(output, options, answer);
    const bool failed = options.strict && answer.findings.verdict == KernelVerdict::suspicious;
    const int exit = failed ? kDoesNotHold : exit_code(decision(answer));
    write_checks(options.files, "attest kernel check", {checked_case(options, answer, exit)});
    output.print(std::cout, common.json);
    return exit;
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
    app.add_option(
           "--accumulator", options.request.accumulator, "What products and sums are rounded to")
        ->check(CLI::IsMember(stored_precision_names()))
        ->capture_default_str();
    app.add_option("--operands",
                   options.request.operands,
                   "What factors of matrix products are rounded to; else the accumulator")
        ->check(CLI::IsMember(precision_names()));
    app.add_option("--output-type",
                   options.request.output_type,
                   "What o is stored in; else the accumulator")
        ->check(CLI::IsMember(stored_precision_names()));
    app.add_option("--state-type",
                   options.request.state_type,
                   "What the final state is stored in; else the accumulator")
        ->check(CLI::IsMember(stored_precision_names()));
    app.add_option("--epsilon",
                   options.format.epsilon,
                   "normalised: added to the normaliser; mlstm: times e^m")
        ->check(number_from_zero())
        ->capture_default_str();
    app.add_option("--chunk-grid",
                   options.chunk_grid,
                   "Chunks begin with each packed sequence, or lie end to end in the batch")
        ->check(CLI::IsMember(chunk_grid_names()))
        ->capture_default_str();
    app.add_option("--slack", options.request.slack, "Times the roundings counted")
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
                        options->chunk,
                        "The kernel's chunk; 1: token by token; else the array chunk")
            ->check(integer_within(1, 65536))
            ->capture_default_str();
    add_check_files(*app, options->files);
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
               {"comba", "as gated-delta, corrected by what p reads before the gate: v - S^T p"},
               {"gdn2", "S = diag(exp(g)) S, then S += k (w v - S^T (b k))^T"},
               {"hgrn2", "as gla with k = 1 - exp(g)"},
               {"ssd", "Mamba-2: S = exp(dt A) S + dt B x^T, o = S^T C + D x"},
               {"mlstm", "S = sigmoid(f) S + exp(i) k v^T, n alike, o = S^T q / max(|n q|, 1)"}});
    add_examples(*app,
                 "  attest kernel check dump.npz --kind gla --chunk 64\n"
                 "  attest kernel check dump.npz --kind delta --operands bf16 --output-type bf16\n"
                 "  attest kernel check dump.npz --kind kda --strict --sarif kernel.sarif\n");
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

}  // namespace attest::cli
