#pragma once

#include "core/stack/residue_number.hpp"

namespace attest {

/// The image of a real number that integers, + − × ÷ and x ↦ 2^x give, at most two 2^x deep, under
/// a ring homomorphism to the integers modulo p = 4194287 (docs/depth.md, "Softmax by integers").
/// p = 2q + 1 with q prime, and 2 has the order q modulo p, so that 2^(a/b) ↦ 2^(a·b⁻¹ mod q).
/// An *integer* is known modulo p, q and q − 1; a *rational* modulo p and q; an *algebraic* number
/// modulo p. Throws InvalidInput where a denominator vanishes in a modulus that is still asked for,
/// and NotAvailable for 2^x of an algebraic x, whose image nothing proved gives.
class PowerNumber {
public:
    static constexpr std::uint32_t kPrime = 4194287;
    static constexpr std::uint32_t kOrder = (kPrime - 1) / 2;  ///< q, of 2 modulo p
    using Image = ResidueNumber<kPrime>;

    PowerNumber() = default;

    explicit PowerNumber(std::int64_t value)
        : image_(value), exponent_(value), exponent_of_exponent_(value) {}

    /// The image modulo p.
    [[nodiscard]] Image image() const { return image_; }

    PowerNumber& operator+=(const PowerNumber& other) {
        image_ += other.image_;
        exponent_ += other.exponent_;
        exponent_of_exponent_ += other.exponent_of_exponent_;
        return widen(other);
    }

    PowerNumber& operator-=(const PowerNumber& other) {
        image_ -= other.image_;
        exponent_ -= other.exponent_;
        exponent_of_exponent_ -= other.exponent_of_exponent_;
        return widen(other);
    }

    PowerNumber& operator*=(const PowerNumber& other) {
        image_ *= other.image_;
        exponent_ *= other.exponent_;
        exponent_of_exponent_ *= other.exponent_of_exponent_;
        return widen(other);
    }

    PowerNumber& operator/=(const PowerNumber& other) {
        image_ /= other.image_;
        widen(other);
        if (kind_ != Kind::algebraic) {
            exponent_ /= other.exponent_;
            kind_ = Kind::rational;
        }
        return *this;
    }

    friend PowerNumber operator+(PowerNumber a, const PowerNumber& b) { return a += b; }

    friend PowerNumber operator-(PowerNumber a, const PowerNumber& b) { return a -= b; }

    friend PowerNumber operator-(const PowerNumber& a) { return PowerNumber() -= a; }

    friend PowerNumber operator*(PowerNumber a, const PowerNumber& b) { return a *= b; }

    friend PowerNumber operator/(PowerNumber a, const PowerNumber& b) { return a /= b; }

    /// 2^x.
    friend PowerNumber exponential(const PowerNumber& x) {
        PowerNumber result;
        if (x.kind_ == Kind::algebraic) {
            throw NotAvailable(
                "PowerNumber: a third layer of softmax has no image that is proved; "
                "use floating point");
        }
        result.image_ = Image::power(Image(2), x.exponent_.value());
        if (x.kind_ == Kind::integer) {
            result.exponent_ = Exponent::power(Exponent(2), x.exponent_of_exponent_.value());
            result.kind_ = Kind::rational;
        } else {
            result.kind_ = Kind::algebraic;
        }
        return result;
    }

private:
    enum class Kind : std::uint8_t { integer, rational, algebraic };
    using Exponent = ResidueNumber<kOrder>;
    /// q − 1 is no prime; only + − × are asked of it.
    using ExponentOfExponent = ResidueNumber<kOrder - 1>;

    PowerNumber& widen(const PowerNumber& other) {
        kind_ = kind_ > other.kind_ ? kind_ : other.kind_;
        return *this;
    }

    Image image_;
    Exponent exponent_;                        ///< modulo q; nothing where algebraic
    ExponentOfExponent exponent_of_exponent_;  ///< modulo q − 1; nothing but where integer
    Kind kind_ = Kind::integer;
};

}  // namespace attest

template <>
struct Eigen::NumTraits<attest::PowerNumber> : Eigen::GenericNumTraits<attest::PowerNumber> {
    using Real = attest::PowerNumber;
    using NonInteger = Real;
    using Nested = Real;
    using Literal = Real;

    // NOLINTBEGIN(readability-identifier-naming): Eigen's names
    enum {
        IsInteger = 0,
        IsSigned = 1,
        IsComplex = 0,
        RequireInitialization = 1,
        ReadCost = 1,
        AddCost = 6,
        MulCost = 12
    };

    // NOLINTEND(readability-identifier-naming)
};
