#pragma once

#include "core/exact/modulus.hpp"

#include <optional>
#include <vector>

namespace attest {

using IntegerVector = VectorOf<Integer>;

/// The fraction a/b ≡ residue (mod modulus) with |a| ≤ bound, 0 < b ≤ bound and gcd(b, modulus) =
/// 1, if there is one. It is unique when 2·bound² < modulus. Wang's algorithm (Wang 1981; von zur
/// Gathen & Gerhard, §5.10).
[[nodiscard]] std::optional<Rational> reconstruct(const Integer& residue,
                                                  const Integer& modulus,
                                                  const Integer& bound);

/// The same with the largest bound for which the answer is unique.
[[nodiscard]] std::optional<Rational> reconstruct(const Integer& residue, const Integer& modulus);

/// A vector known modulo the product of several primes, each entry in [0, modulus).
struct ResidueVector {
    std::vector<Integer> values;
    Integer modulus = 1;
};

/// The vector modulo modulus·p that agrees with both. `residues` has as many entries as the vector,
/// or the vector is still empty; p must not divide the modulus. O(entries · length of the modulus).
[[nodiscard]] ResidueVector combine(ResidueVector known,
                                    const Modulus& p,
                                    const std::vector<Residue>& residues);

/// The vector modulo both moduli, which must be coprime. Cheaper than prime by prime once vectors
/// are long: collect some primes in a short vector, then merge.
[[nodiscard]] ResidueVector merge(ResidueVector known, const ResidueVector& other);

/// The primitive integer vector whose ratios are the fractions of least size behind the residues:
/// numerators and the common denominator at most sqrt(modulus/2). No value when none are that
/// small. A guess at the common denominator saves most of the time when it is right: the entries of
/// related vectors share one.
[[nodiscard]] std::optional<IntegerVector> reconstruct_primitive(const ResidueVector& known,
                                                                 const Integer& guess = 1);

/// The vector divided by the greatest common divisor of its entries, its first nonzero entry made
/// positive.
[[nodiscard]] IntegerVector primitive(IntegerVector v);

}  // namespace attest
