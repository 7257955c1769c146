#include "core/exact/lift.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <utility>

namespace attest {

namespace {

/// The representative of x modulo m in (−m/2, m/2].
Integer symmetric(const Integer& x, const Integer& m) {
    Integer rest = x % m;
    if (rest < 0) {
        rest += m;
    }
    return 2 * rest > m ? Integer(rest - m) : rest;
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
    Integer r1 = residue % modulus;
    if (r1 < 0) {
        r1 += modulus;
    }
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
            concat("combine: got ", residues.size(), " residues, expected ", known.values.size()));
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

std::optional<IntegerVector> reconstruct_primitive(const ResidueVector& known) {
    const Integer bound = uniqueness_bound(known.modulus);
    const auto size = static_cast<Index>(known.values.size());
    IntegerVector v(size);
    Integer denominator = 1;
    for (Index i = 0; i < size; ++i) {
        // Most entries need no Euclid: the denominator so far already clears them.
        const Integer scaled(known.values[static_cast<std::size_t>(i)] * denominator);
        v(i) = symmetric(scaled, known.modulus);
        if (abs(v(i)) <= bound) {
            continue;
        }
        const std::optional<Rational> x = reconstruct(v(i), known.modulus, bound);
        if (!x) {
            return std::nullopt;
        }
        const Integer factor(boost::multiprecision::denominator(*x));
        v(i) = boost::multiprecision::numerator(*x);
        v.head(i) *= factor;
        denominator *= factor;
        if (denominator > bound) {
            return std::nullopt;
        }
    }
    for (Index i = 0; i < size; ++i) {
        if (abs(v(i)) > bound) {
            return std::nullopt;
        }
    }
    return primitive(std::move(v));
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
