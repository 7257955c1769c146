#include "core/exact/modulus.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/exact/modular_matrix.hpp"

#include <bit>
#include <limits>

namespace attest {

Modulus::Modulus(std::uint64_t prime)
    : p_(prime), bits_(static_cast<unsigned>(std::bit_width(prime))) {
    require(prime % 2 == 1 && prime < (std::uint64_t{1} << 63U) && is_prime(prime),
            "Modulus: got {}, expected an odd prime below 2^63",
            prime);
    // bits = 63 gives 2^(2·bits) = 2^126, which Wide holds.
    reciprocal_ = static_cast<std::uint64_t>((static_cast<Wide>(1) << (2U * bits_)) / p_);
}

Residue Modulus::reduce_halves(Wide low, Wide high) const {
    const auto two_to_64 = static_cast<Residue>((static_cast<Wide>(1) << 64U) % p_);
    return add(static_cast<Residue>(low % p_),
               multiply(static_cast<Residue>(high % p_), two_to_64));
}

// Two sums of 64-bit halves: neither can overflow 128 bits for any count that fits in memory.

Residue Modulus::dot(const Residue* a, const Residue* b, Index count) const {
    Wide low = 0;
    Wide high = 0;
    for (Index i = 0; i < count; ++i) {
        const Wide product = static_cast<Wide>(a[i]) * b[i];
        low += static_cast<std::uint64_t>(product);
        high += static_cast<std::uint64_t>(product >> 64U);
    }
    return reduce_halves(low, high);
}

Residue Modulus::dot(std::span<const SparseEntry> row, const Residue* v) const {
    Wide low = 0;
    Wide high = 0;
    for (const SparseEntry& entry : row) {
        const Wide product = static_cast<Wide>(v[entry.column]) * entry.value;
        low += static_cast<std::uint64_t>(product);
        high += static_cast<std::uint64_t>(product >> 64U);
    }
    return reduce_halves(low, high);
}

Residue Modulus::power(Residue a, std::uint64_t exponent) const {
    Residue result = 1;
    for (; exponent != 0; exponent /= 2) {
        if (exponent % 2 == 1) {
            result = multiply(result, a);
        }
        a = multiply(a, a);
    }
    return result;
}

Residue Modulus::inverse(Residue a) const {
    require(a % p_ != 0, "Modulus::inverse: zero has no inverse");
    return power(a, p_ - 2);
}

Residue Modulus::reduce(std::int64_t value) const {
    const auto p = static_cast<std::int64_t>(p_);
    const std::int64_t rest = value % p;
    return static_cast<Residue>(rest < 0 ? rest + p : rest);
}

Residue Modulus::reduce(const Integer& value) const {
    // GMP's floor remainder lies in [0, p) for either sign.
    return mpz_fdiv_ui(value.backend().data(), p_);
}

Residue Modulus::reduce(double value) const {
    return reduce(dyadic(value));
}

Residue Modulus::reduce(const Dyadic& value) const {
    const Residue mantissa = reduce(value.mantissa);
    if (value.exponent == 0) {
        return mantissa;
    }
    // 2^e for e < 0 is the (−e)-th power of (p + 1)/2, the inverse of 2.
    const Residue base = value.exponent > 0 ? 2 : (p_ + 1) / 2;
    const auto steps =
        static_cast<std::uint64_t>(value.exponent > 0 ? value.exponent : -value.exponent);
    return multiply(mantissa, power(base, steps));
}

std::int64_t Modulus::balanced(Residue a) const {
    return a > p_ / 2 ? static_cast<std::int64_t>(a) - static_cast<std::int64_t>(p_)
                      : static_cast<std::int64_t>(a);
}

std::uint64_t previous_prime(std::uint64_t bound) {
    require(bound > 3, "previous_prime: there is no odd prime below the bound");
    std::uint64_t candidate = bound % 2 == 0 ? bound - 1 : bound - 2;
    while (!is_prime(candidate)) {
        candidate -= 2;
    }
    return candidate;
}

}  // namespace attest
