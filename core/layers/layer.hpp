#pragma once

#include "core/exact/scalars.hpp"
#include "core/layers/feature_layout.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

enum class KernelKind : std::uint8_t {
    decay,   ///< rate^δ
    window,  ///< 1 for δ < width, else 0
    lag,     ///< 1 for δ = width, else 0
    beyond,  ///< 1 for δ ≥ width, else 0
    table,   ///< values[δ], 0 beyond the table
};

/// How much a token counts δ tokens later: κ(δ), δ = 0 for the last token of a sequence or prefix.
struct Kernel {
    KernelKind kind = KernelKind::decay;
    Rational rate = 1;
    Index width = 0;
    std::vector<Rational> values = {};

    friend bool operator==(const Kernel&, const Kernel&) = default;
};

/// κ(δ), δ ≥ 0.
[[nodiscard]] Rational value_at(const Kernel& kernel, Index delta);

/// Least common multiple of the denominators of κ's parameters.
[[nodiscard]] Integer denominator_of(const Kernel& kernel);

/// The largest |κ(δ)|; every κ(δ) is at most 1 for decays, windows and lags.
[[nodiscard]] Rational largest_value(const Kernel& kernel);

/// "γ = 31/32", "last 4 tokens", for people.
[[nodiscard]] std::string describe(const Kernel& kernel);

/// What a token contributes to the sum.
enum class TokenForm : std::uint8_t {
    square,    ///< pack(z zᵀ), asked by z
    mapped,    ///< vec(z φᵀ) with columns φ of the data's own, asked by φ
    degree,    ///< the monomials of degree p + 1 of z, asked by those of degree p
    delta,     ///< vec(z kᵀ) with recorded keys k, whose strengths β make what was there fade
    supplied,  ///< no tokens: state and query features are the data's own
};

/// How tokens before the last fade.
enum class GateForm : std::uint8_t {
    none,    ///< as the kernels say
    scalar,  ///< by one recorded factor a token
    vector,  ///< by one recorded factor a token and coordinate of φ, k or z, on the key's side
};

/// One layer of the family y = Pᵀ(s ⊗ u): what an example's state s sums over its tokens and which
/// query features u ask it. Made by layer_named; the default is the paper's.
struct Layer {
    TokenForm form = TokenForm::square;
    bool affine = false;  ///< tokens z̃ = (1, z), and a constant behind the sums
    bool cross = false;   ///< a column x of its own asks, not a token
    GateForm gates = GateForm::none;
    std::vector<Kernel> kernels =
        {};                    ///< one sum each, one after the other; empty: one, all tokens alike
    Index lowest_degree = 1;   ///< TokenForm::degree: p from lowest …
    Index highest_degree = 1;  ///< … to highest

    friend bool operator==(const Layer&, const Layer&) = default;

    /// The layer of the paper: every token of the sequence counts alike, the last one asks.
    [[nodiscard]] bool is_linear() const { return *this == Layer{}; }

    /// The key of a token is a recorded column, φ or k, and not the token.
    [[nodiscard]] bool has_own_keys() const {
        return form == TokenForm::mapped || form == TokenForm::delta;
    }
};

/// Sizes that a data set brings: token dimension d, rows of x, φ or keys, s and u where it has
/// them.
struct LayerInput {
    Index d = 0;
    Index x = 0;      ///< cross
    Index phi = 0;    ///< mapped; delta: of a key
    Index state = 0;  ///< supplied
    Index query = 0;  ///< supplied
};

/// Recorded factors a token has; 0 without gates.
[[nodiscard]] Index gate_rows(const Layer& layer, const LayerInput& input);

/// Number of sums over the tokens: one a kernel, else one.
[[nodiscard]] Index num_sums(const Layer& layer);

/// Entries of what one token adds to each sum.
[[nodiscard]] Index summand_size(const Layer& layer, const LayerInput& input);

/// The layer's features on such data. Throws InvalidInput where the data lack what it needs, or
/// where a state would have more than 2^25 entries.
[[nodiscard]] FeatureLayout layout_of(const Layer& layer, const LayerInput& input);

/// Its text: words in a fixed order, numbers as reduced fractions. "linear" for the paper's.
[[nodiscard]] std::string to_string(const Layer& layer);

}  // namespace attest
