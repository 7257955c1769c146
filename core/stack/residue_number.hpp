#pragma once

#include "core/base/error.hpp"

#include <Eigen/Core>

#include <cstdint>

namespace attest {

/// A number modulo the prime `kPrime` < 2³¹, as a scalar: two operands always share their modulus,
/// and the compiler knows it. Division by 0 throws InvalidInput.
template <std::uint32_t kPrime>
class ResidueNumber {
public:
    static constexpr std::uint32_t kModulus = kPrime;

    constexpr ResidueNumber() = default;

    constexpr explicit ResidueNumber(std::int64_t value) {
        const std::int64_t rest = value % std::int64_t{kPrime};
        value_ = static_cast<std::uint32_t>(rest < 0 ? rest + std::int64_t{kPrime} : rest);
    }

    [[nodiscard]] constexpr std::uint32_t value() const { return value_; }

    constexpr ResidueNumber& operator+=(ResidueNumber other) {
        value_ += other.value_;
        value_ -= value_ >= kPrime ? kPrime : 0U;
        return *this;
    }

    constexpr ResidueNumber& operator-=(ResidueNumber other) {
        value_ += value_ < other.value_ ? kPrime : 0U;
        value_ -= other.value_;
        return *this;
    }

    constexpr ResidueNumber& operator*=(ResidueNumber other) {
        value_ = static_cast<std::uint32_t>(std::uint64_t{value_} * std::uint64_t{other.value_} %
                                            kPrime);
        return *this;
    }

    ResidueNumber& operator/=(ResidueNumber other) {
        require(other.value_ != 0, "ResidueNumber: a denominator is 0 modulo {}", kPrime);
        return *this *= power(other, kPrime - 2);
    }

    friend constexpr ResidueNumber operator+(ResidueNumber a, ResidueNumber b) { return a += b; }

    friend constexpr ResidueNumber operator-(ResidueNumber a, ResidueNumber b) { return a -= b; }

    friend constexpr ResidueNumber operator-(ResidueNumber a) { return ResidueNumber() -= a; }

    friend constexpr ResidueNumber operator*(ResidueNumber a, ResidueNumber b) { return a *= b; }

    friend ResidueNumber operator/(ResidueNumber a, ResidueNumber b) { return a /= b; }

    friend constexpr bool operator==(ResidueNumber, ResidueNumber) = default;

    /// base^exponent.
    [[nodiscard]] static constexpr ResidueNumber power(ResidueNumber base, std::uint64_t exponent) {
        ResidueNumber result(1);
        for (; exponent != 0; exponent >>= 1U) {
            if ((exponent & 1U) != 0) {
                result *= base;
            }
            base *= base;
        }
        return result;
    }

private:
    std::uint32_t value_ = 0;
};

}  // namespace attest

template <std::uint32_t kPrime>
struct Eigen::NumTraits<attest::ResidueNumber<kPrime>>
    : Eigen::GenericNumTraits<attest::ResidueNumber<kPrime>> {
    using Real = attest::ResidueNumber<kPrime>;
    using NonInteger = Real;
    using Nested = Real;
    using Literal = Real;

    // NOLINTBEGIN(readability-identifier-naming): Eigen's names
    enum {
        IsInteger = 1,
        IsSigned = 0,
        IsComplex = 0,
        RequireInitialization = 1,
        ReadCost = 1,
        AddCost = 2,
        MulCost = 4
    };

    // NOLINTEND(readability-identifier-naming)
};
