#pragma once

#include "core/base/shape.hpp"
#include "core/exact/scalars.hpp"

#include <map>
#include <vector>

namespace attest {

/// A polynomial with rational coefficients in numbered variables: from each monomial, the sorted
/// list of its variables, to its coefficient, which is not 0.
using Polynomial = std::map<std::vector<Index>, Rational>;

/// The arithmetic in which a layer's features become polynomials in the entries of its input.
struct PolynomialArithmetic {
    using Value = Polynomial;

    [[nodiscard]] static Value variable(Index number) { return {{{number}, Rational(1)}}; }

    // Like every arithmetic it is asked through an object: others hold a modulus.
    // NOLINTBEGIN(readability-convert-member-functions-to-static)
    [[nodiscard]] Value zero() const { return {}; }

    [[nodiscard]] Value one() const { return {{{}, Rational(1)}}; }

    [[nodiscard]] Value number(const Rational& x) const {
        return x == 0 ? Value() : Value{{{}, x}};
    }

    [[nodiscard]] Value add(const Value& a, const Value& b) const;
    [[nodiscard]] Value multiply(const Value& a, const Value& b) const;
    // NOLINTEND(readability-convert-member-functions-to-static)
};

/// Of every entry of pack(S): 2 for the pairs, 1 for the squares. d(d+1)/2 entries.
[[nodiscard]] std::vector<Index> packed_multiplicity(Index d);

/// The monomials of one degree in d variables, each as the sorted list of its factors, in
/// lexicographic order: for d = 2, degree 2: {0,0}, {0,1}, {1,1}. C(d + degree − 1, degree) of
/// them; the only one of degree 0 is the empty product.
[[nodiscard]] std::vector<std::vector<Index>> monomials(Index d, Index degree);

/// In how many orders the factors of a monomial can be written: degree! / Π (repetitions)!.
[[nodiscard]] Index orders(const std::vector<Index>& factors);

}  // namespace attest
