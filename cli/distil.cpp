#include "cli/distil.hpp"

#include "cli/commands.hpp"
#include "cli/option_values.hpp"
#include "cli/telling.hpp"
#include "core/base/bitwise.hpp"
#include "core/base/text.hpp"
#include "core/data/dataset_file.hpp"
#include "core/data/model_arrays.hpp"
#include "core/distil/distil.hpp"
#include "core/distil/softmax_layer.hpp"
#include "core/layers/parse_layer.hpp"
#include "core/questions/output.hpp"
#include "core/solve/cost_model.hpp"
#include "core/solve/solvers.hpp"

#include <cmath>
#include <iostream>
#include <memory>

namespace attest::cli {

namespace {

struct DistilOptions {
    std::string softmax;
    std::string data;
    std::string layer = "linear";
    bool normalised = false;
    std::string held_out;
    double share = 0.2;
    std::string as = "torch-mha";
    std::string prefix;
    ImportRequest weights;
    double scale = 0.0;  ///< 0: not given
    double temperature = 1.0;
    std::string solver = "auto";
    std::string floor = "auto";
    std::string ridge;  ///< empty: none
    ContenderRequest contenders;
    std::string labelled;
    std::string model;
};

/// What is to be imitated, and on what the answer is tried.
struct DistilData {
    Dataset train;
    Dataset held_out;
};

/// Labels as the file has them, or the softmax layer's outputs in their place.
Dataset labelled_data(const DistilOptions& options,
                      const std::string& path,
                      const Layer& layer,
                      const std::optional<SoftmaxLayer>& softmax) {
    Dataset data = read_dataset(path, InvalidExamples::reject, layer);
    if (softmax) {
        return labelled_by(*softmax, std::move(data));
    }
    require(data.labels != LabelKind::none,
            "{}: no labels (key y or y_prefix), expected the layer's outputs; or give its weights "
            "first",
            path);
    require(bitwise_equal(options.temperature, 1.0),
            "--temperature: recorded outputs have the temperature that they were computed at");
    return data;
}

std::optional<SoftmaxLayer> given_layer(const DistilOptions& options) {
    if (options.data.empty()) {
        return std::nullopt;
    }
    ImportRequest request = options.weights;
    request.as = trained_layer_named(options.as);
    if (options.scale > 0.0) {
        request.scale = options.scale;
    }
    SoftmaxLayer softmax = read_softmax_layer(options.softmax, options.prefix, request);
    softmax.tau /= options.temperature;
    return softmax;
}

DistilData read_data(const DistilOptions& options, const Layer& layer) {
    const std::optional<SoftmaxLayer> softmax = given_layer(options);
    const std::string& path = softmax ? options.data : options.softmax;
    Dataset data = labelled_data(options, path, layer, softmax);
    if (!options.labelled.empty()) {
        write_dataset(options.labelled, data);
    }
    if (options.held_out.empty()) {
        SplitData split = split_off(data, options.share);
        return {std::move(split.train), std::move(split.held_out)};
    }
    Dataset held_out = labelled_data(options, options.held_out, layer, softmax);
    require(held_out.d() == data.d() && held_out.o() == data.o(),
            "{}: tokens have {} entries and labels {}, expected {} and {} as the training data",
            options.held_out,
            held_out.d(),
            held_out.o(),
            data.d(),
            data.o());
    return {std::move(data), std::move(held_out)};
}

void describe(Output& output, const DistilOptions& options, const DistilData& data) {
    const std::string layer = to_string(data.train.layer);
    output.add("layer", options.normalised ? layer + " normalised" : layer);
    output.add("num_examples", data.train.num_examples());
    output.add("num_held_out", data.held_out.num_examples());
    output.add("d", data.train.d());
    output.add("o", data.train.o());
}

void distil_to_normalised(Output& output, const DistilOptions& options, const DistilData& data) {
    const double seconds = normalised_seconds(data.train) / machine_speed();
    tell_beforehand("distil", seconds, formatted("at most about {}", format_seconds(seconds)));
    const DistilledNormalised found =
        told("distil", [&] { return distil_normalised(data.train, &data.held_out); });
    show_distilled(output, found);
    if (!options.model.empty()) {
        const NormalisedLayer& layer = found.fit.layer;
        NpzWriter file;
        add_heads(file,
                  "normalised_V",
                  "normalised_Q",
                  {layer.V.cols(), layer.V.rows(), {{layer.V, layer.Q}}});
        file.write(options.model);
        output.add("model", options.model, options.model + " (keys normalised_V, normalised_Q)");
    }
}

DistilRequest request_of(const DistilOptions& options, const CommonOptions& common) {
    DistilRequest request;
    request.solver = options.solver;
    request.threads = common.threads;
    request.floor = floor_effort_named(options.floor);
    request.contenders = options.contenders;
    request.contenders.seed = common.seed;
    if (options.ridge == "auto") {
        request.ridge_by = RidgeBy::held_back;
    } else if (!options.ridge.empty()) {
        const std::optional<double> ridge = parse_number<double>(options.ridge);
        if (!ridge || !std::isfinite(*ridge) || *ridge <= 0.0) {
            throw UnknownName(
                formatted("--ridge: got '{}', expected auto or a number above 0", options.ridge));
        }
        request.ridge_by = RidgeBy::number;
        request.ridge = *ridge;
    }
    return request;
}

int distil_file(const DistilOptions& options, const CommonOptions& common) {
    const DistilRequest request = request_of(options, common);
    if (options.solver != "auto") {
        (void)solver_named(options.solver);
    }
    const DistilData data = read_data(options, layer_named(options.layer));
    Output output;
    describe(output, options, data);
    if (options.normalised) {
        distil_to_normalised(output, options, data);
    } else {
        const double seconds = distil_seconds(data.train, request, machine_speed());
        tell_beforehand(
            "distil",
            seconds,
            formatted("about {}{}",
                      format_seconds(seconds),
                      request.contenders.starts > 0
                          ? "; longer where a training fails at its usual rate and others are tried"
                          : ""));
        const Distilled found =
            told("distil", [&] { return distil(data.train, &data.held_out, request); });
        show_distilled(output, found);
        if (!options.model.empty()) {
            write_model(options.model, found.ridge ? found.ridge->model : found.model);
            output.add("model", options.model);
        }
    }
    output.print(std::cout, common.json);
    return kHolds;
}

void require_options_of_use(const CLI::App& app, const DistilOptions& options) {
    if (options.normalised) {
        refuse_options(app, {"--ridge", "--floor", "--solver", "--updates", "--batch"}, kOneWay);
        if (options.contenders.starts > 0) {
            refuse_options(app, {"--starts"}, kOneWay);
        }
    }
    if (options.data.empty()) {
        refuse_options(app,
                       {"--as", "--prefix", "--num-heads", "--scale"},
                       "belongs to weights, and recorded outputs need none; leave it out");
    }
}

void add_weight_options(CLI::App& app, DistilOptions& options) {
    app.add_option("--as", options.as, "How the weights are named: torch-mha or linear")
        ->check(CLI::IsMember({"torch-mha", "linear"}))
        ->capture_default_str();
    app.add_option(
        "--prefix", options.prefix, "Names of the layer's weights begin so: model.layers.0.attn.");
    app.add_option("--num-heads", options.weights.heads, "Heads of the weights")
        ->check(integer_within(1, 4096))
        ->capture_default_str();
    app.add_option("--scale", options.scale, "Factor of query-key products; else 1/sqrt(key size)")
        ->check(number_above_zero());
    app.add_option("--temperature", options.temperature, "Scores are divided by it")
        ->check(number_within(1e-6, 1e6))
        ->capture_default_str();
}

void add_training_options(CLI::App& app, DistilOptions& options) {
    app.add_option("--starts", options.contenders.starts, "Random starts of Adam and of SGD each")
        ->check(integer_within(0, 1000))
        ->capture_default_str();
    app.add_option("--updates", options.contenders.updates, "Updates of each training")
        ->check(integer_within(1, 10000000))
        ->capture_default_str();
    app.add_option("--batch", options.contenders.batch_size, "Examples of an update")
        ->check(integer_within(1, 1000000))
        ->capture_default_str();
}

}  // namespace

Command add_distil(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<DistilOptions>();
    CLI::App* app = program.add_subcommand(
        "distil", "The best linear layer in place of a softmax one, and the floor under all");
    app->add_option("softmax",
                    options->softmax,
                    "Weights or model of a softmax layer; alone: its inputs and outputs (.npz)")
        ->required();
    app->add_option("data", options->data, "Inputs (.npz) that the layer is to be imitated on");
    add_layer_option(*app, options->layer);
    app->add_flag("--normalised",
                  options->normalised,
                  "One head with a normaliser instead: --layer linear or affine");
    app->add_option("--held-out", options->held_out, "Other inputs that the answer is tried on");
    app->add_option("--share", options->share, "Without --held-out: share of DATA that is held out")
        ->check(number_within(0.001, 0.999))
        ->capture_default_str();
    add_weight_options(*app, *options);
    app->add_option("--solver", options->solver, "auto, or a solver of attest learn")
        ->capture_default_str();
    app->add_option(
        "--ridge",
        options->ridge,
        "Also with a penalty: a number or auto, by a fifth of the data; -o writes that model");
    app->add_option("--floor", options->floor, "auto, exact, rigorous or numerical")
        ->capture_default_str();
    add_training_options(*app, *options);
    app->add_option("--labelled", options->labelled, "Write DATA with the layer's outputs (.npz)");
    app->add_option("-o,--output", options->model, "Model to write (.npz)");
    add_common(*app, common);
    add_examples(*app,
                 "  attest distil weights.npz inputs.npz --num-heads 2 --layer degree=0..1\n"
                 "  attest distil recorded.npz --layer affine -o model.npz\n"
                 "  attest distil recorded.npz --layer affine --ridge auto -o model.npz\n"
                 "  attest distil recorded.npz --layer affine --normalised\n"
                 "  attest distil weights.npz inputs.npz --temperature 8 --floor rigorous\n");
    app->callback([app, options] { require_options_of_use(*app, *options); });
    return {app, [options, &common] { return distil_file(*options, common); }};
}

namespace {

std::string uniqueness_in_words(const Distilled& found) {
    switch (found.uniqueness) {
        case DataVerdict::determined:
            return "the best layer is one function (proved)";
        case DataVerdict::not_determined:
            return found.determined_on_lengths_seen
                       ? "one function on inputs of these lengths, not on others (proved)"
                       : "not unique: other layers are as good here and differ elsewhere (proved)";
        default:
            return "undecided";
    }
}

std::string in_words(FloorBasis basis) {
    switch (basis) {
        case FloorBasis::exact:
            return "the least risk, exact: no layer of the family is below it (proved)";
        case FloorBasis::rigorous:
            return "no layer of the family is below it (proved, every rounding accounted for)";
        case FloorBasis::numerical:
            return "numerical: proves nothing";
    }
    return "";
}

double relative_to(double value, double power) {
    return power > 0.0 ? value / power : 0.0;
}

nlohmann::ordered_json or_null(const std::optional<double>& value) {
    return value ? number_or_null(*value) : nlohmann::ordered_json(nullptr);
}

/// What a reader should not take for the layer's: a rate or too few updates.
std::string about_the_rate(const Contender& each) {
    if (each.failed()) {
        return formatted(
            "; no better than zeros at any of {} rates: this training failed, not the layer; more "
            "--updates may help",
            each.rates_tried);
    }
    return each.rates_tried > 1 ? formatted(", at rate {}: the usual one failed", brief(each.rate))
                                : "";
}

void show_contenders(Output& output, const std::vector<Contender>& contenders) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const Contender& each : contenders) {
        rows.push_back({{"trained", to_string(each.form)},
                        {"optimiser", to_string(each.optimiser)},
                        {"start", each.start},
                        {"rate", each.rate},
                        {"rates_tried", each.rates_tried},
                        {"status", to_string(each.status)},
                        {"relative", or_null(each.relative_risk)},
                        {"held_out_relative", or_null(each.held_out_relative)}});
        const std::string found =
            each.relative_risk
                ? brief(*each.relative_risk) +
                      (each.held_out_relative ? ", held out " + brief(*each.held_out_relative) : "")
                : each.note;
        output.say(formatted("{} on {}, start {}: relative {}{}",
                             to_string(each.optimiser),
                             to_string(each.form),
                             each.start,
                             found,
                             about_the_rate(each)));
    }
    output.add_json("contenders", rows);
}

void show_floor(Output& output, const RiskFloor& floor, double relative, const std::string& words) {
    output.add("floor_basis", to_string(floor.basis));
    output.add("floor", number_or_null(floor.value), brief(floor.value) + ": " + words);
    output.add("floor_relative", number_or_null(relative), brief(relative));
    output.add_json("floor_note", floor.note);
}

void show_ridge(Output& output, const RidgeFit& found) {
    output.add("ridge", number_or_null(found.ridge), brief(found.ridge));
    output.add("ridge_relative",
               number_or_null(found.train.relative),
               brief(found.train.relative) + " on the data, above the floor as it must be");
    if (found.held_out) {
        output.add("ridge_held_out_relative",
                   number_or_null(found.held_out->relative),
                   brief(found.held_out->relative));
    }
}

}  // namespace

void show_distilled(Output& output, const Distilled& found) {
    const double power = relative_to(found.train.risk, found.train.relative);
    output.add("psi", found.model.P.rows());
    output.add("rank",
               found.rank,
               formatted("{} of {} (proved over Q)", found.rank, found.model.P.rows()));
    output.add("uniqueness", to_string(found.uniqueness), uniqueness_in_words(found));
    output.add_json("determined_on_lengths_seen", found.determined_on_lengths_seen);
    output.add("solver", found.fit.solver);
    output.add("risk", number_or_null(found.train.risk), brief(found.train.risk));
    output.add("relative", number_or_null(found.train.relative), brief(found.train.relative));
    if (found.held_out) {
        output.add("held_out_relative",
                   number_or_null(found.held_out->relative),
                   brief(found.held_out->relative));
    }
    show_floor(
        output, found.floor, relative_to(found.floor.value, power), in_words(found.floor.basis));
    show_contenders(output, found.contenders);
    if (found.ridge) {
        show_ridge(output, *found.ridge);
    } else if (found.fits_the_data_too_well()) {
        output.add("note",
                   formatted("{} examples for {} features: the best layer on the data is not the "
                             "best elsewhere; --ridge auto finds one that is better there, more "
                             "inputs help more",
                             found.num_examples,
                             found.model.P.rows()));
    }
}

void show_distilled(Output& output, const DistilledNormalised& found) {
    const NormalisedFit& fit = found.fit;
    const double relative = relative_to(fit.risk, found.power);
    output.add("risk", number_or_null(fit.risk), brief(fit.risk) + ", the best head found");
    output.add("relative", number_or_null(relative), brief(relative));
    if (found.held_out_relative) {
        output.add("held_out_relative",
                   number_or_null(*found.held_out_relative),
                   brief(*found.held_out_relative));
    }
    show_floor(output,
               {FloorBasis::numerical, fit.floor, 0, "least singular value"},
               relative_to(fit.floor, found.power),
               "no normalised head is below it (numerical)");
    output.add("steps", fit.steps);
}

}  // namespace attest::cli
