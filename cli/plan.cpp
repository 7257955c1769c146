#include "core/questions/plan.hpp"

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "core/base/text.hpp"
#include "core/data/dataset_file.hpp"
#include "core/layers/parse_layer.hpp"

#include <cmath>
#include <iostream>
#include <limits>
#include <memory>

namespace attest::cli {

namespace {

struct PlanOptions {
    std::string pilot;
    std::string layer = "linear";
    std::string target = "rank";
    double noise = std::numeric_limits<double>::quiet_NaN();
};

/// The number behind "coverage=" or "error="; NaN where the target does not begin so or it is none.
double number_after(const std::string& target, const std::string& word) {
    return target.starts_with(word) ? parse_number<double>(target.substr(word.size()))
                                          .value_or(std::numeric_limits<double>::quiet_NaN())
                                    : std::numeric_limits<double>::quiet_NaN();
}

bool is_share(double value) {
    return value > 0.0 && value < 1.0;
}

bool is_error(double value) {
    return value > 0.0 && std::isfinite(value);
}

CLI::Validator known_target() {
    return CLI::Validator(
        [](const std::string& text) {
            const bool taken = text == "rank" || is_share(number_after(text, "coverage=")) ||
                               is_error(number_after(text, "error="));
            return taken ? std::string()
                         : formatted(
                               "got {}, expected rank, coverage=C with 0 < C < 1, or error=E "
                               "with E > 0",
                               in_quotes(text));
        },
        "");
}

Plan plan_for(const PlanOptions& options, const Dataset& pilot, const Stream& stream) {
    if (const double share = number_after(options.target, "coverage="); is_share(share)) {
        return plan_coverage(pilot, share, stream);
    }
    if (const double error = number_after(options.target, "error="); is_error(error)) {
        return plan_error(pilot, error, options.noise, stream);
    }
    return plan_rank(pilot, stream);
}

void show_plan(Output& output, const Plan& plan) {
    output.add("rank", plan.rank, formatted("{} of {}, of the pilot", plan.rank, plan.psi));
    output.add_json("psi", plan.psi);
    const nlohmann::ordered_json draws =
        plan.draws ? nlohmann::ordered_json(*plan.draws) : nlohmann::ordered_json(nullptr);
    output.add("verdict", plan.draws ? "planned" : "too_small");
    if (plan.draws) {
        output.add(
            "examples",
            draws,
            formatted("about {}, between {} and {}", *plan.draws, plan.at_least, *plan.at_most));
        output.add("method", plan.method);
    } else {
        output.add(
            "examples", draws, formatted("the pilot is too small to say: {}", plan.too_small));
        output.add_json("reason", plan.too_small);
    }
    output.add_json("at_least", plan.at_least);
    output.add_json(
        "at_most",
        plan.at_most ? nlohmann::ordered_json(*plan.at_most) : nlohmann::ordered_json(nullptr));
    output.add("assumes", plan.assumes);
}

int plan_file(const PlanOptions& options, const CommonOptions& common) {
    const Dataset pilot =
        read_dataset(options.pilot, InvalidExamples::reject, layer_named(options.layer));
    const Plan plan = plan_for(options, pilot, Stream(common.seed).child("plan"));
    Output output;
    output.add("target", options.target);
    output.add("layer", to_string(pilot.layer));
    output.add("pilot", plan.pilot, formatted("{} examples or runs", plan.pilot));
    show_plan(output, plan);
    output.print(std::cout, common.json);
    return plan.draws ? kHolds : kUndecided;
}

}  // namespace

Command add_plan(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<PlanOptions>();
    CLI::App* app = program.add_subcommand(
        "plan",
        "How many examples of a pilot's law are needed? Exit 3 where it is too small to say");
    app->add_option("pilot", options->pilot, "Pilot sample (.npz)")->required();
    add_layer_option(*app, options->layer);
    app->add_option("--target", options->target, "What to reach: one of the targets below")
        ->check(known_target())
        ->capture_default_str();
    app->add_option("--noise", options->noise, "Standard deviation of the label noise, for error=E")
        ->check(number_from_zero());
    app->callback([options] {
        if (is_error(number_after(options->target, "error=")) && std::isnan(options->noise)) {
            throw CLI::ValidationError("--target error=E needs --noise S");
        }
    });
    add_common(*app, common);
    add_names(*app,
              "Targets",
              {{"rank", "the rank that more examples would not raise"},
               {"coverage=C", "a fresh example is determined with probability C"},
               {"error=E", "excess risk E of least squares under label noise"}});
    add_examples(*app,
                 "  attest plan pilot.npz\n"
                 "  attest plan pilot.npz --target coverage=0.99\n"
                 "  attest plan pilot.npz --target error=0.01 --noise 0.1 --json\n");
    return {app, [options, &common] { return plan_file(*options, common); }};
}

}  // namespace attest::cli
