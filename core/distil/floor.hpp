#pragma once

#include "core/data/dataset.hpp"
#include "core/exact/rational.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace attest {

/// What a floor rests on.
enum class FloorBasis : std::uint8_t {
    exact,      ///< it is the least risk, over Q for the doubles of the file
    rigorous,   ///< a lower bound of it, every rounding accounted for
    numerical,  ///< the least risk as floating point finds it: proves nothing
};
[[nodiscard]] std::string_view to_string(FloorBasis basis);

/// How hard is tried for a basis.
enum class FloorEffort : std::uint8_t {
    automatic,  ///< exact where it takes seconds, else rigorous, else numerical
    exact,
    rigorous,
    numerical,
};
[[nodiscard]] FloorEffort floor_effort_named(std::string_view name);

/// A risk (1/N) Σ ‖ŷ − y‖² that no member of the layer's family passes below.
struct RiskFloor {
    FloorBasis basis = FloorBasis::numerical;
    double value = 0.0;   ///< never above `proved` where that is proved: rounded down
    Rational proved = 0;  ///< exact or rigorous; else 0
    std::string note;     ///< one line for people: how it was found, or why not better
};

/// The floor under the training risk of coefficients on labelled data; P (ψ×o) is a minimiser as
/// floating point finds it, `risk` its risk. Exact: least_risk. Rigorous: with Λ ⪰ λ·I, λ > 0
/// (enclose_lambda_min), and g the gradient residue (1/N) Σ H (P̂ᵀH − y)ᵀ of a P̂ rounded to 60
/// bits, the least risk is risk(P̂) − tr gᵀΛ⁻¹g ≥ risk(P̂) − ‖g‖²/λ, risk and g over the integers;
/// never below 0. Throws InvalidInput where an effort asked for by name does not succeed.
[[nodiscard]] RiskFloor risk_floor(const Dataset& data,
                                   const Matrix& P,
                                   double risk,
                                   FloorEffort effort);

/// The largest double that is at most the value.
[[nodiscard]] double rounded_down(const Rational& value);

}  // namespace attest
