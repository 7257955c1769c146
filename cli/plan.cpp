#include "core/questions/plan.hpp"

#include "cli/commands.hpp"
#include "cli/option_values.hpp"
#include "cli/telling.hpp"
#include "core/base/text.hpp"
#include "core/data/dataset_file.hpp"
#include "core/layers/parse_layer.hpp"

#include <iostream>
#include <memory>
#include <optional>

namespace attest::cli {

namespace {

struct PlanOptions {
    std::string pilot;
    std::string layer = "linear";
    std::string target = "rank";
    std::optional<double> noise;
};

int plan_file(const PlanOptions& options, const CommonOptions& common) {
    PlanRequest request = plan_request(options.target, options.noise);
    request.pilot_name = options.pilot;
    const Dataset pilot =
        read_dataset(options.pilot, InvalidExamples::reject, layer_named(options.layer));
    const double seconds = plan_seconds(pilot, request);
    tell_beforehand("plan",
                    seconds,
                    formatted("at most about {}, much less where all examples are independent; "
                              "Ctrl-C ends it",
                              format_seconds(seconds)));
    const Plan found =
        told("plan", [&] { return plan(pilot, request, Stream(common.seed).child("plan")); });
    describe(request, pilot.layer, found).print(std::cout, common.json);
    return exit_code(decision(found));
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
        ->capture_default_str();
    app->add_option("--noise", options->noise, "Standard deviation of the label noise, for error=E")
        ->check(number_from_zero());
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
