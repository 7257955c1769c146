#include "core/algebra/residual_ratio.hpp"
#include "core/base/bitwise.hpp"
#include "core/certify/numerical/enclosure.hpp"
#include "core/certify/numerical/spectrum.hpp"
#include "core/certify/rank/exact_rank.hpp"
#include "core/data/dataset.hpp"
#include "core/exact/dyadic.hpp"
#include "core/features/predict.hpp"
#include "core/moments/power_scale.hpp"
#include "core/moments/triangular_factor.hpp"
#include "core/rng/sample.hpp"
#include "core/solve/accuracy.hpp"
#include "core/solve/solvers.hpp"
#include "tests/reference/elimination.hpp"
#include "tests/reference/features.hpp"
#include "tests/reference/least_squares.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/present_solvers.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace attest::test {

namespace {

[[nodiscard]] inline reference::Rows rows_of(const Matrix& A) {
    reference::Rows rows =
        reference::zeros(static_cast<std::size_t>(A.rows()), static_cast<std::size_t>(A.cols()));
    for (Index i = 0; i < A.rows(); ++i) {
        for (Index j = 0; j < A.cols(); ++j) {
            rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = to_rational(A(i, j));
        }
    }
    return rows;
}

/// H of every sequence, its last token the query.
[[nodiscard]] inline reference::Rows features_of(const Dataset& data) {
    reference::Rows H;
    for (Index i = 0; i < data.num_sequences(); ++i) {
        H.push_back(reference::reference_cubic_features(rows_of(data.sequence(i))));
    }
    return H;
}

/// The squares of the symmetric norm's weights: 1/2 for pairs, 1 for squares.
[[nodiscard]] inline reference::Row squared_weights(Index d) {
    reference::Row squares(static_cast<std::size_t>(feature_dim(d)), Rational(1));
    std::fill_n(squares.begin(), feature_dim(d) - d * d, Rational(1, 2));
    return squares;
}

/// ‖2^e (P − exact)‖ / ‖2^e exact‖ over Q, e the exponents of the features of scaled coordinates;
/// nothing where both are zero.
[[nodiscard]] inline double relative_error(const Matrix& P,
                                           const reference::Rows& exact,
                                           const std::vector<int>& exponents) {
    Rational error = 0;
    Rational size = 0;
    for (Index p = 0; p < P.rows(); ++p) {
        const auto at = static_cast<std::size_t>(p);
        const Rational unit = exponents.empty() ? Rational(1) : power_of_two(2 * exponents[at]);
        for (Index a = 0; a < P.cols(); ++a) {
            const Rational& goal = exact[at][static_cast<std::size_t>(a)];
            const Rational difference = to_rational(P(p, a)) - goal;
            error += difference * difference * unit;
            size += goal * goal * unit;
        }
    }
    if (size == 0) {
        return error == 0 ? 0.0 : std::numeric_limits<double>::infinity();
    }
    return std::sqrt(Rational(error / size).convert_to<double>());
}

/// The minimiser over Q, where there is one that a solver can be held against.
struct Exact {
    reference::Rows P;
    std::size_t rank = 0;
    bool unique = false;
};

[[nodiscard]] inline Exact exact_minimiser(const Dataset& data, double ridge) {
    const reference::Rows H = features_of(data);
    const reference::Rows Y = rows_of(data.y.transpose());
    const reference::Row squares = squared_weights(data.d());
    Exact exact;
    exact.rank = reference::reference_rank(H);
    exact.unique = ridge > 0.0 || exact.rank == squares.size();
    exact.P = exact.unique ? reference::reference_least_squares(H, Y, squares, to_rational(ridge))
              : exact.rank == H.size() ? reference::reference_minimum_norm(H, Y, squares)
                                       : reference::Rows{};
    return exact;
}

/// A data set of finite numbers near the ends of what doubles hold, and what was done to it.
struct ExtremeData {
    Dataset data;
    std::string what;
};

/// Where the extreme numbers are.
enum class Extreme : std::uint8_t {
    tokens,       ///< all tokens times one power of two
    coordinates,  ///< each coordinate times its own
    each_token,   ///< each token times its own
    queries,      ///< the queries far below the other tokens
    prime,        ///< coordinate 0 a multiple of 2147483647
    odd,          ///< integers next to 2^53
    labels,       ///< the labels times one power of two, down to denormal numbers
};

template <class Entries>
inline void multiply(Entries&& A, int exponent) {
    A = A.unaryExpr([exponent](double x) { return std::ldexp(x, exponent); });
}

/// Tokens are integers of magnitude ≤ 3 before that, labels too; o = 1 or 2.
[[nodiscard]] inline ExtremeData draw_extreme_data(Extreme extreme, Index d, Index num_sequences) {
    ExtremeData drawn{draw_dataset(d, num_sequences), ""};
    Dataset& data = drawn.data;
    data.labels = LabelKind::per_sequence;
    data.y = draw_integers(draw_index(1, 2), num_sequences);
    const auto power = [&](int most) {
        const int e = *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(-most, most + 1));
        drawn.what += " 2^" + std::to_string(e);
        return e;
    };
    switch (extreme) {
        case Extreme::tokens:
            drawn.what = "tokens times";
            multiply(data.tokens.own(), power(1020));
            drawn.what += ", labels times";
            multiply(data.y, power(1020));
            break;
        case Extreme::coordinates:
            drawn.what = "coordinates times";
            for (Index j = 0; j < d; ++j) {
                multiply(data.tokens.own().middleRows(j, 1), power(300));
            }
            break;
        case Extreme::each_token:
            drawn.what = "each token times";
            for (Index t = 0; t < data.tokens.cols(); ++t) {
                multiply(data.tokens.own().middleCols(t, 1), power(100));
            }
            break;
        case Extreme::queries: {
            drawn.what = "queries times";
            const int e = -std::abs(power(900));
            for (Index i = 0; i < num_sequences; ++i) {
                multiply(data.tokens.own().middleCols(data.query_token(i), 1), e);
            }
            break;
        }
        case Extreme::prime:
            drawn.what = "coordinate 0 times 2147483647";
            data.tokens.own().row(0) *= 2147483647.0;
            break;
        case Extreme::odd:
            drawn.what = "integers next to 2^53";
            data.tokens.own().array() += 9007199254740988.0;
            break;
        case Extreme::labels:
            drawn.what = "labels times";
            multiply(data.y, *rc::gen::element(-1074, -1070, -1030, -800, 800, 1020));
            break;
    }
    return drawn;
}

using reference::Row;
using reference::Rows;

constexpr std::array kExtremes{Extreme::tokens,
                               Extreme::coordinates,
                               Extreme::each_token,
                               Extreme::queries,
                               Extreme::prime,
                               Extreme::odd,
                               Extreme::labels};

/// What a solver said: a fit, or the line with which it refused the data.
struct Answer {
    LeastSquaresFit fit;
    std::string refusal;
};

Answer answer_of(const Dataset& data, std::string_view solver, const SolveOptions& options) {
    try {
        return {fit_least_squares(DatasetSource(data), solver, options), ""};
    } catch (const InvalidInput& error) {
        return {refusal(solver, ""), error.what()};
    }
}

/// Whether a line names a power of two and how to fix the data.
bool names_the_range(const std::string& line) {
    return line.find("2^") != std::string::npos && line.find('\n') == std::string::npos &&
           (line.find("multiply the tokens") != std::string::npos ||
            line.find("divide the tokens") != std::string::npos ||
            line.find("take a ridge") != std::string::npos);
}

void expect_within_bound(const LeastSquaresFit& fit, const Exact& exact, const std::string& what) {
    RC_ASSERT(!std::isnan(fit.error_bound));
    if (presumes_numerical_rank(fit.status)) {
        return;  // it says that its bound presumes what may not hold
    }
    if (exact.P.empty()) {
        return;  // dependent examples that floating point cannot tell from independent ones
    }
    const double error = relative_error(fit.P, exact.P, {});
    RC_LOG() << what << ": error " << error << ", bound " << fit.error_bound << '\n';
    // From kLargestError on a bound says that not one digit is assured.
    RC_ASSERT(error <= fit.error_bound || fit.error_bound >= kLargestError);
    if (fit.scaled && fit.scaled->error_bound < kLargestError) {
        const PowerScale scale{fit.scaled->exponents, fit.scaled->exponents, 0};
        RC_ASSERT(relative_error(fit.P, exact.P, scale.features()) <= fit.scaled->error_bound);
    }
}

constexpr double kWellConditioned = 1e-6;

/// Every solver on one data set; the names of those that answered.
std::vector<std::string> check_solvers(const ExtremeData& drawn, double ridge) {
    const Exact exact = exact_minimiser(drawn.data, ridge);
    std::vector<std::string_view> names{"auto"};
    for (const Solver& solver : solvers()) {
        names.push_back(solver.name);
    }
    const Answer svd = answer_of(drawn.data, "svd", {ridge});
    const bool well_conditioned =
        is_zero(ridge) && svd.fit.status == SolveStatus::unique && svd.fit.rcond > kWellConditioned;
    std::vector<std::string> answered;
    for (const std::string_view name : names) {
        if (name == "literal" && drawn.data.d() > 2) {
            continue;  // 54 unknowns an output: slow
        }
        const Answer answer = answer_of(drawn.data, name, {ridge});
        RC_LOG() << name << ", ridge " << ridge << ", " << drawn.what << ": "
                 << to_string(answer.fit.status) << ' ' << answer.fit.note << answer.refusal
                 << '\n';
        if (!answer.refusal.empty()) {
            RC_ASSERT(names_the_range(answer.refusal));
        } else if (answer.fit.status == SolveStatus::refused) {
            RC_ASSERT(!answer.fit.note.empty());
        } else {
            answered.emplace_back(name);
            RC_ASSERT(answer.fit.P.allFinite());
            // The bound of kron presumes that its iteration met the least singular value.
            if (name != "kron" || well_conditioned) {
                expect_within_bound(answer.fit, exact, std::string(name));
            }
        }
    }
    return answered;
}

Index draw_examples(Index psi) {
    return *rc::gen::element(std::max<Index>(1, psi / 2), Index{psi}, psi + 3, 2 * psi + 2);
}

RC_GTEST_PROP(ExtremeData, EverySolverIsWithinItsBoundOrNamesTheRange, ()) {
    const Index d = *rc::gen::element(Index{1}, Index{2}, Index{2}, Index{3});
    const Extreme extreme = *rc::gen::elementOf(kExtremes);
    const ExtremeData drawn = draw_extreme_data(extreme, d, draw_examples(feature_dim(d)));

    (void)check_solvers(drawn, 0.0);
}

RC_GTEST_PROP(ExtremeData, WithARidgeToo, ()) {
    const Index d = *rc::gen::element(Index{1}, Index{2});
    const Extreme extreme = *rc::gen::elementOf(kExtremes);
    const ExtremeData drawn = draw_extreme_data(extreme, d, draw_examples(feature_dim(d)));

    (void)check_solvers(drawn, std::ldexp(1.0, *rc::gen::element(-900, -60, 0, 40, 900)));
}

/// γ_n Σ |p||h| + the least double: how far an output in floating point may be from the exact one.
bool agrees(double computed, const Row& h, const Rows& P, std::size_t a) {
    Rational exact = 0;
    Rational size = 0;
    for (std::size_t p = 0; p < h.size(); ++p) {
        exact += h[p] * P[p][a];
        size += abs(Rational(h[p] * P[p][a]));
    }
    const Rational allowed = size * to_rational(gamma_bound(64)) + power_of_two(-1074);
    return abs(Rational(to_rational(computed) - exact)) <= allowed;
}

RC_GTEST_PROP(ExtremeData, PredictionsAreRightOrNamedAsTooLarge, ()) {
    const Index d = *rc::gen::element(Index{1}, Index{2});
    const ExtremeData drawn =
        draw_extreme_data(*rc::gen::elementOf(kExtremes), d, draw_index(1, 4));
    Matrix P = draw_integers(feature_dim(d), drawn.data.o());
    multiply(P, *rc::gen::element(-1000, -100, 0, 100, 1000));
    const Rows exact = rows_of(P);
    const Rows H = features_of(drawn.data);

    try {
        const Matrix Y = predict(P, DatasetSource(drawn.data));
        for (Index i = 0; i < Y.cols(); ++i) {
            for (Index a = 0; a < Y.rows(); ++a) {
                RC_ASSERT(agrees(
                    Y(a, i), H[static_cast<std::size_t>(i)], exact, static_cast<std::size_t>(a)));
            }
        }
    } catch (const InvalidInput& error) {
        RC_ASSERT(std::string(error.what()).find("beyond the largest double") != std::string::npos);
    }
    const Risk risk = empirical_risk(P, DatasetSource(drawn.data));
    RC_ASSERT(std::isfinite(risk.risk));
    RC_ASSERT(!std::isnan(risk.relative));
}

RC_GTEST_PROP(ExtremeData, CertifyAgreesWithTheRankOverTheRationals, ()) {
    const Index d = *rc::gen::element(Index{1}, Index{2});
    const ExtremeData drawn =
        draw_extreme_data(*rc::gen::elementOf(kExtremes), d, draw_examples(feature_dim(d)));
    const auto rank = static_cast<Index>(reference::reference_rank(features_of(drawn.data)));

    const ExactRank proved = certify_rank(drawn.data);
    const LambdaMinEnclosure enclosure = enclose_lambda_min(exact_second_moment(drawn.data));
    const ScaledFactor scaled = scaled_factor(drawn.data);
    const NumericalSpectrum seen = numerical_spectrum(scaled);
    const Vector leverages =
        NumericalLeverage(scaled.factor).of(*scaled_source(drawn.data, scaled.scale));

    RC_ASSERT(proved.rank_lower <= rank);
    RC_ASSERT(proved.rank_upper >= rank);
    RC_ASSERT(seen.sigma.allFinite());
    RC_ASSERT(seen.rank <= rank);
    RC_ASSERT(to_rational(enclosure.lo) <= to_rational(enclosure.hi));
    RC_ASSERT(rank == feature_dim(d) || !enclosure.proves_full_rank());
    RC_ASSERT(!leverages.hasNaN());
}

/// N sequences of two tokens with coefficients of about 1 and small noise.
Dataset ordinary(Index d, Index N) {
    const Stream stream = Stream(3).child(d);
    Dataset data;
    data.tokens = grid_matrix(grid_normal(), d, 2 * N, stream.child("tokens"));
    for (Index i = 0; i <= N; ++i) {
        data.offsets.push_back(2 * i);
    }
    data.labels = LabelKind::per_sequence;
    data.y = grid_matrix(grid_normal(), 2, N, stream.child("labels"));
    return data;
}

/// Every solver answers scaled data as it does plain ones: within both bounds of the coefficients
/// times 2^exponent.
void expect_equivariant(const Dataset& plain, const Dataset& scaled, int exponent) {
    for (const Solver& solver : solvers()) {
        const LeastSquaresFit before = fit_least_squares(DatasetSource(plain), solver.name, {});
        const LeastSquaresFit after = fit_least_squares(DatasetSource(scaled), solver.name, {});
        EXPECT_EQ(after.status, before.status) << solver.name << ' ' << after.note;
        if (before.status == SolveStatus::unique && after.status == SolveStatus::unique) {
            Matrix expected = before.P;
            multiply(expected, exponent);
            const double error = (after.P - expected).stableNorm() / expected.stableNorm();
            EXPECT_LE(error, before.error_bound + after.error_bound) << solver.name;
            EXPECT_LT(after.error_bound, kLargestError) << solver.name;
        }
    }
}

TEST(ExtremeData, TokensAndLabelsNearTheEndsOfTheRangeAreAnsweredAsOrdinaryOnesAre) {
    const Dataset plain = ordinary(2, 20);
    for (const auto& [tokens, labels] :
         {std::pair{340, 1000}, std::pair{-340, -1000}, std::pair{600, 1000}, std::pair{0, 1010}}) {
        Dataset scaled = plain;
        multiply(scaled.tokens.own(), tokens);
        multiply(scaled.y, labels);
        expect_equivariant(plain, scaled, labels - 3 * tokens);
    }
}

TEST(ExtremeData, DenormalLabelsKeepTheirDigits) {
    Dataset data = ordinary(2, 20);
    multiply(data.tokens.own(), -100);
    for (Index i = 0; i < data.y.cols(); ++i) {
        data.y.col(i).setConstant(static_cast<double>(i % 5) * 0x1p-1074);
    }
    const Exact exact = exact_minimiser(data, 0.0);

    for (const Solver& solver : solvers()) {
        const LeastSquaresFit fit = fit_least_squares(DatasetSource(data), solver.name, {});
        if (fit.status != SolveStatus::refused) {
            EXPECT_FALSE(fit.P.isZero(0.0)) << solver.name;
            EXPECT_GT(fit.error_bound, 0.0) << solver.name;
            EXPECT_LE(relative_error(fit.P, exact.P, {}), fit.error_bound) << solver.name;
        }
    }
}

TEST(ExtremeData, CoordinatesOfDifferentSizeAreSolvedEachByItsOwnPower) {
    Dataset data = ordinary(3, 40);
    data.tokens.own().row(0) *= 2147483647.0;
    const Exact exact = exact_minimiser(data, 0.0);

    for (const std::string& solver :
         present_solvers({"auto", "gram64", "tsqr", "svd", "gelsd", "eigen_cod"})) {
        const LeastSquaresFit fit = fit_least_squares(DatasetSource(data), solver, {});

        ASSERT_EQ(fit.status, SolveStatus::unique) << solver << ": " << fit.note;
        ASSERT_TRUE(fit.scaled) << solver;
        EXPECT_EQ(fit.scaled->exponents.size(), 3U);
        const PowerScale scale{fit.scaled->exponents, fit.scaled->exponents, 0};
        EXPECT_LE(relative_error(fit.P, exact.P, scale.features()), fit.scaled->error_bound);
        EXPECT_LE(relative_error(fit.P, exact.P, {}), fit.error_bound);
        EXPECT_LT(fit.scaled->error_bound, 1e-9) << solver << ": the bound says something";
    }
}

TEST(ExtremeData, AMinimumNormThatPresumesTheNumericalRankSaysSo) {
    Dataset data = ordinary(3, 12);
    data.tokens.own().row(0) *= 2147483647.0;

    const LeastSquaresFit fit = fit_least_squares(DatasetSource(data), "svd", {});

    EXPECT_EQ(reference::reference_rank(features_of(data)), 12U);
    EXPECT_LT(fit.rank, 12);
    EXPECT_EQ(to_string(fit.status), "minimum_norm_at_numerical_rank");
    EXPECT_SAYS(fit.note, "if the numerical rank is the true one");
}

}  // namespace

}  // namespace attest::test
