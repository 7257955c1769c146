#pragma once

#include "core/base/shape.hpp"

#include <string>
#include <vector>

namespace attest {

/// A law on finitely many dyadic numbers, exactly: atom i has the value numerator·2^−bits and the
/// probability weight·2^−64. One random word gives one draw, by comparison with a table of
/// integers.
class GridLaw {
public:
    struct Atom {
        std::int64_t numerator;
        std::uint64_t weight;
    };

    /// Atoms with weight 0 are dropped. Throws InvalidInput unless numerators ascend strictly
    /// within ±2⁵³, 0 ≤ bits ≤ 40, and at least two positive weights sum to 2⁶⁴.
    GridLaw(std::string name, Index bits, const std::vector<Atom>& atoms);

    /// The draw that belongs to a word: the first atom whose cumulative weight exceeds it.
    [[nodiscard]] double value(std::uint64_t word) const;

    /// E[xᵐ], exactly. Scalar is an exact field (Rational). O(atoms · order).
    template <class Scalar>
    [[nodiscard]] Scalar moment(Index order) const;

    /// The law of x + shift, on the coarsest grid that holds both. Throws InvalidInput unless shift
    /// is a multiple of 2⁻⁴⁰.
    [[nodiscard]] GridLaw shifted(double shift) const;

    /// The law of factor·x rounded to the coarsest grid not coarser, in proportion, than this one:
    /// the numerators grow by a factor below 2, exactly when factor is a power of two. Throws
    /// InvalidInput unless 0 < factor and the grid stays within 2^−40.
    [[nodiscard]] GridLaw scaled(double factor) const;

    [[nodiscard]] const std::string& name() const { return name_; }

    [[nodiscard]] Index bits() const { return bits_; }

    [[nodiscard]] std::vector<Atom> atoms() const;
    /// The largest |numerator|.
    [[nodiscard]] std::int64_t largest() const;
    /// The longest sequence whose cubic features are exact in double: n·largest³ ≤ 2⁵³. 0 if none
    /// is.
    [[nodiscard]] Index exact_feature_length() const;

private:
    std::string name_;
    Index bits_;
    double unit_;                            ///< 2^−bits
    std::vector<std::int64_t> numerators_;   ///< ascending
    std::vector<std::uint64_t> last_words_;  ///< the largest word of each atom
    std::vector<std::uint32_t> guide_;  ///< first atom that a word with these upper bits can meet
};

template <class Scalar>
Scalar GridLaw::moment(Index order) const {
    Scalar total(0);
    for (const Atom& atom : atoms()) {
        Scalar term(atom.weight);
        for (Index m = 0; m < order; ++m) {
            term *= Scalar(atom.numerator);
        }
        total += term;
    }
    Scalar scale(std::uint64_t{1} << 32U);
    scale *= scale;
    for (Index m = 0; m < order; ++m) {
        scale *= Scalar(std::uint64_t{1} << static_cast<std::uint64_t>(bits_));
    }
    return total / scale;
}

}  // namespace attest
