#include "core/data/model_file.hpp"

#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/data/archive/npz.hpp"
#include "core/data/model_arrays.hpp"
#include "core/layers/parse_layer.hpp"

#include <algorithm>

namespace attest {

namespace {

void require_room(const NpzReader& file) {
    double bytes = 0.0;
    for (const std::string_view key : {"P", "V", "Q", "meta", "direct"}) {
        if (file.contains(key)) {
            const NpyHeader header = file.header(key);
            bytes += 16.0 * static_cast<double>(header.num_elements()) +
                     static_cast<double>(header.data_bytes());
        }
    }
    require_memory(bytes, file.name() + ": reading it", "use a smaller model or a larger machine");
}

void check_model(const Model& model) {
    require(model.heads.d == model.d && model.heads.o == model.o,
            "write_model: got heads with d = {}, o = {}, expected d = {}, o = {}",
            model.heads.d,
            model.heads.o,
            model.d,
            model.o);
    check_shapes(model.heads);
    require(model.P.size() == 0 ||
                (model.P.rows() == model.layout().psi() && model.P.cols() == model.o),
            "write_model: got P {}x{}, expected {}x{}",
            model.P.rows(),
            model.P.cols(),
            model.layout().psi(),
            model.o);
    const bool finite =
        model.P.allFinite() &&
        std::all_of(model.heads.heads.begin(), model.heads.heads.end(), [](const Head& head) {
            return head.V.allFinite() && head.Q.allFinite();
        });
    require(finite, "write_model: got a NaN or an infinity, expected finite numbers");
}

NpzWriter file_of(const Model& model) {
    check_model(model);
    NpzWriter file;
    if (model.P.size() != 0) {
        add_coefficients(file, "P", model.P);
    }
    if (!model.layer.is_linear()) {
        add_layer(file, model);
    } else if (model.P.size() == 0 || model.heads.num_heads() > 0) {
        add_heads(file, "V", "Q", model.heads);
    }
    if (!model.meta.empty()) {
        add_meta(file, model.meta);
    }
    return file;
}

constexpr std::string_view kMendModel = "write finite numbers";

/// The heads' matrices one after the other, row by row.
NpyArray stacked(const std::vector<LayerHead>& heads, Matrix LayerHead::*part) {
    const Matrix& first = heads.front().*part;
    NpyArray array{DType::float64, {std::ssize(heads), first.rows(), first.cols()}, {}};
    for (const LayerHead& head : heads) {
        append_rows(array, head.*part);
    }
    return array;
}

LayerHeads read_layer_heads(const NpzReader& file) {
    LayerHeads found;
    if (file.contains("direct")) {
        found.direct = read_matrix(file, "direct");
    }
    if (!file.contains("V")) {
        return found;
    }
    for (const std::string_view key : {"V", "Q", "kernel"}) {
        if (!file.contains(key)) {
            refuse(file, key, "is not there", "V, Q and kernel together", "store all or none");
        }
    }
    const NpyArray V = file.read("V");
    const NpyArray Q = file.read("Q");
    require_finite(file, "V", V, kMendModel);
    require_finite(file, "Q", Q, kMendModel);
    const std::vector<Index> kernel = read_integers(file, "kernel");
    if (V.shape.size() != 3 || Q.shape.size() != 3 || V.shape[0] != Q.shape[0] ||
        V.shape[0] != std::ssize(kernel)) {
        refuse_shape(file,
                     "V",
                     "V (H,o,D), Q (H,K,m) and kernel (H)",
                     "stack the heads along the first axis");
    }
    for (Index h = 0; h < V.shape[0]; ++h) {
        found.heads.push_back({slice(V, h), slice(Q, h), kernel[static_cast<std::size_t>(h)]});
    }
    return found;
}

LayerInput read_sizes(const NpzReader& file) {
    if (!file.contains("sizes")) {
        refuse(file,
               "sizes",
               "is not there",
               "the integers d, x, phi, s, u",
               "store them beside layer");
    }
    const std::vector<Index> sizes = read_integers(file, "sizes");
    if (sizes.size() != 5) {
        refuse_shape(
            file, "sizes", "the five integers d, x, phi, s, u", "write 0 for what is unused");
    }
    for (const Index size : sizes) {
        if (size < 0 || size > kMaxDimension) {
            refuse(file,
                   "sizes",
                   formatted("holds {}", size),
                   "sizes from 0 on",
                   "write 0 for what is unused");
        }
    }
    return {sizes[0], sizes[1], sizes[2], sizes[3], sizes[4]};
}

}  // namespace

Model read_model(const NpzReader& file) {
    require(file.contains("P") || file.contains("V") || file.contains("Q"),
            "{}: holds neither P nor V and Q, expected the coefficients P (o,psi) or heads V "
            "(H,o,d) and Q (H,d,d); is it a model file?",
            file.name());
    require_room(file);
    if (file.contains("layer")) {
        return read_layer_model(file);
    }
    Model model;
    const std::optional<Parameters> heads = read_heads(file, "V", "Q");
    const std::optional<Matrix> P = read_coefficients(file, "P");
    if (P) {
        model.P = *P;
        model.d = *dimension_of_features(P->rows());
        model.o = P->cols();
    } else {
        model.d = heads->d;
        model.o = heads->o;
    }
    if (heads && (heads->d != model.d || heads->o != model.o)) {
        refuse_shape(file,
                     "V",
                     formatted("d = {}, o = {} as P has", model.d, model.o),
                     "store heads and coefficients of one model");
    }
    model.heads = heads.value_or(Parameters{model.d, model.o, {}});
    model.meta = read_meta(file);
    return model;
}

Model read_model(const std::string& path) {
    return read_model(NpzReader::open(path));
}

void write_model(const std::string& path, const Model& model) {
    file_of(model).write(path);
}

std::vector<std::byte> model_bytes(const Model& model) {
    return file_of(model).bytes();
}

Model read_layer_model(const NpzReader& file) {
    Model model;
    model.layer = layer_named(read_text(file, "layer", "the text of a layer"));
    model.input = read_sizes(file);
    model.d = model.input.d;
    const FeatureLayout layout = model.layout();
    model.layer_heads = read_layer_heads(file);
    if (file.contains("P")) {
        model.P = read_matrix(file, "P").transpose();
        model.o = model.P.cols();
    } else {
        model.o = model.layer_heads.heads.empty() ? model.layer_heads.direct.rows()
                                                  : model.layer_heads.heads.front().V.rows();
        model.P = coefficients(model.layer, model.input, model.o, model.layer_heads);
    }
    if (model.P.rows() != layout.psi() || model.o < 1) {
        refuse_shape(
            file,
            "P",
            formatted("(o, {}) as the layer {} needs", layout.psi(), to_string(model.layer)),
            "store the coefficients of one output a row");
    }
    model.heads = {model.d, model.o, {}};
    model.meta = read_meta(file);
    return model;
}

void add_layer(NpzWriter& file, const Model& model) {
    add_text(file, "layer", to_string(model.layer));
    const LayerInput& input = model.input;
    NpyArray sizes{DType::int64, {5}, {}};
    for (const Index size : {input.d, input.x, input.phi, input.state, input.query}) {
        sizes.data.push_back(static_cast<double>(size));
    }
    file.add("sizes", sizes);
    const std::vector<LayerHead>& heads = model.layer_heads.heads;
    if (!heads.empty()) {
        file.add("V", stacked(heads, &LayerHead::V));
        file.add("Q", stacked(heads, &LayerHead::Q));
        NpyArray kernel{DType::int64, {std::ssize(heads)}, {}};
        for (const LayerHead& head : heads) {
            kernel.data.push_back(static_cast<double>(head.kernel));
        }
        file.add("kernel", kernel);
    }
    if (model.layer_heads.direct.size() > 0) {
        file.add("direct", array_of_columns(model.layer_heads.direct.transpose()));
    }
}

}  // namespace attest
