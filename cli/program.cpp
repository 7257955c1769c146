#include "cli/commands.hpp"
#include "core/base/files.hpp"
#include "core/base/json_text.hpp"
#include "core/base/text.hpp"
#include "core/data/model_file.hpp"
#include "core/questions/output.hpp"
#include "programs/language/compile.hpp"
#include "programs/language/execute.hpp"
#include "programs/language/program_examples.hpp"
#include "programs/language/program_text.hpp"

#include <iostream>
#include <memory>

namespace attest::cli {

namespace {

struct ProgramOptions {
    std::string file;
    std::string output;
    bool text = false;
    std::string prompt;
    Index steps = 100;
};

/// Dense heads take d² doubles twice; beyond this the file would be hundreds of megabytes.
constexpr Index kMostRowsOfModel = 1024;

std::string source_of(const std::string& name) {
    if (!is_file(name)) {
        if (const ProgramExample* const example = find_program_example(name)) {
            return std::string(example->text);
        }
    }
    return read_text_file(name);
}

nlohmann::ordered_json row_names(const Schema& schema) {
    nlohmann::ordered_json names = nlohmann::ordered_json::array();
    for (Index row = 0; row < schema.dim(); ++row) {
        names.push_back(schema.row_name(row));
    }
    return names;
}

int compile_program(const ProgramOptions& options, const CommonOptions& common) {
    const Program program = parse_program(source_of(options.file));
    const Index d = program.schema.dim();
    const SparseCoefficients coefficients = sparse_coefficients(program);
    Output output;
    output.add("program", program.name);
    output.add("d", d);
    output.add("heads", program.heads.size());
    output.add("psi", feature_dim(d));
    output.add("coefficients",
               coefficients.entries.size(),
               formatted("{} nonzero", coefficients.entries.size()));
    output.add_json("rows", row_names(program.schema));
    if (!options.output.empty()) {
        require(d <= kMostRowsOfModel,
                "program: dense heads with {} rows are refused, at most {}",
                d,
                kMostRowsOfModel);
        const nlohmann::ordered_json meta{{"program", program.name},
                                          {"rows", row_names(program.schema)}};
        write_model(options.output, {d, d, Matrix(), dense_parameters(program), json_text(meta)});
        output.add("output", options.output);
    }
    if (options.text) {
        output.say(program_text(program));
    }
    output.print(std::cout, common.json);
    return kHolds;
}

/// Feeds the prompt to the compiled layer, then the layer to itself, over the integers.
int run_program(const ProgramOptions& options, const CommonOptions& common) {
    const Program program = parse_program(source_of(options.file));
    const std::vector<Token> prompt = parse_prompt(read_text_file(options.prompt), program.schema);
    check_prompt(program, prompt);
    const AttentionRun run =
        run_attention(sparse_coefficients(program),
                      prompt,
                      options.steps,
                      [](const IntegerAttention& /*model*/, const Token& printed) {
                          return printed.empty() ? Continue::stop : Continue::yes;
                      });
    Output output;
    output.add("program", program.name);
    output.add("prompt_tokens", prompt.size());
    output.add("tokens", run.trace.generated.size());
    const bool stopped = run.ending == AttentionEnding::stopped;
    output.add("ending",
               stopped ? "zero token" : "limit",
               stopped ? "the zero token" : formatted("the limit of {} tokens", options.steps));
    nlohmann::ordered_json tokens = nlohmann::ordered_json::array();
    for (const Token& token : run.trace.generated) {
        tokens.push_back(token_text(token, program.schema));
        output.say(token_text(token, program.schema));
    }
    output.add_json("printed", tokens);
    output.print(std::cout, common.json);
    return kHolds;
}

}  // namespace

Command add_program(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<ProgramOptions>();
    CLI::App* app = program.add_subcommand("program", "Attention programs in text form");
    app->require_subcommand(1);
    CLI::App* compile =
        app->add_subcommand("compile", "Compile a program to heads (V, Q): one lookup is one head");
    compile->add_option("file", options->file, "A file, or one of the programs below")->required();
    compile->add_option(
        "-o,--output", options->output, "Model to write (.npz); `meta` names the rows");
    compile->add_flag("--text", options->text, "Print the program term by term");
    add_common(*compile, common);
    std::vector<std::pair<std::string, std::string>> names;
    for (const ProgramExample& example : program_examples()) {
        names.emplace_back(example.name, example.summary);
    }
    add_names(*compile, "Programs", names);
    CLI::App* run = app->add_subcommand("run", "Run a program on a prompt, over the integers");
    run->add_option("file", options->file, "A file, or a program that compile lists")->required();
    run->add_option(
           "--prompt", options->prompt, "File with one token a line, as \"P[1] letter[2]\"")
        ->required();
    run->add_option("--steps", options->steps, "Tokens to print at most; the zero token ends a run")
        ->capture_default_str()
        ->check(CLI::Range(1, 1 << 20));
    add_common(*run, common);
    add_examples(*app,
                 "  attest program compile lookup --text -o lookup.npz\n"
                 "  attest program run copy --prompt prompt.txt\n");
    add_examples(*compile, "  attest program compile my_program.txt -o model.npz\n");
    add_examples(*run,
                 "  printf 'one P[0] letter[2]\\nP[1] letter[0]\\n' > prompt.txt\n"
                 "  attest program run copy --prompt prompt.txt\n");
    return {app, [options, run, &common] {
                return run->parsed() ? run_program(*options, common)
                                     : compile_program(*options, common);
            }};
}

}  // namespace attest::cli
