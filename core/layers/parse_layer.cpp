#include "core/layers/parse_layer.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/exact/dyadic.hpp"
#include "core/exact/reals.hpp"
#include "core/layers/other_layers.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <optional>
#include <string>

namespace attest {

namespace {

constexpr Index kMostKernels = 1000;
constexpr Index kLongestTable = 4096;
constexpr std::int64_t kLargestOddPart = 1000000000000;
constexpr Index kLargestWidth = 1000000;
constexpr Index kLargestDegree = 12;

std::vector<std::string> split(std::string_view text, char between) {
    std::vector<std::string> parts{""};
    for (const char letter : text) {
        if (letter == between) {
            parts.emplace_back();
        } else {
            parts.back() += letter;
        }
    }
    return parts;
}

[[noreturn]] void refuse(const std::string& word, std::string_view expected) {
    throw InvalidInput(formatted("layer: got '{}', expected {}", word, expected));
}

Index integer_from(const std::string& word, std::string_view text, Index least, Index most) {
    const std::optional<Index> value = parse_number<Index>(text);
    if (!value || *value < least || *value > most) {
        refuse(word, formatted("an integer from {} to {}", least, most));
    }
    return *value;
}

/// The number that a parameter spells. The odd part of its denominator is limited: no prime that an
/// exact route draws may divide it.
Rational number_from(const std::string& word, std::string_view text, std::string_view expected) {
    const std::optional<Rational> number = rational_from(text);
    if (!number) {
        refuse(word, expected);
    }
    const Integer below(denominator(*number));
    if (Integer(below >> static_cast<unsigned>(lsb(below))) > kLargestOddPart) {
        refuse(word, "denominators up to 1000000000000, or powers of two");
    }
    return *number;
}

void add_decays(Layer& layer, const std::string& word, std::string_view parameters) {
    for (const std::string& text : split(parameters, ',')) {
        const std::string_view expected = "decays above 0 and at most 1, as 31/32 or 0.96875";
        const Rational rate = number_from(word, text, expected);
        if (rate.sign() <= 0 || rate > 1) {
            refuse(word, expected);
        }
        layer.kernels.push_back({.kind = KernelKind::decay, .rate = rate});
    }
}

void add_windows(Layer& layer, const std::string& word, std::string_view parameters) {
    for (const std::string& text : split(parameters, ',')) {
        layer.kernels.push_back(
            {.kind = KernelKind::window, .width = integer_from(word, text, 1, kLargestWidth)});
    }
}

void add_lags(Layer& layer, const std::string& word, std::string_view parameters) {
    const Index count = integer_from(word, parameters, 1, kMostKernels - 1);
    for (Index lag = 0; lag < count; ++lag) {
        layer.kernels.push_back({.kind = KernelKind::lag, .width = lag});
    }
    layer.kernels.push_back({.kind = KernelKind::beyond, .width = count});
}

void add_tables(Layer& layer, const std::string& word, std::string_view parameters) {
    for (const std::string& column : split(parameters, ',')) {
        Kernel kernel{.kind = KernelKind::table};
        for (const std::string& text : split(column, ':')) {
            kernel.values.push_back(number_from(
                word, text, "numbers separated by colons, tables by commas, as table=1:1/2,1:0:1"));
        }
        layer.kernels.push_back(std::move(kernel));
    }
}

/// cos ωδ and sin ωδ for δ < L as tables of the nearest doubles, found from 50 digits so that they
/// are the same on every machine.
void add_rotations(Layer& layer, const std::string& word, std::string_view parameters) {
    const std::string_view expected = "frequencies and a length, as rotary=1,1/100:64";
    const std::size_t colon = parameters.find(':');
    if (colon == std::string_view::npos) {
        refuse(word, expected);
    }
    const Index length = integer_from(word, parameters.substr(colon + 1), 1, kLongestTable);
    for (const std::string& text : split(parameters.substr(0, colon), ',')) {
        const std::optional<Rational> frequency = rational_from(text);
        if (!frequency) {
            refuse(word, expected);
        }
        const auto omega = frequency->convert_to<Real50>();
        Kernel cosine{.kind = KernelKind::table};
        Kernel sine{.kind = KernelKind::table};
        for (Index delta = 0; delta < length; ++delta) {
            const Real50 angle = omega * delta;
            cosine.values.push_back(to_rational(static_cast<double>(Real50(cos(angle)))));
            sine.values.push_back(to_rational(static_cast<double>(Real50(sin(angle)))));
        }
        layer.kernels.push_back(std::move(cosine));
        layer.kernels.push_back(std::move(sine));
    }
}

void set_degree(Layer& layer, const std::string& word, std::string_view parameters) {
    layer.form = TokenForm::degree;
    const std::size_t dots = parameters.find("..");
    const std::string_view last =
        dots == std::string_view::npos ? parameters : parameters.substr(dots + 2);
    layer.highest_degree = integer_from(word, last, 0, kLargestDegree);
    layer.lowest_degree =
        dots == std::string_view::npos
            ? layer.highest_degree
            : integer_from(word, parameters.substr(0, dots), 0, layer.highest_degree);
}

void set_gates(Layer& layer, const std::string& word, std::string_view parameters) {
    if (!parameters.empty() && parameters != "scalar" && parameters != "vector") {
        refuse(word, "gates (one number a token) or gates=vector");
    }
    layer.gates = parameters == "vector" ? GateForm::vector : GateForm::scalar;
}

struct Word {
    std::string_view name;
    bool needs_parameters;
    bool takes_parameters;
    void (*read)(Layer& layer, const std::string& word, std::string_view parameters);
};

constexpr auto kWords = std::to_array<Word>({
    {"linear", false, false, [](Layer&, const std::string&, std::string_view) {}},
    {"decay", true, true, add_decays},
    {"window", true, true, add_windows},
    {"lags", true, true, add_lags},
    {"table", true, true, add_tables},
    {"rotary", true, true, add_rotations},
    {"gates", false, true, set_gates},
    {"affine",
     false,
     false,
     [](Layer& l, const std::string&, std::string_view) { l.affine = true; }},
    {"cross", false, false, [](Layer& l, const std::string&, std::string_view) { l.cross = true; }},
    {"mapped",
     false,
     false,
     [](Layer& l, const std::string&, std::string_view) { l.form = TokenForm::mapped; }},
    {"delta",
     false,
     false,
     [](Layer& l, const std::string&, std::string_view) { l.form = TokenForm::delta; }},
    {"degree", true, true, set_degree},
    {"moments",
     false,
     false,
     [](Layer& l, const std::string&, std::string_view) { l.form = TokenForm::supplied; }},
});

void read_word(Layer& layer, const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const std::string_view parameters = equals == std::string::npos
                                            ? std::string_view()
                                            : std::string_view(word).substr(equals + 1);
    const auto* const known = std::find_if(
        std::begin(kWords), std::end(kWords), [&](const Word& w) { return w.name == name; });
    if (known == std::end(kWords)) {
        if (const std::string way = way_to_ask(name); !way.empty()) {
            throw UnknownName(
                formatted("layer: got '{}', which is no word of the family: {}", name, way));
        }
        std::vector<std::string> names;
        names.reserve(kWords.size());
        for (const Word& w : kWords) {
            names.emplace_back(w.name);
        }
        throw UnknownName(unknown_name_message("layer", name, names));
    }
    if (known->needs_parameters && parameters.empty()) {
        refuse(word, formatted("{}=…; see attest layers", name));
    }
    if (!known->takes_parameters && equals != std::string::npos) {
        refuse(word, formatted("{} without parameters", name));
    }
    known->read(layer, word, parameters);
}

/// Words that have no meaning together.
void check_together(const Layer& layer, std::string_view text) {
    const auto refuse_both = [&](bool both, std::string_view why) {
        require(!both, "layer '{}': {}", text, why);
    };
    const bool kernels = !layer.kernels.empty();
    const bool gates = layer.gates != GateForm::none;
    const bool degree = layer.form == TokenForm::degree;
    const bool mapped = layer.form == TokenForm::mapped;
    const bool supplied = layer.form == TokenForm::supplied;
    const bool delta = layer.form == TokenForm::delta;
    refuse_both(std::ssize(layer.kernels) > kMostKernels,
                formatted("at most {} kernels", kMostKernels));
    refuse_both(gates && kernels, "recorded gates stand instead of kernels; give one of them");
    refuse_both(supplied && layer != Layer{.form = TokenForm::supplied},
                "with moments s and u are the data's own; give no other word");
    refuse_both(degree && (kernels || gates || layer.affine || layer.cross),
                "degree goes with no other word; degree=0..p has the lower degrees");
    refuse_both(
        mapped && (layer.affine || layer.cross),
        "put the constant or the queries into phi yourself; mapped goes with kernels or gates");
    refuse_both(
        delta && (kernels || layer.affine),
        "delta goes with gates and cross; a decay is a gate, a constant a row of the tokens");
    refuse_both(layer.gates == GateForm::vector && (layer.affine || (layer.cross && !delta)),
                "gates=vector goes with mapped or delta only; use gates");
}

constexpr std::size_t kMostDigits = 40;

bool all_digits(std::string_view text) {
    return !text.empty() && text.size() <= kMostDigits &&
           std::all_of(
               text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// A leading zero would make the library read octal digits.
Integer decimal(std::string_view digits) {
    const std::size_t first = digits.find_first_not_of('0');
    return first == std::string_view::npos ? Integer(0)
                                           : Integer(std::string(digits.substr(first)));
}

}  // namespace

Layer layer_named(std::string_view text) {
    Layer layer;
    bool any = false;
    for (const std::string& word : split(text, ' ')) {
        if (!word.empty()) {
            read_word(layer, word);
            any = true;
        }
    }
    require(any, "layer: got an empty text, expected for example 'linear' or 'decay=1,31/32'");
    check_together(layer, text);
    return layer;
}

std::optional<Rational> rational_from(std::string_view text) {
    const bool negative = text.starts_with('-');
    text.remove_prefix(negative ? 1 : 0);
    const std::size_t slash = text.find('/');
    const std::size_t point = text.find('.');
    if (slash != std::string_view::npos && point != std::string_view::npos) {
        return std::nullopt;
    }
    std::string digits(text.substr(0, std::min(slash, point)));
    std::string below = "1";
    if (slash != std::string_view::npos) {
        below = text.substr(slash + 1);
    } else if (point != std::string_view::npos) {
        const std::string_view decimals = text.substr(point + 1);
        if (!all_digits(decimals)) {
            return std::nullopt;
        }
        digits += decimals;
        below += std::string(decimals.size(), '0');
    }
    if (!all_digits(digits) || !all_digits(below)) {
        return std::nullopt;
    }
    const Integer denominator = decimal(below);
    if (denominator == 0) {
        return std::nullopt;
    }
    const Rational value(decimal(digits), denominator);
    return negative ? Rational(-value) : value;
}

}  // namespace attest
