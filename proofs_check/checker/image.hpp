#pragma once
#include "proofs_check/checker/parse.hpp"

#include <cstdint>

namespace attest::checker {
using Residue = std::uint64_t;
using Residues = std::vector<Residue>;

/// Residues modulo the prime P < 2^31 of a proof about a stack, and with softmax the exponents
/// modulo q = (P − 1)/2 and q − 1 (FORMAT.md §8, "Images").
struct Moduli {
    Residue p = 0;
    Residue q = 0;          ///< 0: no softmax
    Residue logarithm = 0;  ///< λ
};

/// A number and its derivatives by all parameters, modulo P; none of them: all 0.
struct Image {
    enum Kind : std::uint8_t { integer, rational, algebraic };

    Residue value = 0;     ///< modulo P
    Residue exponent = 0;  ///< modulo q, unless algebraic
    Residue tower = 0;     ///< modulo q − 1, of integers
    Kind kind = integer;
    Residues slopes;
};

/// Thrown where no image is defined, as a denominator vanishes or x in 2^x is algebraic, and where
/// a matrix grows too large.
struct NoImage {
    std::string reason;
};

/// The integer, without derivatives.
[[nodiscard]] Image image_of(const Integer& value, const Moduli& m);
[[nodiscard]] Image sum(const Image& a, const Image& b, const Moduli& m);
[[nodiscard]] Image difference(const Image& a, const Image& b, const Moduli& m);
[[nodiscard]] Image product(const Image& a, const Image& b, const Moduli& m);
[[nodiscard]] Image quotient(const Image& a, const Image& b, const Moduli& m);
/// 2^a, whose derivative is λ·2^a·a'.
[[nodiscard]] Image power_of_two(const Image& a, const Moduli& m);

[[nodiscard]] Residue power(Residue base, Residue exponent, Residue modulus);
}  // namespace attest::checker
