#pragma once

#include "core/base/choice.hpp"
#include "core/data/dataset.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace attest {

/// The label kinds a task with labels can have.
inline constexpr Choices<LabelKind, 2> kLabelKinds{
    {{LabelKind::per_sequence, "per_sequence"}, {LabelKind::per_prefix, "per_prefix"}}};

/// How the labels of one sequence were computed.
enum class LabelArithmetic : std::uint8_t {
    exact,        ///< in 128-bit integers, then rounded to double once
    fixed_order,  ///< in double, by loops whose order of operations never changes
};

[[nodiscard]] std::string_view to_string(LabelArithmetic arithmetic);

/// Labels MHLA_Θ(Z) of Definition 2.1 at the last column, or at every prefix; the same bits on
/// every machine.
class Labeller {
public:
    /// `input_bits`: tokens may be multiples of 2^−input_bits, 0 ≤ input_bits ≤ 40.
    Labeller(Parameters theta, Index input_bits);

    /// Exact when Θ lies on multiples of 2⁻²⁰, Z on multiples of 2^−input_bits, and
    /// H·d³·n·max|V|·max|Q|·max|z|³ in their numerators, a bound of every sum, is below 2¹²⁶;
    /// otherwise fixed_order.
    [[nodiscard]] LabelArithmetic arithmetic(const Matrix& Z) const;

    /// o×1 (per_sequence) or o×n (per_prefix). Z is d×n, n ≥ 1. O(n d² + H d²), for prefixes O(n H
    /// d²). Throws InvalidInput for LabelKind::none or another d.
    [[nodiscard]] Matrix labels(const Matrix& Z, LabelKind kind) const;

    [[nodiscard]] const Parameters& theta() const { return theta_; }

private:
    Parameters theta_;
    double input_unit_;                   ///< 2^input_bits
    std::optional<double> theta_growth_;  ///< H·d³·max|V|·max|Q|; none if Θ is off the grid
};

}  // namespace attest
