#pragma once

#include "core/algebra/matrix.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

namespace attest {

/// A double that counts the multiplications done with it, for counted running times. One counter a
/// thread.
class Counted {
public:
    Counted() = default;

    Counted(double value) : value_(value) {}

    [[nodiscard]] double value() const { return value_; }

    [[nodiscard]] static std::int64_t& count() {
        thread_local std::int64_t total = 0;
        return total;
    }

    Counted& operator+=(const Counted& other) {
        value_ += other.value_;
        return *this;
    }

    Counted& operator-=(const Counted& other) {
        value_ -= other.value_;
        return *this;
    }

    Counted& operator*=(const Counted& other) {
        ++count();
        value_ *= other.value_;
        return *this;
    }

    Counted& operator/=(const Counted& other) {
        value_ /= other.value_;
        return *this;
    }

    friend Counted operator+(Counted a, const Counted& b) { return a += b; }

    friend Counted operator-(Counted a, const Counted& b) { return a -= b; }

    friend Counted operator*(Counted a, const Counted& b) { return a *= b; }

    friend Counted operator/(Counted a, const Counted& b) { return a /= b; }

    friend Counted operator-(const Counted& a) { return {-a.value_}; }

    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the comparison's 0 for a pointer
    friend auto operator<=>(const Counted&, const Counted&) = default;

    friend Counted sqrt(const Counted& a) { return {std::sqrt(a.value_)}; }

    friend Counted abs(const Counted& a) { return {std::abs(a.value_)}; }

private:
    double value_ = 0.0;
};

/// Multiplications of Counted numbers while `work` runs.
template <class Work>
[[nodiscard]] std::int64_t multiplications(const Work& work) {
    const std::int64_t before = Counted::count();
    work();
    return Counted::count() - before;
}

}  // namespace attest

template <>
struct Eigen::NumTraits<attest::Counted> : Eigen::GenericNumTraits<attest::Counted> {
    using Real = attest::Counted;
    using NonInteger = attest::Counted;
    using Nested = attest::Counted;
    using Literal = attest::Counted;

    // NOLINTBEGIN(readability-identifier-naming): Eigen's names
    enum : int {
        IsComplex = 0,
        IsInteger = 0,
        IsSigned = 1,
        RequireInitialization = 1,
        ReadCost = 1,
        AddCost = 1,
        MulCost = 1
    };

    // NOLINTEND(readability-identifier-naming)

    static Real epsilon() { return {std::numeric_limits<double>::epsilon()}; }

    static Real dummy_precision() { return {1e-12}; }

    static Real highest() { return {std::numeric_limits<double>::max()}; }

    static Real lowest() { return {std::numeric_limits<double>::lowest()}; }

    static int digits10() { return std::numeric_limits<double>::digits10; }
};
