#pragma once

#include "core/trained/imported_layer.hpp"

#include <string>
#include <vector>

namespace attest::cli {

/// One of the layers in a file of weights.
struct ImportedLayer {
    std::string name;  ///< its prefix without the last dot: "model.layers.0.attn"
    Model model;
};

/// Every layer that the file holds below the prefix, by layer_prefixes, each as `request` says;
/// lightning counts them. Where it names none, the prefix itself is taken for one. Throws
/// InvalidInput of one line where one cannot be imported.
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
               bool json);

}  // namespace attest::cli
