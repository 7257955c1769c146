#include "proofs_check/checker/dataset.hpp"

#include <algorithm>

namespace attest::checker {
namespace {
using Arrays = std::map<std::string, Array>;

/// A list of integers.
Shape indices(const Array& array) {
    require(array.integral && array.shape.size() == 1, "offsets, query are lists of integers");
    return {array.values.begin(), array.values.end()};
}

void read_tokens(Dataset& data, const Arrays& arrays) {
    const Index count = arrays.count("Z") + arrays.count("tokens") + arrays.count("context");
    const bool ragged = arrays.contains("offsets");
    require(count == 1 && !(arrays.contains("Z") && ragged), "needs Z or tokens, not both");
    const Array& tokens = arrays.contains("Z")        ? arrays.at("Z")
                          : arrays.contains("tokens") ? arrays.at("tokens")
                                                      : arrays.at("context");
    require(tokens.shape.size() == (ragged ? 2 : 3) && !tokens.values.empty(), "bad tokens");
    data.d = tokens.shape.back();
    require(data.d <= 400, "the dimension is above 400");
    data.tokens = tokens.values;
    const Index T = static_cast<Index>(data.tokens.size()) / data.d;
    for (Index t = tokens.shape[1]; t <= T; t += tokens.shape[1]) {
        data.offsets.push_back(t);
    }
    data.offsets = ragged ? indices(arrays.at("offsets")) : data.offsets;
    data.query = arrays.contains("query") ? indices(arrays.at("query")) : data.query;
    const Index N = static_cast<Index>(data.offsets.size()) - 1;
    require(N > 0 && data.offsets[0] == 0 && data.offsets[N] == T,
            "offsets do not cover the tokens");
    require(!arrays.contains("query") || Index(data.query.size()) == N, "query has a wrong length");
    for (Index s = 0; s < N; ++s) {
        const Index query = data.query.empty() ? 0 : data.query[s];
        require(0 <= query && query < data.offsets[s + 1] - data.offsets[s], "bad sequence");
    }
    data.prefixes = arrays.contains("y_prefix");
    require(!data.prefixes || (!arrays.contains("y") && !arrays.contains("query")),
            "y_prefix excludes y and query");
}

/// s and u stand for all else: N sequences of one token each, which has no entries.
void read_moments(Dataset& data, const Arrays& arrays) {
    require(arrays.count("s") + arrays.count("u") + arrays.count("y") == arrays.size() &&
                arrays.contains("s") && arrays.contains("u"),
            "s and u go together, and with y alone");
    for (Index i = 1; i <= arrays.at("s").shape[0]; ++i) {
        data.offsets.push_back(i);
    }
}

/// The array of this name as a matrix with a column for each of `count` examples or tokens: of
/// shape (count, rows), or (N, n, rows) where these are tokens; gates and beta may be one number
/// each.
Matrix read_matrix(const Arrays& arrays, const Dataset& data, const std::string& name) {
    const auto found = arrays.find(name);
    if (found == arrays.end()) {
        return {};
    }
    const bool by_token = name == "phi" || name == "gates" || name == "keys" || name == "beta";
    const Index N = static_cast<Index>(data.offsets.size()) - 1;
    const Index count = by_token ? data.offsets[N] : data.num_examples;
    const Shape& shape = found->second.shape;
    const Index rows = static_cast<Index>(found->second.values.size()) / count;
    bool fits = shape == Shape{count, rows};
    fits = fits || ((by_token || data.prefixes) && shape == Shape{N, data.offsets[1], rows});
    const bool list = shape == Shape{count} || shape == Shape{N, data.offsets[1]};
    fits = fits || ((name == "gates" || name == "beta") && list && rows == 1);
    require(fits && rows > 0 && rows * count == Index(found->second.values.size()), "bad " + name);
    return {rows, found->second.values};
}

void read_labels(Dataset& data, const Arrays& arrays) {
    const auto y = arrays.find(data.prefixes ? "y_prefix" : "y");
    if (y == arrays.end()) {
        return;
    }
    const Index N = static_cast<Index>(data.offsets.size()) - 1;
    data.y = y->second.values;
    data.o = static_cast<Index>(data.y.size()) / data.num_examples;
    const Shape expected{data.num_examples, data.o};
    const Shape other = data.prefixes ? Shape{N, data.offsets[1], data.o} : Shape{N};
    require(data.o > 0 && data.o * data.num_examples == Index(data.y.size()) &&
                (y->second.shape == expected || y->second.shape == other),
            "bad labels");
}
}  // namespace

Names layer_arrays(std::string_view proof) {
    std::size_t at = proof.starts_with("layer ") ? 0 : proof.find("\nlayer ");
    Names names;
    if (at == std::string_view::npos) {
        return names;
    }
    at += proof[at] == '\n' ? 1 : 0;
    const std::string line = std::string(proof.substr(at, proof.find('\n', at) - at)) + ' ';
    const auto has = [&](const std::string& word) {
        return line.find(' ' + word) != std::string::npos;
    };
    const std::map<std::string, Names> readers{{"cross ", {"x"}},
                                               {"mapped ", {"phi"}},
                                               {"gates ", {"gates"}},
                                               {"gates=vector ", {"gates"}},
                                               {"moments ", {"s", "u"}},
                                               {"delta ", {"keys", "beta"}}};
    for (const auto& [word, read] : readers) {
        if (has(word)) {
            names.insert(read.begin(), read.end());
        }
    }
    return names;
}

Dataset load_dataset(const std::string& path, const Names& layer_arrays) {
    Names names{"Z", "tokens", "context", "offsets", "y", "y_prefix", "query"};
    names.insert(layer_arrays.begin(), layer_arrays.end());
    const Arrays arrays = read_arrays(path, {names.begin(), names.end()});
    Dataset data;
    arrays.contains("s") || arrays.contains("u") ? read_moments(data, arrays)
                                                 : read_tokens(data, arrays);
    data.num_examples = data.prefixes ? data.offsets.back() : Index(data.offsets.size()) - 1;
    read_labels(data, arrays);
    require(!arrays.contains("x") || data.query.empty(), "x excludes query");
    data.x = read_matrix(arrays, data, "x");
    data.phi = read_matrix(arrays, data, "phi");
    data.gates = read_matrix(arrays, data, "gates");
    data.s = read_matrix(arrays, data, "s");
    data.u = read_matrix(arrays, data, "u");
    data.keys = read_matrix(arrays, data, "keys");
    data.beta = read_matrix(arrays, data, "beta");
    return data;
}
}  // namespace attest::checker
