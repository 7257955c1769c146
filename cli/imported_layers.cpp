#include "cli/imported_layers.hpp"

#include "cli/option_values.hpp"
#include "core/base/error.hpp"
#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/questions/learn.hpp"
#include "core/questions/output.hpp"
#include "core/trained/projections.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <iostream>

namespace attest::cli {

namespace {

std::string name_of_prefix(const std::string& prefix) {
    if (prefix.empty()) {
        return "layer";
    }
    return prefix.ends_with('.') ? prefix.substr(0, prefix.size() - 1) : prefix;
}

/// A layer's file in a folder. Names come from files that anybody may have written: none leads out
/// of the folder.
std::string file_of(const std::string& folder, const std::string& name) {
    require(name.find('/') == std::string::npos,
            "import: the layer {} cannot be a file's name: it has a / in it; rename its weights",
            in_quotes(name));
    return (std::filesystem::path(folder) / (name + ".npz")).string();
}

}  // namespace

ImportRequest LayerImportOptions::request() const {
    ImportRequest request = rest;
    request.as = trained_layer_named(as);
    request.output = until == "heads" ? ImportedOutput::heads : ImportedOutput::projected;
    if (scale > 0.0) {
        request.scale = scale;
    }
    if (rotary >= 0) {
        request.rotary = rotary;
    }
    return request;
}

void require_implementation_fits(const CLI::App& app, std::string_view as) {
    if (as != "retention") {
        refuse_options(app, {"--rotary"}, "belongs to --as retention");
    }
    if (as != "retention" && as != "stack") {
        refuse_options(app, {"--rotary-base"}, "belongs to --as retention");
    }
    if (as != "lightning") {
        refuse_options(app, {"--layer-index", "--num-layers"}, "belongs to --as lightning");
    }
}

void add_layer_import_options(CLI::App& app, LayerImportOptions& options) {
    app.add_option("--num-heads", options.rest.heads, "Heads of each layer")
        ->check(integer_within(1, 4096))
        ->capture_default_str();
    app.add_option("--key-heads",
                   options.rest.key_heads,
                   "Heads with keys and values of their own; else all")
        ->check(integer_within(1, 4096));
    app.add_option("--scale", options.scale, "Factor of query-key products; else 1/sqrt(key size)")
        ->check(number_above_zero());
    app.add_option("--until",
                   options.until,
                   "projection, or heads: what enters the norm or gate behind the heads")
        ->check(CLI::IsMember({"projection", "heads"}))
        ->capture_default_str();
    app.add_option("--rotary",
                   options.rotary,
                   "retention: the longest sequence, for which rotations are tabulated; 0: none")
        ->check(integer_within(0, 100000));
    app.add_option("--rotary-base", options.rest.rotary_base, "Base of the rotations' frequencies")
        ->check(number_within(1.0, 1e12))
        ->capture_default_str();
}

std::vector<ImportedLayer> imported_layers(const std::string& file,
                                           const std::string& prefix,
                                           const ImportRequest& request) {
    require(request.as != TrainedLayer::lightning ||
                (prefix.empty() && request.num_layers == 0 && request.layer_index == 0),
            "import: lightning's decays come from the number of layers in the whole file: leave "
            "out --prefix, --layer-index and --num-layers, or import one layer by them, without "
            "--all");
    std::vector<std::string> prefixes = layer_prefixes(weight_names(file, prefix), prefix);
    if (prefixes.empty()) {
        prefixes.push_back(prefix);
    }
    std::vector<ImportedLayer> layers;
    ImportRequest own = request;
    own.num_layers = std::ssize(prefixes);
    for (const std::string& one : prefixes) {
        layers.push_back({name_of_prefix(one), imported_layer(read_weights(file, one), own)});
        ++own.layer_index;
    }
    return layers;
}

std::string records_of(const std::string& folder, const std::string& name) {
    std::string file = file_of(folder, name);
    require(is_file(file),
            "{}: is not there; a folder of records holds a file for each layer, named as the layer",
            file);
    return file;
}

int import_all(const std::string& file,
               const std::string& prefix,
               const ImportRequest& request,
               const std::string& folder,
               const CommonOptions& common) {
    const std::vector<ImportedLayer> layers = imported_layers(file, prefix, request);
    for (const ImportedLayer& one : layers) {
        std::error_code none;
        require(!std::filesystem::equivalent(file_of(folder, one.name), file, none),
                "--output: {} is the file of the weights; write to another folder",
                file);
    }
    std::error_code ignored;  // writing says what is wrong
    std::filesystem::create_directories(folder, ignored);
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const ImportedLayer& one : layers) {
        const std::string model = file_of(folder, one.name);
        write_model(model, one.model);
        list.push_back({{"name", one.name},
                        {"layer", to_string(one.model.layer)},
                        {"d", one.model.d},
                        {"o", one.model.o},
                        {"heads", num_heads(one.model)},
                        {"psi", one.model.layout().psi()},
                        {"model", model}});
    }
    Output output;
    output.add_json("layers", list);
    for (const ImportedLayer& one : layers) {
        output.say(formatted("{}  {}, {}",
                             file_of(folder, one.name),
                             to_string(one.model.layer),
                             plural(num_heads(one.model), "head")));
    }
    output.print(std::cout, common.json);
    return kHolds;
}

}  // namespace attest::cli
