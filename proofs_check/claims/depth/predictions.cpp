#include "proofs_check/claims/depth/predictions.hpp"

#include "core/base/text.hpp"
#include "core/rng/sample.hpp"
#include "core/stack/jacobian.hpp"
#include "core/stack/residue_matrix.hpp"

#include <algorithm>

namespace attest::depth {

namespace {

/// "(4,2,2,2;2)", with groups "(4,2,2,4/2;2)": d, a, v, heads in groups; layers.
std::string sizes_text(const StackShape& shape) {
    const StackLayer& layer = shape.layers.front();
    std::string text =
        formatted("({},{},{},{}", shape.d, layer.key_size, layer.value_size, layer.heads);
    if (layer.groups != layer.heads) {
        text += formatted("/{}", layer.groups);
    }
    if (layer.width > 0) {
        text += formatted(",m{}", layer.width);
    }
    return text + formatted(";{})", shape.layers.size());
}

/// Stacks with what is found of each beside what is said, in words.
class Comparison {
public:
    explicit Comparison(const std::string& law) : text_(law + ":") {}

    void add(const Prediction& prediction, const StackDimension& found, bool agrees) {
        text_ += formatted(
            "{} {} {}", stacks_ == 0 ? "" : ",", sizes_text(prediction.shape), found.rank);
        if (!agrees) {
            text_ += found.upper == found.rank
                         ? formatted(" [said {}]", prediction.said)
                         : formatted(" to {} [said {}]", found.upper, prediction.said);
        }
        ++stacks_;
        agree_ += agrees ? 1 : 0;
    }

    [[nodiscard]] Answer answer(const std::string& how) const {
        return {agree_ == stacks_,
                formatted("{}; {} of {} as said{}", text_, agree_, stacks_, how)};
    }

private:
    std::string text_;
    Index stacks_ = 0;
    Index agree_ = 0;
};

/// One linear layer at t ≥ 2, from m numbers a token to n: min(n·m²(m+1)/2, H·e − H·max(1, H −
/// (m−a)² − (m−v)(n−v))), e = a(2m−a) + v(m+n−v); a, v cut to the sizes, H to m·max(m, n).
Index linear_layer_between(const Sizes& sizes, Index m, Index n) {
    const Index a = std::min(sizes.a, m);
    const Index v = std::min({sizes.v, m, n});
    const Index H = std::min(sizes.heads, m * std::max(m, n));
    const Index free = (m - a) * (m - a) + (m - v) * (n - v);
    const Index each = a * (2 * m - a) + v * (m + n - v);
    return std::min(n * m * m * (m + 1) / 2, H * each - H * std::max(Index{1}, H - free));
}

}  // namespace

std::vector<Prediction> read_at_the_last(std::vector<Prediction> predictions) {
    for (Prediction& each : predictions) {
        each.shape.readout = Readout::last;
    }
    return predictions;
}

Answer all_proved(const std::string& law, const std::vector<Prediction>& predictions) {
    Comparison comparison(law);
    Index by_symmetries = 0;
    Index by_bounds = 0;
    for (const Prediction& each : predictions) {
        const StackDimension found = dimension({each.shape, each.tokens});
        by_symmetries += found.proof == DimensionProof::symmetries ? 1 : 0;
        by_bounds += found.proof == DimensionProof::bound ? 1 : 0;
        comparison.add(each, found, found.proof != DimensionProof::none && found.rank == each.said);
    }
    return comparison.answer(
        formatted(", {} proved by symmetries, {} by bounds", by_symmetries, by_bounds));
}

Answer all_met(const std::string& law, const std::vector<Prediction>& predictions) {
    Comparison comparison(law);
    for (const Prediction& each : predictions) {
        const StackDimension found = dimension({each.shape, each.tokens});
        comparison.add(each, found, found.rank == each.said && found.upper == each.said);
    }
    return comparison.answer(", as upper bound proved, and met in doubles");
}

Answer all_reached(const std::string& law, const std::vector<Prediction>& predictions) {
    Comparison comparison(law);
    for (const Prediction& each : predictions) {
        const StackDimension found = dimension({each.shape, each.tokens});
        comparison.add(each, found, found.point.has_value() && found.rank == each.said);
    }
    return comparison.answer(", as lower bound proved, and no larger rank at three random points");
}

Index rank_of_examples(const StackShape& shape, Index tokens, Index examples) {
    using Residue = ResidueNumber<kStackPrime>;
    Draws draws(Stream(0).child("rank_of_examples"));
    const auto draw = [&] { return Residue(static_cast<std::int64_t>(draws.below(kStackPrime))); };
    StackAt<Residue> stack{shape, {}, {}};
    const Index P = layout_of(shape).num_parameters;
    for (Index k = 0; k < P; ++k) {
        stack.parameters.push_back(draw());
    }
    for (const StackLayer& layer : shape.layers) {
        LayerConstants<Residue> constants;
        for (Index pair = 0; layer.rotary && pair < layer.key_size / 2; ++pair) {
            // A point of the unit circle: ((1−x²)/(1+x²), 2x/(1+x²)).
            const Residue x(pair + 2);
            const Residue one(1);
            constants.cosine.push_back((one - x * x) / (one + x * x));
            constants.sine.push_back((x + x) / (one + x * x));
        }
        stack.constants.push_back(std::move(constants));
    }
    StackJacobian<Residue> jacobian(stack);
    ModularRowBasis basis(modulus_of<Residue>(), P);
    for (Index i = 0; i < examples; ++i) {
        MatrixOf<Residue> X(shape.d, tokens);
        for (Index k = 0; k < X.size(); ++k) {
            X(k) = draw();
        }
        const ModularMatrix J = modular(jacobian.at(X).J);
        basis.append(J, ModularMatrix(J.rows(), 0));
    }
    basis.flush();
    return basis.rank();
}

Index head_ranks(const Sizes& sizes) {
    const Index d = sizes.d;
    return sizes.a * (2 * d - sizes.a) + sizes.v * (2 * d - sizes.v);
}

Index linear_layer(const Sizes& sizes) {
    return linear_layer_between(sizes, sizes.d, sizes.d);
}

Index linear_residual_stack(const Sizes& sizes) {
    return sizes.layers * linear_layer(sizes);
}

Index linear_stack(const Sizes& sizes) {
    const Index r = std::min(sizes.d, sizes.heads * sizes.v);
    Index total = -(sizes.layers - 1) * r * r;
    for (Index l = 0; l < sizes.layers; ++l) {
        total +=
            linear_layer_between(sizes, l == 0 ? sizes.d : r, l + 1 == sizes.layers ? sizes.d : r);
    }
    return total;
}

Index softmax_layer(const Sizes& sizes) {
    return sizes.heads * head_ranks(sizes);
}

}  // namespace attest::depth
