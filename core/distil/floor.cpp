#include "core/distil/floor.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/choice.hpp"
#include "core/base/text.hpp"
#include "core/certify/enclosure.hpp"
#include "core/certify/integer_features.hpp"
#include "core/certify/least_risk.hpp"
#include "core/exact/dyadic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace attest {

namespace {

constexpr Choices<FloorBasis, 3> kBases{{{FloorBasis::exact, "exact"},
                                         {FloorBasis::rigorous, "rigorous"},
                                         {FloorBasis::numerical, "numerical"}}};
constexpr Choices<FloorEffort, 4> kEfforts{{{FloorEffort::automatic, "auto"},
                                            {FloorEffort::exact, "exact"},
                                            {FloorEffort::rigorous, "rigorous"},
                                            {FloorEffort::numerical, "numerical"}}};

/// Bits of the rounded coefficients: what is rounded away enters the bound squared.
constexpr int kCoefficientBits = 60;
/// Work that automatic effort takes on, in the units of the two functions below: about four and
/// eight seconds (ψ = 126 took 10.6 s exactly, ψ = 288 took 1.3 s rigorously, both of 800
/// examples).
constexpr double kExactWork = 4e8;
constexpr double kRigorousWork = 2e9;

/// Coefficients as integers in units of 2^exponent.
struct GridCoefficients {
    MatrixOf<Integer> P;
    int exponent = 0;
};

GridCoefficients grid_coefficients(const Matrix& P) {
    const double largest = P.cwiseAbs().maxCoeff();
    GridCoefficients rounded{MatrixOf<Integer>::Zero(P.rows(), P.cols()), 0};
    if (is_zero(largest)) {
        return rounded;
    }
    rounded.exponent = std::ilogb(largest) + 1 - kCoefficientBits;
    for (Index k = 0; k < P.size(); ++k) {
        rounded.P.data()[k] = Integer(std::llround(std::ldexp(P.data()[k], -rounded.exponent)));
    }
    return rounded;
}

/// Risk of coefficients and the squared norm of (1/N) Σ H (PᵀH − y)ᵀ, exactly.
struct ExactRisk {
    Rational risk = 0;
    Rational gradient = 0;
};

ExactRisk exact_risk(const Dataset& data, const GridCoefficients& rounded) {
    const FeatureRows scales(data, FeatureColumns::features_and_labels);
    const MatrixOf<Integer> rows = integer_features(data, FeatureColumns::features_and_labels);
    const Index psi = rounded.P.rows();
    int common = scales.row_exponent(0);
    for (Index i = 1; i < rows.rows(); ++i) {
        common = std::max(common, scales.row_exponent(i));
    }
    // In units of 2^(unit − common): residuals are PᵀH − y, P in units of 2^exponent.
    const int unit = std::min(rounded.exponent, 0);
    const Integer P_factor = Integer(1) << (rounded.exponent - unit);
    const Integer y_factor = Integer(1) << -unit;
    Integer squares = 0;
    MatrixOf<Integer> gradient = MatrixOf<Integer>::Zero(psi, rounded.P.cols());
    for (Index i = 0; i < rows.rows(); ++i) {
        const int missing = common - scales.row_exponent(i);
        for (Index a = 0; a < rounded.P.cols(); ++a) {
            Integer residual = -rows(i, psi + a) * y_factor;
            for (Index j = 0; j < psi; ++j) {
                residual += rows(i, j) * rounded.P(j, a) * P_factor;
            }
            residual <<= missing;
            squares += residual * residual;
            for (Index j = 0; j < psi; ++j) {
                gradient(j, a) += residual * (rows(i, j) << missing);
            }
        }
    }
    Integer gradient_squares = 0;
    for (Index k = 0; k < gradient.size(); ++k) {
        gradient_squares += gradient.data()[k] * gradient.data()[k];
    }
    const Rational N(rows.rows());
    return {Rational(squares) * power_of_two(2 * (unit - common)) / N,
            Rational(gradient_squares) * power_of_two(2 * (unit - common) - 2 * common) / (N * N)};
}

RiskFloor proved_floor(FloorBasis basis, const Rational& value, std::string note) {
    return {basis, rounded_down(value), value, std::move(note)};
}

std::optional<RiskFloor> exact_floor(const Dataset& data) {
    const LeastRisk found = least_risk(data);
    if (found.verdict == LabelConsistency::undecided) {
        return std::nullopt;
    }
    return proved_floor(FloorBasis::exact, found.risk, found.reason);
}

std::optional<RiskFloor> rigorous_floor(const Dataset& data, const Matrix& P) {
    if (FeatureRows(data).odd_base() != 1 || data.num_examples() < P.rows()) {
        return std::nullopt;
    }
    const LambdaMinEnclosure enclosure = enclose_lambda_min(exact_second_moment(data));
    if (!enclosure.proves_full_rank()) {
        return std::nullopt;
    }
    const ExactRisk at = exact_risk(data, grid_coefficients(P));
    const Rational gap = at.gradient / to_rational(enclosure.lo);
    const Rational floor = std::max(Rational(0), Rational(at.risk - gap));
    return proved_floor(
        FloorBasis::rigorous,
        floor,
        formatted("the least risk is at most {} above it", six_digits(gap.convert_to<double>())));
}

/// Products of machine words that elimination and lifting take, roughly: determinants of ψ×ψ
/// matrices of b-bit numbers have ψ b bits.
double exact_work(const Dataset& data) {
    const auto psi = static_cast<double>(data.layout().psi());
    const FeatureRows rows(data, FeatureColumns::features_and_labels);
    const double words = static_cast<double>(rows.entry_bits()) / 64.0 + 1.0;
    const auto N = static_cast<double>(data.num_examples());
    return words * words * psi * psi * N + words * psi * psi * psi * psi;
}

double rigorous_work(const Dataset& data) {
    const auto psi = static_cast<double>(data.layout().psi());
    const FeatureRows rows(data);
    const double words = static_cast<double>(rows.entry_bits()) / 64.0 + 1.0;
    return words * psi * psi * (static_cast<double>(data.num_examples()) + psi);
}

}  // namespace

std::string_view to_string(FloorBasis basis) {
    return name_of(kBases, basis);
}

FloorEffort floor_effort_named(std::string_view name) {
    return choice_named("--floor", name, kEfforts);
}

double rounded_down(const Rational& value) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    auto nearest = value.convert_to<double>();
    while (to_rational(nearest) > value) {
        nearest = std::nextafter(nearest, -kInfinity);
    }
    for (double next = std::nextafter(nearest, kInfinity); to_rational(next) <= value;
         next = std::nextafter(next, kInfinity)) {
        nearest = next;
    }
    return nearest;
}

RiskFloor risk_floor(const Dataset& data, const Matrix& P, double risk, FloorEffort effort) {
    const bool automatic = effort == FloorEffort::automatic;
    if (effort == FloorEffort::exact || (automatic && exact_work(data) <= kExactWork)) {
        if (std::optional<RiskFloor> floor = exact_floor(data)) {
            return *std::move(floor);
        }
        require(automatic, "the exact floor is undecided; take --floor rigorous");
    }
    if (effort == FloorEffort::rigorous || (automatic && rigorous_work(data) <= kRigorousWork)) {
        if (std::optional<RiskFloor> floor = rigorous_floor(data, P)) {
            return *std::move(floor);
        }
        require(automatic,
                "a rigorous floor needs features of full rank and parameters of the layer that are "
                "dyadic; take --floor exact or numerical");
    }
    return {FloorBasis::numerical,
            risk,
            0,
            "too large for exact arithmetic, or not of full rank: the risk of the least-squares "
            "solution"};
}

}  // namespace attest
