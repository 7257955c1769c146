#include "core/data/dataset_header.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/data/archive/npz.hpp"
#include "core/data/dataset_file.hpp"

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

std::string list_of_keys(const NpzReader& file) {
    std::string list;
    for (const std::string& key : file.keys()) {
        if (list.size() > 100) {
            return list + " and more";
        }
        list += (list.empty() ? "" : ", ") + in_quotes(key);
    }
    return list.empty() ? "none" : list;
}

void read_feature_major(const NpzReader& file, DatasetLayout& layout) {
    const std::vector<Index> shape = file.header("Z").shape;
    if (shape.size() != 3) {
        refuse_shape(file, "Z", "three axes (N,d,n)", "a single sequence is Z[numpy.newaxis]");
    }
    require_absent(file, "offsets", "beside Z");
    layout.form = SequenceForm::feature_major;
    layout.num_sequences = shape[0];
    layout.d = shape[1];
    layout.length = shape[2];
}

void read_token_major(const NpzReader& file, DatasetLayout& layout) {
    const std::vector<Index> shape = file.header(layout.sequence_key).shape;
    const bool ragged = file.contains("offsets");
    if (ragged ? shape.size() != 2 : shape.size() != 3) {
        refuse_shape(file,
                     layout.sequence_key,
                     "three axes (N,n,d), or two (T,d) with offsets",
                     ragged ? "remove offsets or one axis" : "add the missing axis or offsets");
    }
    layout.form = ragged ? SequenceForm::ragged : SequenceForm::token_major;
    layout.d = shape.back();
    if (!ragged) {
        layout.num_sequences = shape[0];
        layout.length = shape[1];
        return;
    }
    layout.num_tokens = shape[0];
    const std::vector<Index> offsets = file.header("offsets").shape;
    if (offsets.size() != 1 || offsets[0] < 1) {
        refuse_shape(
            file, "offsets", "one axis (N+1)", "store the first token of each sequence and T");
    }
    layout.num_sequences = offsets[0] - 1;
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
    if (layer.form == TokenForm::delta && layer.gates == GateForm::none && file.contains("gates")) {
        refuse(file,
               "gates",
               formatted("is there beside keys, and the layer {} reads none", to_string(layer)),
               "'delta gates' or 'delta gates=vector'",
               "name them in the layer, or remove gates");
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
                        layout.num_sequences,
                        of_tokens ? layout.num_tokens : layout.num_examples()));
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
    return {d, rows("x"), rows("phi") + rows("keys"), rows("s"), rows("u")};
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

void require_absent(const NpzReader& file, std::string_view key, std::string_view reason) {
    if (file.contains(key)) {
        refuse(file, key, formatted("is there {}", reason), "one of the two", "remove one");
    }
}

void read_sequences(const NpzReader& file, const Layer& layer, DatasetLayout& layout) {
    const bool context = layer.cross && file.contains("context");
    if (!file.contains("Z") && !file.contains("tokens") && !context) {
        throw InvalidInput(
            formatted("{}: holds the keys {}, expected Z (N,d,n) or tokens (N,n,d); save the "
                      "sequences as one",
                      file.name(),
                      list_of_keys(file)));
    }
    if (file.contains("Z")) {
        require_absent(file, "tokens", "beside Z");
        if (context) {
            require_absent(file, "context", "beside Z");
        }
        layout.sequence_key = "Z";
        read_feature_major(file, layout);
    } else {
        if (context) {
            require_absent(file, "tokens", "beside context");
        }
        layout.sequence_key = context ? "context" : "tokens";
        read_token_major(file, layout);
    }
    if (layout.num_sequences < 1) {
        refuse_shape(file,
                     layout.form == SequenceForm::ragged ? "offsets" : layout.sequence_key,
                     "at least one sequence",
                     "an empty set has nothing to learn from");
    }
    require_dimension(file, layout.sequence_key, "d", layout.d);
    if (layout.form != SequenceForm::ragged) {
        if (layout.length < 1) {
            refuse_shape(file,
                         layout.sequence_key,
                         "at least one token in each sequence",
                         "remove the empty sequences");
        }
        layout.num_tokens = layout.num_sequences * layout.length;
    }
}

void read_supplied(const NpzReader& file, DatasetLayout& layout) {
    for (const std::string_view key : {"Z", "tokens", "query", "y_prefix"}) {
        require_absent(file, key, "beside s and u");
    }
    layout.sequence_key = "s";
    layout.form = SequenceForm::token_major;
    layout.num_sequences = file.header("s").shape.empty() ? 0 : file.header("s").shape[0];
    layout.length = 1;
    layout.num_tokens = layout.num_sequences;
    if (layout.num_sequences < 1) {
        refuse_shape(file, "s", "two axes (N,q), at least one example", "store one row an example");
    }
}

std::vector<Index> read_offsets(const NpzReader& file, const DatasetLayout& layout) {
    std::vector<Index> offsets;
    if (layout.form != SequenceForm::ragged) {
        for (Index i = 0; i <= layout.num_sequences; ++i) {
            offsets.push_back(i * layout.length);
        }
        return offsets;
    }
    offsets = read_integers(file, "offsets");
    if (offsets.front() != 0) {
        refuse(file,
               "offsets",
               formatted("starts with {}", offsets.front()),
               "0",
               "put the position of the first token in front");
    }
    for (std::size_t i = 1; i < offsets.size(); ++i) {
        if (offsets[i] <= offsets[i - 1]) {
            refuse(file,
                   formatted("offsets[{}]", i),
                   formatted("is {} after {}", offsets[i], offsets[i - 1]),
                   "a larger number",
                   "remove the empty sequence");
        }
    }
    if (offsets.back() != layout.num_tokens) {
        refuse(file,
               "offsets",
               formatted("ends with {}", offsets.back()),
               formatted("the number of tokens {}", layout.num_tokens),
               "append the end of the last sequence");
    }
    return offsets;
}

std::vector<Index> read_query(const NpzReader& file, const std::vector<Index>& offsets) {
    if (!file.contains("query")) {
        return {};
    }
    std::vector<Index> query = read_integers(file, "query");
    for (std::size_t i = 0; i < query.size(); ++i) {
        const Index length = offsets[i + 1] - offsets[i];
        if (query[i] < 0 || query[i] >= length) {
            refuse(file,
                   formatted("query[{}]", i),
                   formatted("is {}", query[i]),
                   formatted("0 to {}", length - 1),
                   "count the columns of that sequence from 0");
        }
    }
    return query;
}

}  // namespace attest
