#pragma once

#include "core/layers/layer.hpp"

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// One word of a layer's text, for people.
struct LayerWord {
    std::string_view usage;     ///< "decay=γ1,γ2,…"
    std::string_view formula;   ///< what it makes of s or u
    std::string_view example;   ///< a text that can be given to layer_named
    std::string_view known_as;  ///< where people have met it
};

/// Every word that layer_named knows, `linear` first.
[[nodiscard]] const std::vector<LayerWord>& layer_words();

/// Whose coordinate it is.
enum class CoordinateKind : std::uint8_t {
    token,     ///< of z
    mapped,    ///< of φ
    asking,    ///< of x
    state,     ///< of a supplied s
    query,     ///< of a supplied u
    constant,  ///< the 1 in front of affine tokens
};

/// One coordinate of a data set, from 0.
struct Coordinate {
    CoordinateKind kind = CoordinateKind::token;
    Index number = 0;

    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the comparison's 0 for a pointer
    friend auto operator<=>(const Coordinate&, const Coordinate&) = default;
};

/// An entry of s or u as people write it: "S_12", "z_3".
struct EntryWord {
    std::string symbol;  ///< "S", "M", "z", …, with the number of the sum where there are several
    std::vector<Coordinate> coordinates;  ///< none: the symbol is all there is
    bool ordered = false;                 ///< whether M_12 and M_21 differ

    friend bool operator==(const EntryWord&, const EntryWord&) = default;
};

/// Indices count from 1; the constant of affine tokens is 0.
[[nodiscard]] std::string to_string(const EntryWord& word);

/// The features of a layer in words, S = Z Zᵀ (weighed by the layer's kernel or gates), M = Σ z φᵀ
/// or, with gates a coordinate, Σ z zᵀ, z, φ or x what asks; of `degree` S_123 is a sum of
/// monomials; supplied moments are s_1 u_2.
class FeatureWords {
public:
    FeatureWords(const Layer& layer, const LayerInput& input);

    /// Of the paper's layer.
    // NOLINTNEXTLINE(google-explicit-constructor): a dimension stands for the paper's layer
    FeatureWords(Index d) : FeatureWords(Layer{}, {.d = d}) {}

    [[nodiscard]] const FeatureLayout& layout() const { return layout_; }

    [[nodiscard]] const EntryWord& state(Index p) const {
        return states_[static_cast<std::size_t>(p)];
    }

    [[nodiscard]] const EntryWord& query(Index l) const {
        return queries_[static_cast<std::size_t>(l)];
    }

    /// "S_12 z_3", 0 ≤ i < ψ.
    [[nodiscard]] std::string feature(Index i) const;

private:
    FeatureLayout layout_;
    std::vector<EntryWord> states_;
    std::vector<EntryWord> queries_;
};

}  // namespace attest
