#include "core/data/dataset_layout.hpp"

#include "core/base/error.hpp"
#include "core/base/in_quotes.hpp"
#include "core/base/text.hpp"
#include "core/data/layer_columns_file.hpp"
#include "core/data/npz_checks.hpp"
#include "core/data/sequence_layout.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace attest {

namespace {

constexpr std::array<std::string_view, 10> kKeys{
    "Z", "tokens", "offsets", "y", "y_prefix", "query", "truth_V", "truth_Q", "truth_P", "meta"};

bool is_known(std::string_view key) {
    return std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char letter) {
        return static_cast<char>(std::tolower(letter));
    });
    return lower;
}

// Other keys may be anything, except a slip of case: "Y" would otherwise pass for a set without
// labels.
std::vector<std::string> ignored_keys(const NpzReader& file, const Layer& layer) {
    std::vector<std::string_view> more = layer_keys(layer);
    if (layer.cross) {
        more.emplace_back("context");
    }
    std::vector<std::string> ignored;
    for (const std::string& key : file.keys()) {
        if (is_known(key) || std::find(more.begin(), more.end(), key) != more.end()) {
            continue;
        }
        for (const std::string_view known : kKeys) {
            require(lower_case(key) != lower_case(known),
                    "{}: holds the key {}, expected {}; rename it",
                    file.name(),
                    in_quotes(key),
                    in_quotes(known));
        }
        ignored.push_back(key);
    }
    return ignored;
}

void read_labels(const NpzReader& file, DatasetLayout& layout) {
    if (file.contains("y")) {
        require_absent(file, "y_prefix", "beside y");
    } else if (!file.contains("y_prefix")) {
        return;
    }
    const bool prefixes = !file.contains("y");
    layout.label_key = prefixes ? "y_prefix" : "y";
    layout.labels = prefixes ? LabelKind::per_prefix : LabelKind::per_sequence;
    std::vector<Index> leading{layout.num_sequences};
    if (prefixes && layout.form == SequenceForm::ragged) {
        leading = {layout.num_tokens};
    } else if (prefixes) {
        leading.push_back(layout.length);
    }
    std::vector<Index> found = file.header(layout.label_key).shape;
    if (!prefixes && found == leading) {
        layout.o = 1;
        return;
    }
    layout.o = found.empty() ? 0 : found.back();
    if (!found.empty()) {
        found.pop_back();
    }
    if (found != leading) {
        std::string expected = shape_text(leading);
        expected.replace(expected.size() - (leading.size() == 1 ? 2 : 1), 2, ", o)");
        refuse_shape(file,
                     layout.label_key,
                     prefixes ? formatted("{}, one label for each token", expected)
                              : formatted("{} or {}", expected, shape_text(leading)),
                     formatted("store the labels of all {} sequences in the order of {}",
                               layout.num_sequences,
                               layout.sequence_key));
    }
    require_dimension(file, layout.label_key, "o", layout.o);
}

void check_query(const NpzReader& file, const DatasetLayout& layout) {
    if (!file.contains("query")) {
        return;
    }
    require_absent(file, "y_prefix", "beside query");
    if (file.header("query").shape != std::vector<Index>{layout.num_sequences}) {
        refuse_shape(file,
                     "query",
                     shape_text(std::vector<Index>{layout.num_sequences}),
                     "store one column number for each sequence");
    }
}

}  // namespace

DatasetLayout read_layout(const NpzReader& file, const Layer& layer) {
    DatasetLayout layout;
    layout.ignored = ignored_keys(file, layer);
    for (const std::string_view key : layer_keys(layer)) {
        if (!file.contains(key)) {
            refuse(file,
                   key,
                   "is not there",
                   formatted("it beside the sequences for the layer {}", to_string(layer)),
                   "store it; docs/families.md says how");
        }
    }
    if (layer.form == TokenForm::supplied) {
        read_supplied(file, layout);
    } else {
        read_sequences(file, layer, layout);
    }
    read_labels(file, layout);
    check_query(file, layout);
    for (const std::string_view key : layer_keys(layer)) {
        const bool of_tokens = column_key(key).of_tokens;
        layout.columns.emplace_back(
            key,
            column_rows(file,
                        key,
                        of_tokens ? layout.num_tokens : layout.num_examples(),
                        of_tokens ? "tokens" : "examples"));
    }
    return layout;
}

LayerInput DatasetLayout::layer_input() const {
    const auto rows = [&](std::string_view wanted) {
        for (const auto& [key, count] : columns) {
            if (key == wanted) {
                return count;
            }
        }
        return Index{0};
    };
    return {d, rows("x"), rows("phi"), rows("s"), rows("u")};
}

double reading_bytes(const NpzReader& file, const Layer& layer) {
    double total = 0.0;
    double largest = 0.0;
    std::vector<std::string_view> keys(kKeys.begin(), kKeys.end());
    const std::vector<std::string_view> more = layer_keys(layer);
    keys.insert(keys.end(), more.begin(), more.end());
    for (const std::string_view key : keys) {
        if (file.contains(key)) {
            const NpyHeader header = file.header(key);
            const double as_doubles = 8.0 * static_cast<double>(header.num_elements());
            total += as_doubles;
            largest = std::max(largest, as_doubles + static_cast<double>(header.data_bytes()));
        }
    }
    return total + largest;
}

}  // namespace attest
