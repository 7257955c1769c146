#include "proofs_check/checker/image.hpp"

#include <algorithm>

namespace attest::checker {
namespace {
Residue reduced(const Integer& value, Residue modulus) {
    return modulus == 0 ? 0 : static_cast<Residue>(Integer((value % modulus + modulus) % modulus));
}

/// x·a + y·b entry by entry; an empty vector is 0.
Residues combination(Residue x, const Residues& a, Residue y, const Residues& b, Residue p) {
    Residues result(std::max(a.size(), b.size()));
    for (std::size_t k = 0; k < result.size(); ++k) {
        result[k] = ((a.empty() ? 0 : x * a[k]) + (b.empty() ? 0 : y * b[k] % p)) % p;
    }
    return result;
}

Image::Kind wider(const Image& a, const Image& b) {
    return std::max(a.kind, b.kind);
}

/// `change` of the three residues, modulo each; of a modulus that is not there nothing.
template <class Change>
Image changed(const Image& a, const Image& b, const Moduli& m, const Change& change) {
    Image result;
    result.kind = wider(a, b);
    result.value = change(a.value, b.value, m.p);
    if (m.q > 0 && result.kind != Image::algebraic) {
        result.exponent = change(a.exponent, b.exponent, m.q);
    }
    if (m.q > 0 && result.kind == Image::integer) {
        result.tower = change(a.tower, b.tower, m.q - 1);
    }
    return result;
}

Residue inverse(Residue a, Residue prime, const char* of) {
    if (a == 0) {
        throw NoImage{std::string("a denominator is 0 modulo ") + of};
    }
    return power(a, prime - 2, prime);
}
}  // namespace

Residue power(Residue base, Residue exponent, Residue modulus) {
    Residue result = 1 % modulus;
    for (base %= modulus; exponent > 0; exponent /= 2) {
        result = exponent % 2 == 1 ? result * base % modulus : result;
        base = base * base % modulus;
    }
    return result;
}

Image image_of(const Integer& value, const Moduli& m) {
    Image image;
    image.value = reduced(value, m.p);
    image.exponent = reduced(value, m.q);
    image.tower = m.q == 0 ? 0 : reduced(value, m.q - 1);
    return image;
}

Image sum(const Image& a, const Image& b, const Moduli& m) {
    Image result =
        changed(a, b, m, [](Residue x, Residue y, Residue modulus) { return (x + y) % modulus; });
    result.slopes = combination(1, a.slopes, 1, b.slopes, m.p);
    return result;
}

Image difference(const Image& a, const Image& b, const Moduli& m) {
    Image result = changed(
        a, b, m, [](Residue x, Residue y, Residue modulus) { return (x + modulus - y) % modulus; });
    result.slopes = combination(1, a.slopes, m.p - 1, b.slopes, m.p);
    return result;
}

Image product(const Image& a, const Image& b, const Moduli& m) {
    Image result =
        changed(a, b, m, [](Residue x, Residue y, Residue modulus) { return x * y % modulus; });
    result.slopes = combination(b.value, a.slopes, a.value, b.slopes, m.p);
    return result;
}

Image quotient(const Image& a, const Image& b, const Moduli& m) {
    Image result;
    result.kind = std::max(wider(a, b), Image::rational);
    const Residue inverted = inverse(b.value, m.p, "the prime");
    result.value = a.value * inverted % m.p;
    if (m.q > 0 && result.kind == Image::rational) {
        result.exponent = a.exponent * inverse(b.exponent, m.q, "q") % m.q;
    }
    // (a/b)' = a'/b − (a/b) b'/b
    const Residue factor = (m.p - result.value) * inverted % m.p;
    result.slopes = combination(inverted, a.slopes, factor, b.slopes, m.p);
    return result;
}

Image power_of_two(const Image& a, const Moduli& m) {
    if (a.kind == Image::algebraic) {
        throw NoImage{"2^x of an algebraic number has no image: softmax is three layers deep"};
    }
    Image result;
    result.value = power(2, a.exponent, m.p);
    result.kind = a.kind == Image::integer ? Image::rational : Image::algebraic;
    if (a.kind == Image::integer) {
        result.exponent = power(2, a.tower, m.q);
    }
    result.slopes = combination(m.logarithm * result.value % m.p, a.slopes, 0, Residues{}, m.p);
    return result;
}
}  // namespace attest::checker
