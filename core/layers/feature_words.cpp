#include "core/layers/feature_words.hpp"

#include "core/algebra/symmetric_pack.hpp"
#include "core/layers/polynomial.hpp"

#include <algorithm>

namespace attest {

const std::vector<LayerWord>& layer_words() {
    static const std::vector<LayerWord> words{
        {"linear", "s = pack(sum z z^T), u = z", "linear", "linear attention, as in the paper"},
        {"decay=g1,g2,…",
         "s = pack(sum g^(n-t) z z^T), one sum a decay",
         "decay=1,31/32",
         "RetNet, Lightning Attention, state spaces with scalar decay"},
        {"window=w1,w2,…",
         "s = pack(sum over the last w tokens), one sum a window",
         "window=4",
         "sliding-window attention"},
        {"lags=L",
         "one sum for each of the last L tokens and one for the rest",
         "lags=8",
         "reads an unknown kernel off the data"},
        {"table=k0:k1:…,…",
         "s = pack(sum k_(n-t) z z^T), one sum a table",
         "table=1:1/2:1/4",
         "any kernel of the distance"},
        {"rotary=w1,…:L",
         "tables of cos(w (n-t)) and sin(w (n-t)) in double, n-t < L",
         "rotary=1,1/100:16",
         "rotary positions, relaxed: any Q for each of the two"},
        {"gates",
         "M = g M + z z^T with the recorded gates of the data (key gates)",
         "gates",
         "GLA, Mamba-2 with recorded gates"},
        {"affine",
         "tokens (1, z), and a constant beside the sums",
         "decay=1,15/16 affine",
         "biases in q, k, v, o; residual terms"},
        {"cross", "s of the context, u = x (key x)", "cross", "cross-attention, encoder-decoder"},
        {"mapped",
         "s = vec(sum z phi^T), u = phi with the columns of the data (key phi)",
         "mapped",
         "feature maps that are fixed before learning"},
        {"delta",
         "M = M (I - b k k^T) + b z k^T, s = vec(M), with the recorded k and b (keys keys, beta); "
         "with gates first M = g M",
         "delta gates",
         "DeltaNet, Gated DeltaNet, Kimi Delta Attention with recorded keys"},
        {"degree=p or a..b",
         "s = monomials of degree p+1 summed, u = monomials of degree p",
         "degree=0..2",
         "polynomial kernels, Taylor features of softmax (Based)"},
        {"moments", "s and u of the data (keys s, u)", "moments", "any encoder written elsewhere"}};
    return words;
}

namespace {

using Words = std::vector<EntryWord>;

std::vector<Coordinate> coordinates_of(CoordinateKind kind, const std::vector<Index>& numbers) {
    std::vector<Coordinate> found;
    found.reserve(numbers.size());
    for (const Index number : numbers) {
        found.push_back({kind, number});
    }
    return found;
}

/// Coordinate `number` of z̃ = (1, z), or of z.
Coordinate of_token(const Layer& layer, Index number) {
    if (!layer.affine) {
        return {CoordinateKind::token, number};
    }
    return number == 0 ? Coordinate{CoordinateKind::constant, 0}
                       : Coordinate{CoordinateKind::token, number - 1};
}

Words monomial_words(const Layer& layer, const LayerInput& input, const std::string& suffix) {
    Words words;
    for (Index p = layer.lowest_degree; p <= layer.highest_degree; ++p) {
        for (const std::vector<Index>& factors : monomials(input.d, p + 1)) {
            words.push_back({"S" + suffix, coordinates_of(CoordinateKind::token, factors)});
        }
    }
    return words;
}

/// Of value times key: the two differ, so that all pairs of coordinates are there.
Words pair_words(const Layer& layer, const LayerInput& input, const std::string& suffix) {
    const Index d = input.d + (layer.affine ? 1 : 0);
    const bool mapped = layer.has_own_keys();
    Words words;
    for (Index j = 0; j < d; ++j) {
        for (Index k = 0; k < (mapped ? input.phi : d); ++k) {
            const Coordinate key =
                mapped ? Coordinate{CoordinateKind::mapped, k} : of_token(layer, k);
            words.push_back({"M" + suffix, {of_token(layer, j), key}, true});
        }
    }
    return words;
}

/// What one token adds to a sum, entry by entry.
Words summand_words(const Layer& layer, const LayerInput& input, const std::string& suffix) {
    if (layer.form == TokenForm::degree) {
        return monomial_words(layer, input, suffix);
    }
    if (layer.has_own_keys() || layer.gates == GateForm::vector) {
        return pair_words(layer, input, suffix);
    }
    Words words;
    const Index d = input.d + (layer.affine ? 1 : 0);
    for (Index at = 0; at < packed_dim(d); ++at) {
        const auto [j, k] = packed_pair(d, at);
        words.push_back({"S" + suffix, {of_token(layer, j), of_token(layer, k)}});
    }
    return words;
}

Words state_words(const Layer& layer, const LayerInput& input) {
    Words words;
    if (layer.form == TokenForm::supplied) {
        for (Index p = 0; p < input.state; ++p) {
            words.push_back({"s", {{CoordinateKind::state, p}}});
        }
        return words;
    }
    const Index sums = num_sums(layer);
    for (Index g = 0; g < sums; ++g) {
        const std::string suffix = sums == 1 ? "" : "[" + std::to_string(g + 1) + "]";
        const Words more = summand_words(layer, input, suffix);
        words.insert(words.end(), more.begin(), more.end());
    }
    if (layer.affine) {
        words.push_back({"1", {}});
    }
    return words;
}

Words query_words(const Layer& layer, const LayerInput& input) {
    Words words;
    if (layer.form == TokenForm::degree) {
        for (Index p = layer.lowest_degree; p <= layer.highest_degree; ++p) {
            for (const std::vector<Index>& factors : monomials(input.d, p)) {
                words.push_back(
                    {factors.empty() ? "1" : "z", coordinates_of(CoordinateKind::token, factors)});
            }
        }
        return words;
    }
    const auto append = [&](const std::string& symbol, CoordinateKind kind, Index count) {
        for (Index l = 0; l < count; ++l) {
            words.push_back({symbol, {{kind, l}}});
        }
    };
    if (layer.form == TokenForm::supplied) {
        append("u", CoordinateKind::query, input.query);
        return words;
    }
    if (layer.affine && layer.form != TokenForm::mapped) {
        words.push_back({"1", {}});
    }
    if (layer.form == TokenForm::mapped) {
        append("phi", CoordinateKind::mapped, input.phi);
    } else if (layer.cross) {
        append("x", CoordinateKind::asking, input.x);
    } else {
        append("z", CoordinateKind::token, input.d);
    }
    return words;
}

}  // namespace

std::string to_string(const EntryWord& word) {
    const bool wide = std::any_of(word.coordinates.begin(),
                                  word.coordinates.end(),
                                  [](const Coordinate& c) { return c.number >= 9; });
    std::string text = word.symbol;
    for (const Coordinate& c : word.coordinates) {
        const bool first = text.size() == word.symbol.size();
        const Index number = c.kind == CoordinateKind::constant ? 0 : c.number + 1;
        text += (first ? "_" : wide ? "," : "") + std::to_string(number);
    }
    return text;
}

FeatureWords::FeatureWords(const Layer& layer, const LayerInput& input)
    : layout_(layout_of(layer, input)),
      states_(state_words(layer, input)),
      queries_(query_words(layer, input)) {}

std::string FeatureWords::feature(Index i) const {
    const auto [p, l] = layout_.factors(i);
    return to_string(state(p)) + " " + to_string(query(l));
}

}  // namespace attest
