#include "core/layers/layer.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/layers/polynomial.hpp"

#include <algorithm>
#include <utility>

namespace attest {

namespace {

Rational power(const Rational& base, Index exponent) {
    Rational result = 1;
    Rational factor = base;
    for (Index left = exponent; left > 0; left /= 2) {
        if (left % 2 == 1) {
            result *= factor;
        }
        factor *= factor;
    }
    return result;
}

using Multiplicities = std::vector<Index>;

constexpr double kMostEntries = 0x1p25;

void append(Multiplicities& to, const Multiplicities& more) {
    to.insert(to.end(), more.begin(), more.end());
}

Multiplicities ones(Index count) {
    Multiplicities found(static_cast<std::size_t>(count), 1);
    return found;
}

Multiplicities orders_of_degree(Index d, Index degree) {
    Multiplicities found;
    for (const std::vector<Index>& factors : monomials(d, degree)) {
        found.push_back(orders(factors));
    }
    return found;
}

/// Dimension of the tokens after `affine`.
Index token_dim(const Layer& layer, const LayerInput& input) {
    return input.d + (layer.affine ? 1 : 0);
}

/// C(n, k), rounded.
double choose(Index n, Index k) {
    double value = 1.0;
    for (Index j = 1; j <= k; ++j) {
        value *= static_cast<double>(n - k + j) / static_cast<double>(j);
    }
    return value;
}

/// Entries of s before any is written.
double state_entries(const Layer& layer, const LayerInput& input) {
    if (layer.form == TokenForm::degree) {
        double entries = 0.0;
        for (Index p = layer.lowest_degree; p <= layer.highest_degree; ++p) {
            entries += choose(input.d + p, p + 1);
        }
        return entries;
    }
    const auto D = static_cast<double>(token_dim(layer, input));
    const double keys = layer.has_own_keys()              ? static_cast<double>(input.phi)
                        : layer.gates == GateForm::vector ? D
                                                          : (D + 1.0) / 2.0;
    return static_cast<double>(num_sums(layer)) * D * keys;
}

FeatureLayout degree_layout(const Layer& layer, Index d) {
    Multiplicities states;
    Multiplicities queries;
    std::vector<FeatureBlock> blocks;
    for (Index p = layer.lowest_degree; p <= layer.highest_degree; ++p) {
        const Multiplicities state = orders_of_degree(d, p + 1);
        const Multiplicities query = orders_of_degree(d, p);
        blocks.push_back(
            {std::ssize(states), std::ssize(state), std::ssize(queries), std::ssize(query)});
        append(states, state);
        append(queries, query);
    }
    return {states, queries, blocks};
}

/// What one token adds to a sum.
Multiplicities summand(const Layer& layer, const LayerInput& input) {
    const Index d = token_dim(layer, input);
    if (layer.has_own_keys()) {
        return ones(d * input.phi);
    }
    return layer.gates == GateForm::vector ? ones(d * d) : packed_multiplicity(d);
}

Index query_dim(const Layer& layer, const LayerInput& input) {
    if (layer.form == TokenForm::mapped) {
        return input.phi;
    }
    return layer.cross ? input.x + (layer.affine ? 1 : 0) : token_dim(layer, input);
}

std::string join(const std::vector<std::string>& words, std::string_view between) {
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : std::string(between)) + word;
    }
    return text;
}

std::string table_text(const Kernel& kernel) {
    std::vector<std::string> values;
    for (const Rational& value : kernel.values) {
        values.push_back(value.str());
    }
    return join(values, ":");
}

/// The word of consecutive kernels of one kind, from `first` on, which is left behind them.
std::string kernel_word(const std::vector<Kernel>& kernels, std::size_t& first) {
    const KernelKind kind = kernels[first].kind;
    if (kind == KernelKind::lag) {
        std::size_t count = 0;
        while (kernels[first].kind == KernelKind::lag) {
            ++first;
            ++count;
        }
        ++first;  // what is beyond the lags
        return formatted("lags={}", count);
    }
    std::vector<std::string> parameters;
    for (; first < kernels.size() && kernels[first].kind == kind; ++first) {
        const Kernel& kernel = kernels[first];
        parameters.push_back(kind == KernelKind::decay    ? kernel.rate.str()
                             : kind == KernelKind::window ? std::to_string(kernel.width)
                                                          : table_text(kernel));
    }
    const std::string_view name = kind == KernelKind::decay    ? "decay"
                                  : kind == KernelKind::window ? "window"
                                                               : "table";
    return formatted("{}={}", name, join(parameters, ","));
}

}  // namespace

Rational value_at(const Kernel& kernel, Index delta) {
    switch (kernel.kind) {
        case KernelKind::decay:
            return power(kernel.rate, delta);
        case KernelKind::window:
            return delta < kernel.width ? 1 : 0;
        case KernelKind::lag:
            return delta == kernel.width ? 1 : 0;
        case KernelKind::beyond:
            return delta >= kernel.width ? 1 : 0;
        case KernelKind::table:
            break;
    }
    return delta < std::ssize(kernel.values) ? kernel.values[static_cast<std::size_t>(delta)]
                                             : Rational(0);
}

Integer denominator_of(const Kernel& kernel) {
    Integer common = denominator(kernel.rate);
    for (const Rational& value : kernel.values) {
        common = lcm(common, Integer(denominator(value)));
    }
    return common;
}

Rational largest_value(const Kernel& kernel) {
    Rational largest = kernel.kind == KernelKind::table ? 0 : 1;
    for (const Rational& value : kernel.values) {
        largest = std::max<Rational>(largest, abs(value));
    }
    return largest;
}

std::string describe(const Kernel& kernel) {
    switch (kernel.kind) {
        case KernelKind::decay:
            return "decay " + kernel.rate.str();
        case KernelKind::window:
            return formatted("the last {} tokens", kernel.width);
        case KernelKind::lag:
            return formatted("the token {} before the last", kernel.width);
        case KernelKind::beyond:
            return formatted("tokens {} and more before the last", kernel.width);
        case KernelKind::table:
            break;
    }
    return formatted("a table of {} values", kernel.values.size());
}

Index gate_rows(const Layer& layer, const LayerInput& input) {
    if (layer.gates != GateForm::vector) {
        return layer.gates == GateForm::none ? 0 : 1;
    }
    return layer.has_own_keys() ? input.phi : input.d;
}

Index num_sums(const Layer& layer) {
    return std::max<Index>(std::ssize(layer.kernels), 1);
}

Index summand_size(const Layer& layer, const LayerInput& input) {
    if (layer.form == TokenForm::degree) {
        return degree_layout(layer, input.d).q();
    }
    return std::ssize(summand(layer, input));
}

FeatureLayout layout_of(const Layer& layer, const LayerInput& input) {
    if (layer.is_linear()) {
        return input.d;
    }
    if (layer.form == TokenForm::supplied) {
        require(input.state >= 1 && input.query >= 1,
                "layer {}: the data have no s and u; store s (N,q) and u (N,m)",
                to_string(layer));
        return all_products(input.state, input.query);
    }
    require(!layer.cross || input.x >= 1,
            "layer {}: the data have no queries x; store x (N,d_x), or (N,n,d_x) for prefixes",
            to_string(layer));
    require(layer.form != TokenForm::mapped || input.phi >= 1,
            "layer {}: the data have no mapped tokens phi; store phi with one row a token",
            to_string(layer));
    require(layer.form != TokenForm::delta || input.phi >= 1,
            "layer {}: the data have no keys; store keys with one row a token, and beta with one "
            "number",
            to_string(layer));
    require(state_entries(layer, input) <= kMostEntries,
            "layer {}: on tokens of dimension {} its state would have {} entries, expected at "
            "most {}; take a smaller dimension, or fewer kernels or degrees",
            to_string(layer),
            input.d,
            state_entries(layer, input),
            kMostEntries);
    if (layer.form == TokenForm::degree) {
        return degree_layout(layer, input.d);
    }
    Multiplicities states;
    for (Index g = 0; g < num_sums(layer); ++g) {
        append(states, summand(layer, input));
    }
    if (layer.affine) {
        states.push_back(1);
    }
    return {states, ones(query_dim(layer, input))};
}

std::string to_string(const Layer& layer) {
    std::vector<std::string> words;
    if (layer.form == TokenForm::supplied) {
        words.emplace_back("moments");
    }
    if (layer.form == TokenForm::mapped) {
        words.emplace_back("mapped");
    }
    if (layer.form == TokenForm::delta) {
        words.emplace_back("delta");
    }
    if (layer.form == TokenForm::degree) {
        words.push_back(
            layer.lowest_degree == layer.highest_degree
                ? formatted("degree={}", layer.highest_degree)
                : formatted("degree={}..{}", layer.lowest_degree, layer.highest_degree));
    }
    if (layer.gates != GateForm::none) {
        words.emplace_back(layer.gates == GateForm::scalar ? "gates" : "gates=vector");
    }
    for (std::size_t first = 0; first < layer.kernels.size();) {
        words.push_back(kernel_word(layer.kernels, first));
    }
    if (layer.cross) {
        words.emplace_back("cross");
    }
    if (layer.affine) {
        words.emplace_back("affine");
    }
    return words.empty() ? "linear" : join(words, " ");
}

}  // namespace attest
