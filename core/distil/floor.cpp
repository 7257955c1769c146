#include "core/distil/floor.hpp"

#include "core/algebra/dense_least_squares.hpp"
#include "core/base/bitwise.hpp"
#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/certify/least_risk.hpp"
#include "core/certify/numerical/enclosure.hpp"
#include "core/certify/rank/exact_features.hpp"
#include "core/data/sources/moments.hpp"
#include "core/exact/dyadic.hpp"
#include "core/features/predict.hpp"
#include "core/solve/solvers.hpp"

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
constexpr double kExactSeconds = 1e-8;  // of a unit
constexpr double kRigorousSeconds = 4e-9;

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

/// The least risk of the data's layer on these labels.
Risk least_squares_risk(Dataset data, const Matrix& labels) {
    data.y = labels;
    data.truth = {};
    if (data.labels == LabelKind::none) {
        data.labels = LabelKind::per_sequence;
    }
    const DatasetSource source(data);
    return empirical_risk(fit_least_squares(source, "svd", {}).P, source);
}

double mean_square(const Vector& values) {
    return values.squaredNorm() / static_cast<double>(values.size());
}

/// Cov over the tokens of a value and of weights, both columns of one example.
Vector covariance(const Matrix& values, const Vector& weights) {
    const Vector centred = weights.array() - weights.mean();
    return values * centred / static_cast<double>(weights.size());
}

/// Functions that a normalised head moves by at second order, and ½ V Cov(z, a²) beside them; row
/// i·o + a is output a of example i.
struct SecondOrder {
    Matrix freedom;
    Vector target;
};

SecondOrder second_order(const SoftmaxLayer& layer, const Dataset& data) {
    const Head& head = layer.heads.front();
    const Index o = layer.o;
    const Index D = layer.d + 1;
    const std::vector<AttendedTokens> examples = attended_tokens(data);
    const Index rows = o * std::ssize(examples);
    SecondOrder found{Matrix::Zero(rows, o * D + D * D + D), Vector(rows)};
    for (Index i = 0; i < std::ssize(examples); ++i) {
        const auto [first, count, query] = examples[static_cast<std::size_t>(i)];
        const Matrix Z = data.tokens.middleCols(first, count);
        const Matrix lifted = with_constant(Z);
        const Vector asking = with_constant(data.tokens.col(query));
        const Matrix values = head.V * Z;
        const Vector scores = layer.tau * (Z.transpose() * (head.Q * data.tokens.col(query)));
        const Vector mean = lifted.rowwise().mean();
        const Vector covariant = covariance(values, scores);
        for (Index j = 0; j < D; ++j) {
            found.freedom.block(i * o, j * o, o, o) = mean(j) * Matrix::Identity(o, o);
            const Vector spread = covariance(values, lifted.row(j).transpose());
            for (Index k = 0; k < D; ++k) {
                found.freedom.block(i * o, o * D + j * D + k, o, 1) = spread * asking(k);
            }
            found.freedom.block(i * o, o * D + D * D + j, o, 1) = asking(j) * covariant;
        }
        found.target.segment(i * o, o) = 0.5 * covariance(values, scores.cwiseAbs2());
    }
    return found;
}

constexpr std::size_t kTerms = 3;

/// Values and scores of one head on one example.
struct HeadOnTokens {
    Matrix values;  ///< V z̃_t, o×n
    Vector scores;  ///< τ z̃_tᵀ Q z̃
};

double diameter(const Matrix& columns) {
    double largest = 0.0;
    for (Index s = 0; s < columns.cols(); ++s) {
        for (Index t = 0; t < s; ++t) {
            largest = std::max(largest, (columns.col(s) - columns.col(t)).norm());
        }
    }
    return largest;
}

void add_head(ScoreSeries& series, const HeadOnTokens& head, Index i) {
    const auto n = static_cast<double>(head.scores.size());
    const Vector mean = head.values.rowwise().mean();
    const Vector centred = head.scores.array() - head.scores.mean();
    series.terms[0].col(i) += mean;
    series.terms[1].col(i) += head.values * centred / n;
    // κ(x, a, a) = E (x − E x)(a − E a)².
    series.terms[2].col(i) += (head.values.colwise() - mean) * centred.cwiseAbs2() / (2.0 * n);
    // |Cov| ≤ D/2·R/2 (Popoviciu); |E (x − μ)(a − ā)²| ≤ D·R²/4; κ(x,a,a,a) = E (x − μ)(a − ā)³ −
    // 3 Var(a) Cov(x,a), at most D R·R²/4 + 3·R²/4·D R/4.
    const double D = diameter(head.values);
    const double R = head.scores.maxCoeff() - head.scores.minCoeff();
    series.remainders[0](i) += D * R / 4.0;
    series.remainders[1](i) += D * R * R / 4.0 / 2.0;
    series.remainders[2](i) += D * R * R * R * 7.0 / 16.0 / 6.0;
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

double floor_seconds(const Dataset& data, FloorEffort effort) {
    const bool automatic = effort == FloorEffort::automatic;
    if (effort == FloorEffort::exact || (automatic && exact_work(data) <= kExactWork)) {
        return kExactSeconds * exact_work(data);
    }
    if (effort == FloorEffort::rigorous || (automatic && rigorous_work(data) <= kRigorousWork)) {
        return kRigorousSeconds * rigorous_work(data);
    }
    return 0.0;
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

LeadingRisk leading_risk(const SoftmaxLayer& layer, const Dataset& data) {
    const ScoreSeries series = score_series(layer, data);
    for (std::size_t k = 0; k < series.terms.size(); ++k) {
        const Risk left = least_squares_risk(data, series.terms[k]);
        if (left.relative > kNoResidual) {
            return {
                2 * static_cast<int>(k), left.risk, std::sqrt(mean_square(series.remainders[k]))};
        }
    }
    throw InvalidInput(
        "leading risk: the layer's features have all terms of the series to second order");
}

LeadingRisk normalised_leading_risk(const SoftmaxLayer& layer, const Dataset& data) {
    require(
        layer.heads.size() == 1 && !layer.biased && layer.direct.size() == 0 && data.d() == layer.d,
        "normalised leading risk: got {} heads on {} entries, expected one without biases on {}",
        layer.heads.size(),
        data.d(),
        layer.d);
    const SecondOrder found = second_order(layer, data);
    const double threshold =
        static_cast<double>(found.freedom.rows()) * std::numeric_limits<double>::epsilon();
    const Matrix X = eigen_cod(found.freedom, found.target, threshold).X;
    const Vector left = found.freedom * X - found.target;
    return {4, left.squaredNorm() / static_cast<double>(attended_tokens(data).size()), 0.0};
}

ScoreSeries score_series(const SoftmaxLayer& layer, const Dataset& data) {
    require(data.d() == layer.d,
            "score series: the tokens have {} entries, expected {} as the layer's weights",
            data.d(),
            layer.d);
    const Matrix lifted = lifted_tokens(layer, data.tokens.view());
    const std::vector<AttendedTokens> examples = attended_tokens(data);
    const Index N = std::ssize(examples);
    ScoreSeries series{std::vector<Matrix>(kTerms, Matrix::Zero(layer.o, N)),
                       std::vector<Vector>(kTerms, Vector::Zero(N))};
    for (Index i = 0; i < N; ++i) {
        const auto [first, count, query] = examples[static_cast<std::size_t>(i)];
        const Matrix seen = lifted.middleCols(first, count);
        const Vector asking = lifted.col(query);
        for (const Head& head : layer.heads) {
            add_head(
                series, {head.V * seen, layer.tau * (seen.transpose() * (head.Q * asking))}, i);
        }
        if (layer.direct.size() > 0) {
            series.terms[0].col(i) += layer.direct * asking;
        }
    }
    return series;
}

}  // namespace attest
