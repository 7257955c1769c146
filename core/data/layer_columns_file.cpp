#include "core/data/layer_columns_file.hpp"

#include "core/base/text.hpp"
#include "core/data/npz_checks.hpp"

namespace attest {

ColumnKey column_key(std::string_view key) {
    if (key == "x") {
        return {&LayerColumns::x, false};
    }
    if (key == "phi") {
        return {&LayerColumns::phi, true};
    }
    if (key == "gates") {
        return {&LayerColumns::gates, true};
    }
    return {key == "s" ? &LayerColumns::s : &LayerColumns::u, false};
}

// The leading axes have count entries in all; a last axis of `count` in all stands for one number
// each.
Index column_rows(const NpzReader& file, std::string_view key, Index count, std::string_view each) {
    const NpyHeader header = file.header(key);
    Index before_last = 1;
    for (std::size_t axis = 0; axis + 1 < header.shape.size(); ++axis) {
        before_last *= header.shape[axis];
    }
    const Index size = header.num_elements();
    const bool numbers = size == count && before_last != count;
    if (size == 0 || header.shape.size() > 3 || (!numbers && before_last != count)) {
        refuse_shape(file,
                     key,
                     formatted("one row for each of the {} {}", count, each),
                     "store them in the order of the sequences");
    }
    return size / count;
}

std::vector<std::string_view> layer_keys(const Layer& layer) {
    std::vector<std::string_view> keys;
    if (layer.cross) {
        keys.emplace_back("x");
    }
    if (layer.form == TokenForm::mapped) {
        keys.emplace_back("phi");
    }
    if (layer.gates != GateForm::none) {
        keys.emplace_back("gates");
    }
    if (layer.form == TokenForm::supplied) {
        keys.insert(keys.end(), {"s", "u"});
    }
    return keys;
}

LayerColumns read_layer_columns(const NpzReader& file,
                                const Dataset& data,
                                InvalidExamples policy) {
    LayerColumns columns;
    for (const std::string_view key : layer_keys(data.layer)) {
        const auto [member, of_tokens] = column_key(key);
        const NpyArray array = file.read(key);
        if (policy == InvalidExamples::reject) {
            require_finite(file, key, array, "remove the example or pass --skip-invalid");
        }
        const Index rows = column_rows(file,
                                       key,
                                       of_tokens ? data.tokens.cols() : data.num_examples(),
                                       of_tokens ? "tokens" : "examples");
        columns.*member = columns_of(array, rows);
    }
    return columns;
}

void add_layer_columns(NpzWriter& file, const Dataset& data) {
    const auto add = [&](std::string_view key, const Matrix& columns) {
        if (columns.size() > 0) {
            file.add(key, array_of_columns(columns));
        }
    };
    add("x", data.columns.x);
    add("phi", data.columns.phi);
    add("gates", data.columns.gates);
    add("s", data.columns.s);
    add("u", data.columns.u);
}

}  // namespace attest
