#pragma once

#include "core/exact/modulus.hpp"

#include <type_traits>

namespace attest {

/// How a layer's features are computed: in a field of numbers (double, 50 digits, rationals). The
/// other arithmetics have the same members.
template <class Scalar>
struct FieldArithmetic {
    using Value = Scalar;

    [[nodiscard]] Value zero() const { return Value(0); }

    [[nodiscard]] Value one() const { return Value(1); }

    [[nodiscard]] Value number(double x) const { return Value(x); }

    [[nodiscard]] Value number(const Rational& x) const {
        if constexpr (std::is_same_v<Value, Rational>) {
            return x;
        } else {
            return x.template convert_to<Value>();
        }
    }

    [[nodiscard]] Value add(const Value& a, const Value& b) const { return a + b; }

    [[nodiscard]] Value multiply(const Value& a, const Value& b) const { return a * b; }
};

/// Modulo a prime that divides no denominator. The modulus must outlive it.
class ResidueArithmetic {
public:
    using Value = Residue;

    explicit ResidueArithmetic(const Modulus& p) : p_(p) {}

    [[nodiscard]] static Value zero() { return 0; }

    [[nodiscard]] static Value one() { return 1; }

    [[nodiscard]] Value number(double x) const { return p_.reduce(x); }

    [[nodiscard]] Value number(const Rational& x) const {
        return p_.multiply(p_.reduce(Integer(numerator(x))),
                           p_.inverse(p_.reduce(Integer(denominator(x)))));
    }

    [[nodiscard]] Value add(Value a, Value b) const { return p_.add(a, b); }

    [[nodiscard]] Value multiply(Value a, Value b) const { return p_.multiply(a, b); }

private:
    const Modulus& p_;
};

}  // namespace attest
