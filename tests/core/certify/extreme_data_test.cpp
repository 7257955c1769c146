#include "tests/support/extreme_data.hpp"

#include "core/algebra/residual_ratio.hpp"
#include "core/base/bitwise.hpp"
#include "core/certify/numerical/enclosure.hpp"
#include "core/certify/numerical/spectrum.hpp"
#include "core/certify/rank/exact_rank.hpp"
#include "core/exact/dyadic.hpp"
#include "core/features/predict.hpp"
#include "core/moments/triangular_factor.hpp"
#include "core/solve/accuracy.hpp"
#include "core/solve/solvers.hpp"
#include "tests/support/exact_minimiser.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace attest {
namespace {

using reference::Row;
using reference::Rows;
using test::Exact;
using test::exact_minimiser;
using test::Extreme;
using test::ExtremeData;
using test::features_of;
using test::relative_error;
using test::rows_of;

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
    const ExtremeData drawn = test::draw_extreme_data(extreme, d, draw_examples(feature_dim(d)));

    (void)check_solvers(drawn, 0.0);
}

RC_GTEST_PROP(ExtremeData, WithARidgeToo, ()) {
    const Index d = *rc::gen::element(Index{1}, Index{2});
    const Extreme extreme = *rc::gen::elementOf(kExtremes);
    const ExtremeData drawn = test::draw_extreme_data(extreme, d, draw_examples(feature_dim(d)));

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
        test::draw_extreme_data(*rc::gen::elementOf(kExtremes), d, test::draw_index(1, 4));
    Matrix P = test::draw_integers(feature_dim(d), drawn.data.o());
    test::multiply(P, *rc::gen::element(-1000, -100, 0, 100, 1000));
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
        test::draw_extreme_data(*rc::gen::elementOf(kExtremes), d, draw_examples(feature_dim(d)));
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

}  // namespace
}  // namespace attest
