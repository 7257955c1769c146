#include "core/exact/lift.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <utility>

namespace attest {

namespace {

/// x modulo m in [0, m).
Integer residue_of(const Integer& x, const Integer& m) {
    const Integer rest = x % m;
    return rest < 0 ? Integer(rest + m) : rest;
}

/// The representative of x modulo m in (−m/2, m/2].
Integer symmetric(const Integer& x, const Integer& m) {
    const Integer rest = residue_of(x, m);
    return 2 * rest > m ? Integer(rest - m) : rest;
}

/// 1/a modulo m; a and m are coprime.
Integer inverse_modulo(const Integer& a, const Integer& m) {
    Integer inverse;
    const int exists = mpz_invert(inverse.backend().data(), a.backend().data(), m.backend().data());
    require(exists != 0, "merge: the moduli are not coprime");
    return inverse;
}

Integer uniqueness_bound(const Integer& modulus) {
    // The largest B with 2B² < modulus.
    return sqrt(Integer((modulus - 1) / 2));
}

}  // namespace

std::optional<Rational> reconstruct(const Integer& residue,
                                    const Integer& modulus,
                                    const Integer& bound) {
    require(modulus > 1 && bound >= 0, "reconstruct: the modulus must exceed 1");
    // Extended Euclid on (modulus, residue): every remainder r_i ≡ t_i·residue. Stop at the first
    // r_i ≤ bound.
    Integer r0 = modulus;
    Integer r1 = residue_of(residue, modulus);
    Integer t0 = 0;
    Integer t1 = 1;
    while (r1 > bound) {
        const Integer q = r0 / r1;
        r0 = std::exchange(r1, Integer(r0 - q * r1));
        t0 = std::exchange(t1, Integer(t0 - q * t1));
    }
    if (abs(t1) > bound || gcd(r1, t1) != 1) {
        return std::nullopt;
    }
    return t1 < 0 ? Rational(Integer(-r1), Integer(-t1)) : Rational(r1, t1);
}

std::optional<Rational> reconstruct(const Integer& residue, const Integer& modulus) {
    return reconstruct(residue, modulus, uniqueness_bound(modulus));
}

ResidueVector combine(ResidueVector known, const Modulus& p, const std::vector<Residue>& residues) {
    if (known.values.empty()) {
        known.values.assign(residues.size(), Integer(0));
    }
    require(known.values.size() == residues.size(),
            "combine: got {} residues, expected {}",
            residues.size(),
            known.values.size());
    // Garner: x + M·((r − x)/M mod p).
    const Residue inverse = p.inverse(p.reduce(known.modulus));
    for (std::size_t i = 0; i < residues.size(); ++i) {
        Integer& x = known.values[i];
        const Residue digit = p.multiply(p.subtract(residues[i], p.reduce(x)), inverse);
        x += known.modulus * Integer(digit);
    }
    known.modulus *= Integer(p.prime());
    return known;
}

ResidueVector merge(ResidueVector known, const ResidueVector& other) {
    if (known.values.empty()) {
        return other;
    }
    require(known.values.size() == other.values.size(), "merge: the vectors differ in length");
    const Integer inverse = inverse_modulo(known.modulus, other.modulus);
    for (std::size_t i = 0; i < other.values.size(); ++i) {
        Integer& x = known.values[i];
        const Integer gap(other.values[i] - x % other.modulus);
        x += known.modulus * residue_of(gap * inverse, other.modulus);
    }
    known.modulus *= other.modulus;
    return known;
}

std::optional<IntegerVector> reconstruct_primitive(const ResidueVector& known,
                                                   const Integer& guess) {
    const Integer bound = uniqueness_bound(known.modulus);
    const auto size = static_cast<Index>(known.values.size());
    IntegerVector v(size);
    Integer denominator = guess;
    for (Index i = 0; i < size && denominator <= bound; ++i) {
        // Most entries need no Euclid: the denominator so far already clears them.
        const Integer scaled(known.values[static_cast<std::size_t>(i)] * denominator);
        v(i) = symmetric(scaled, known.modulus);
        if (abs(v(i)) <= bound) {
            continue;
        }
        const std::optional<Rational> x = reconstruct(v(i), known.modulus, bound);
        if (!x) {
            denominator = bound + 1;
            break;
        }
        const Integer factor(boost::multiprecision::denominator(*x));
        v(i) = boost::multiprecision::numerator(*x);
        v.head(i) *= factor;
        denominator *= factor;
    }
    const auto fits = [&](const Integer& entry) { return abs(entry) <= bound; };
    if (denominator <= bound && std::all_of(v.begin(), v.end(), fits)) {
        return primitive(std::move(v));
    }
    return guess == 1 ? std::nullopt : reconstruct_primitive(known);
}

IntegerVector primitive(IntegerVector v) {
    Integer divisor = 0;
    for (Index i = 0; i < v.size(); ++i) {
        divisor = gcd(divisor, v(i));
    }
    if (divisor == 0) {
        return v;
    }
    for (Index i = 0; i < v.size(); ++i) {
        if (v(i) != 0) {
            divisor = v(i) < 0 ? Integer(-divisor) : divisor;
            break;
        }
    }
    for (Index i = 0; i < v.size(); ++i) {
        v(i) /= divisor;
    }
    return v;
}

}  // namespace attest
