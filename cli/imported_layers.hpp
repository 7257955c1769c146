#pragma once

#include "cli/command.hpp"
#include "core/trained/imported_layer.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace attest::cli {

/// How the weights of a single layer are read, as typed.
struct LayerImportOptions {
    std::string as;
    std::string prefix;
    std::string until = "projection";
    double scale = 0.0;  ///< 0: not given
    Index rotary = -1;   ///< −1: not given
    ImportRequest rest;  ///< what is taken as it is typed

    /// All of it. Throws UnknownName for an implementation that there is not.
    [[nodiscard]] ImportRequest request() const;
};

/// Adds --num-heads, --key-heads, --scale, --until, --rotary and --rotary-base.
void add_layer_import_options(CLI::App& app, LayerImportOptions& options);

/// Refuses options of another implementation than this, which would decide nothing. Throws
/// CLI::ValidationError.
void require_implementation_fits(const CLI::App& app, std::string_view as);

/// One of the layers in a file of weights.
struct ImportedLayer {
    std::string name;  ///< its prefix without the last dot: "model.layers.0.attn"
    Model model;
};

/// Every layer that the file holds below the prefix, by layer_prefixes, each as `request` says;
/// lightning counts them all, and takes no prefix. Where it names none, the prefix itself is taken
/// for one. Throws InvalidInput of one line where one cannot be imported.
[[nodiscard]] std::vector<ImportedLayer> imported_layers(const std::string& file,
                                                         const std::string& prefix,
                                                         const ImportRequest& request);

/// The records of a layer in a folder: NAME.npz, as the hook of docs/your-layer.md writes them.
/// Throws InvalidInput naming the file that is not there.
[[nodiscard]] std::string records_of(const std::string& folder, const std::string& name);

/// `attest import --all`: writes every layer's model to FOLDER/NAME.npz and lists them.
int import_all(const std::string& file,
               const std::string& prefix,
               const ImportRequest& request,
               const std::string& folder,
               const CommonOptions& common);

}  // namespace attest::cli
