#include "cli/commands.hpp"
#include "cli/option_values.hpp"
#include "core/layers/feature_words.hpp"
#include "core/layers/parse_layer.hpp"
#include "core/questions/output.hpp"

#include <iostream>
#include <memory>

namespace attest::cli {

namespace {

struct LayersOptions {
    std::string layer;
    Index d = 8;
    Index width = 8;
};

/// Features of the layer on tokens of dimension d, whatever else it reads being `width` wide.
Index features_at(const Layer& layer, Index d, Index width) {
    return layout_of(layer, {d, width, width, width, width}).psi();
}

int show_layers(const LayersOptions& options, const CommonOptions& common) {
    Output output;
    output.add("d", options.d);
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const LayerWord& word : layer_words()) {
        const Layer layer = layer_named(word.example);
        const Index psi = features_at(layer, options.d, options.width);
        list.push_back({{"word", word.usage},
                        {"formula", word.formula},
                        {"known_as", word.known_as},
                        {"example", word.example},
                        {"psi", psi}});
        output.say(formatted("{}\n    {}\n    {}\n    --layer \"{}\": psi = {}",
                             word.usage,
                             word.formula,
                             word.known_as,
                             word.example,
                             psi));
    }
    output.add_json("layers", list);
    output.print(std::cout, common.json);
    return kHolds;
}

int show_layer(const LayersOptions& options, const CommonOptions& common) {
    const Layer layer = layer_named(options.layer);
    const FeatureLayout layout =
        layout_of(layer, {options.d, options.width, options.width, options.width, options.width});
    Output output;
    output.add("layer", to_string(layer));
    output.add("d", options.d);
    output.add("q", layout.q());
    output.add("m", layout.m());
    output.add("psi", layout.psi());
    output.print(std::cout, common.json);
    return kHolds;
}

}  // namespace

Command add_layers(CLI::App& program, CommonOptions& common) {
    const auto options = std::make_shared<LayersOptions>();
    CLI::App* app = program.add_subcommand(
        "layers", "The layers that can be learned and certified, with formula and size");
    app->add_option("layer", options->layer, "Only this one: its canonical text and sizes");
    app->add_option("--d", options->d, "Token dimension that the sizes are for")
        ->check(integer_within(1, 1000))
        ->capture_default_str();
    app->add_option("--width", options->width, "Entries of x, phi, keys, s and u that they are for")
        ->check(integer_within(1, 1000))
        ->capture_default_str();
    add_common(*app, common);
    add_examples(*app,
                 "  attest layers\n"
                 "  attest layers \"decay=1,0.96875 affine\" --d 8\n");
    return {app, [options, &common] {
                return options->layer.empty() ? show_layers(*options, common)
                                              : show_layer(*options, common);
            }};
}

}  // namespace attest::cli
