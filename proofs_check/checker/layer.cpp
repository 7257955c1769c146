#include "proofs_check/checker/layer.hpp"

namespace attest::checker {
namespace {
constexpr std::size_t kLongestLayer = 1 << 20;  // characters
constexpr std::size_t kMostDigits = 1000;
constexpr std::size_t kMostKernels = 1000;

using Words = std::vector<std::string_view>;

Words split(std::string_view text, char separator) {
    Words words;
    for (std::size_t end = 0; end != std::string_view::npos;) {
        end = text.find(separator);
        words.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? 0 : end + 1);
    }
    return words;
}

/// As FORMAT.md spells integers.
std::optional<Integer> read_integer(std::string_view text) {
    const std::string_view digits = text.substr(text.substr(0, 1) == "-" ? 1 : 0);
    const bool plain = !digits.empty() && digits.size() <= kMostDigits &&
                       digits.find_first_not_of("0123456789") == std::string_view::npos;
    if (!plain || (digits[0] == '0' && text.size() > 1)) {
        return {};
    }
    return Integer{std::string(text)};
}

std::optional<Index> read_index(std::string_view text, Index least, Index last) {
    const std::optional<Integer> value = read_integer(text);
    if (!value || *value < least || *value > last) {
        return {};
    }
    return static_cast<Index>(*value);
}

/// In lowest terms; a denominator of 1 is not written.
std::optional<Rational> read_rational(std::string_view text) {
    const Words parts = split(text, '/');
    const std::optional<Integer> above = read_integer(parts[0]);
    const std::optional<Integer> below = parts.size() == 2 ? read_integer(parts[1]) : Integer(1);
    if (parts.size() > 2 || !above || !below || (parts.size() == 2 && *below <= 1) ||
        gcd(*above, *below) != 1) {
        return {};
    }
    return Rational(*above, *below);
}

/// The words of a layer, taken from the first to the last.
struct LayerText {
    Words words;
    std::size_t next = 0;
    Layer layer{};

    [[nodiscard]] bool done() const { return next == words.size(); }

    bool take(std::string_view word) {
        const bool found = !done() && words[next] == word;
        next += found ? 1 : 0;
        return found;
    }

    /// What follows the name and =, if the next word begins so.
    std::optional<std::string_view> parameters(std::string_view name) {
        if (done() || words[next].substr(0, name.size()) != name) {
            return {};
        }
        return words[next++].substr(name.size());
    }

    bool add_decay(std::string_view text) {
        const std::optional<Rational> rate = read_rational(text);
        if (!rate || *rate <= 0 || *rate > 1) {
            return false;
        }
        layer.kernels.push_back({.rate = *rate});
        layer.rate_denominator = lcm(layer.rate_denominator, Integer(denominator(*rate)));
        return true;
    }

    bool add_window(std::string_view text) {
        const std::optional<Index> width = read_index(text, 1, 1000000);
        layer.kernels.push_back({.to = width.value_or(0)});
        return width.has_value();
    }

    bool add_table(std::string_view text) {
        Kernel kernel;
        for (const std::string_view entry : split(text, ':')) {
            const std::optional<Rational> value = read_rational(entry);
            if (!value) {
                return false;
            }
            kernel.values.push_back(*value);
            layer.table_denominator = lcm(layer.table_denominator, Integer(denominator(*value)));
        }
        layer.kernels.push_back(kernel);
        return true;
    }

    bool add_lags(std::string_view text) {
        const std::optional<Index> lags = read_index(text, 1, kMostKernels - 1);
        for (Index lag = 0; lag < lags.value_or(0); ++lag) {
            layer.kernels.push_back({.from = lag, .to = lag + 1});
        }
        layer.kernels.push_back({.from = lags.value_or(0)});
        return lags.has_value();
    }

    /// All kernel words. Two neighbours of one kind would be one word, but for lags.
    bool add_kernels() {
        using Add = bool (LayerText::*)(std::string_view);
        constexpr std::pair<std::string_view, Add> kinds[]{{"decay=", &LayerText::add_decay},
                                                           {"window=", &LayerText::add_window},
                                                           {"table=", &LayerText::add_table}};
        layer.kernels.clear();
        std::string_view before;
        for (bool found = true; found && layer.kernels.size() <= kMostKernels;) {
            found = false;
            for (const auto& [name, add] : kinds) {
                if (const auto list = name == before ? std::nullopt : parameters(name)) {
                    for (const std::string_view text : split(*list, ',')) {
                        if (!(this->*add)(text)) {
                            return false;
                        }
                    }
                    found = true;
                    before = name;
                }
            }
            if (const auto lags = parameters("lags=")) {
                if (!add_lags(*lags)) {
                    return false;
                }
                found = true;
                before = "lags=";
            }
        }
        return layer.kernels.size() <= kMostKernels;
    }

    bool set_degrees(std::string_view text) {
        const std::size_t dots = text.find("..");
        const bool one = dots == std::string_view::npos;
        const std::optional<Index> last = read_index(one ? text : text.substr(dots + 2), 0, 12);
        const std::optional<Index> first =
            one || !last ? last : read_index(text.substr(0, dots), 0, *last - 1);
        layer.graded = true;
        layer.first_degree = first.value_or(0);
        layer.last_degree = last.value_or(0);
        return first.has_value();
    }

    /// Is every word known, in its place, and with others that it goes with?
    bool parse() {
        layer.moments = take("moments");
        layer.mapped = take("mapped");
        layer.delta = !layer.mapped && take("delta");
        if (const auto degrees = parameters("degree=")) {
            return words.size() == 1 && set_degrees(*degrees);
        }
        layer.vector_gates = take("gates=vector");
        layer.gated = layer.vector_gates || take("gates");
        if (!add_kernels()) {
            return false;
        }
        const bool kernels = !layer.kernels.empty();
        if (!kernels) {
            layer.kernels.emplace_back();
        }
        layer.cross = take("cross");
        layer.affine = take("affine");
        const bool more = layer.affine || (layer.cross && !layer.delta);
        return done() && !(layer.moments && words.size() > 1) &&
               !((layer.gated || layer.delta) && kernels) &&
               !((layer.mapped || layer.delta || layer.vector_gates) && more);
    }
};
}  // namespace

std::optional<Layer> parse_layer(std::string_view text) {
    if (text.size() > kLongestLayer) {
        return {};
    }
    LayerText layer{split(text, ' ')};
    return layer.parse() ? std::optional(layer.layer) : std::nullopt;
}
}  // namespace attest::checker
