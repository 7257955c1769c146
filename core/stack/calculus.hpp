#pragma once

#include "core/base/error.hpp"
#include "core/exact/scalars.hpp"
#include "core/stack/power_number.hpp"
#include "core/stack/residue_number.hpp"

#include <cmath>
#include <concepts>
#include <cstdint>
#include <utility>

namespace attest {

// What a forward pass asks of a number besides + − × ÷, and the numbers that derivatives are made
// of. Values and derivatives may be of two kinds: of a PowerNumber only the image is
// differentiated.

/// The kind of a derivative of a value, and the map from values to it, a ring homomorphism.
template <class Value>
struct Calculus {
    using Tangent = Value;

    [[nodiscard]] static const Tangent& image(const Value& value) { return value; }
};

template <>
struct Calculus<PowerNumber> {
    using Tangent = PowerNumber::Image;

    [[nodiscard]] static Tangent image(const PowerNumber& value) { return value.image(); }

    /// ln 2: transcendental, so that any residue is an image of it.
    [[nodiscard]] static Tangent logarithm_of_base() { return Tangent(1234577); }
};

/// The prime of derivatives of rationals: 2²² − 3, so that products go through dgemm.
inline constexpr std::uint32_t kStackPrime = 4194301;

template <>
struct Calculus<Rational> {
    using Tangent = ResidueNumber<kStackPrime>;

    [[nodiscard]] static Tangent image(const Rational& value) {
        const Integer p(kStackPrime);
        return Tangent(static_cast<std::int64_t>(Integer(numerator(value) % p))) /
               Tangent(static_cast<std::int64_t>(Integer(denominator(value) % p)));
    }
};

template <>
struct Calculus<double> {
    using Tangent = double;

    [[nodiscard]] static double image(double value) { return value; }

    [[nodiscard]] static double logarithm_of_base() { return 1.0; }
};

template <class Value>
using TangentOf = typename Calculus<Value>::Tangent;

[[nodiscard]] inline double exponential(double x) {
    return std::exp(x);
}

/// A value and its derivative in one direction: forward differentiation.
template <class Value>
struct Dual {
    using Tangent = TangentOf<Value>;

    Value value{};
    Tangent tangent{};

    Dual() = default;

    template <std::integral Whole>
    explicit Dual(Whole constant) : value(static_cast<Value>(constant)), tangent(0) {}

    explicit Dual(Value constant) : value(std::move(constant)), tangent(0) {}

    Dual(Value at, Tangent derivative) : value(std::move(at)), tangent(std::move(derivative)) {}

    Dual& operator+=(const Dual& other) {
        value += other.value;
        tangent += other.tangent;
        return *this;
    }

    Dual& operator-=(const Dual& other) {
        value -= other.value;
        tangent -= other.tangent;
        return *this;
    }

    friend Dual operator+(Dual a, const Dual& b) { return a += b; }

    friend Dual operator-(Dual a, const Dual& b) { return a -= b; }

    friend Dual operator*(const Dual& a, const Dual& b) {
        return {a.value * b.value, image(a.value) * b.tangent + a.tangent * image(b.value)};
    }

    friend Dual operator/(const Dual& a, const Dual& b) {
        const Value quotient = a.value / b.value;
        return {quotient, (a.tangent - image(quotient) * b.tangent) / image(b.value)};
    }

    Dual& operator*=(const Dual& other) { return *this = *this * other; }

    [[nodiscard]] static Tangent image(const Value& at) { return Calculus<Value>::image(at); }
};

/// exp(x), or 2^x of a PowerNumber; other numbers have none.
template <class Value>
requires requires {
    Calculus<Value>::logarithm_of_base();
}

[[nodiscard]] Dual<Value> exponential(const Dual<Value>& x) {
    const Value e = exponential(x.value);
    return {e, Calculus<Value>::logarithm_of_base() * Dual<Value>::image(e) * x.tangent};
}

}  // namespace attest

template <class Value>
struct Eigen::NumTraits<attest::Dual<Value>> : Eigen::GenericNumTraits<attest::Dual<Value>> {
    using Real = attest::Dual<Value>;
    using NonInteger = Real;
    using Nested = Real;
    using Literal = Real;

    // NOLINTBEGIN(readability-identifier-naming): Eigen's names
    enum {
        IsInteger = 0,
        IsSigned = 1,
        IsComplex = 0,
        RequireInitialization = 1,
        ReadCost = 2,
        AddCost = 2,
        MulCost = 6
    };

    // NOLINTEND(readability-identifier-naming)
};
