#include "core/features/cubic.hpp"
#include "proofs_check/claims/yau2024/rare_example.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>

namespace attest::yau2024 {

namespace {

constexpr int kEpsDenominator = 2;    // eps = 1/2
constexpr int kDeltaDenominator = 4;  // delta = 1/4

/// A law with one output, all of which is known.
struct Law {
    std::string name;
    Index psi = 1;
    Rational L;  ///< the largest leverage
    Rational least_risk;
    /// That the excess risk of least squares on N examples is above eps.
    std::function<Rational(Index N, const Rational& eps)> chance;
};

/// What is asked of N: both N ≥ 6.6 L log(2ψ/δ) and N ≥ 8 L risk*/(ε δ), or with a fault.
enum class Asked : std::uint8_t {
    both,
    without_leverage,   ///< both with L = 1
    without_logarithm,  ///< the second alone
};

Index examples(const Law& law, Asked asked) {
    const Rational L = asked == Asked::without_leverage ? Rational(1) : law.L;
    const double logarithm = std::log(2.0 * static_cast<double>(law.psi * kDeltaDenominator));
    const double chernoff =
        asked == Asked::without_logarithm ? 0.0 : 6.6 * L.convert_to<double>() * logarithm;
    const Rational variance = 8 * L * law.least_risk * (kEpsDenominator * kDeltaDenominator);
    return 1 + static_cast<Index>(std::ceil(std::max(chernoff, variance.convert_to<double>())));
}

/// The probability, over all samples of size N, that the excess risk of least squares is above ε.
Rational chance_of_more(const RareExample& law, Index N, const Rational& eps) {
    const Rational common = RareExample::cube(law.common);
    const Rational rare = RareExample::cube(law.rare);
    Rational chance = 0;
    Rational weight = power(1 - law.eta, N);  // of samples with k rare examples
    for (Index k = 0; k <= N; ++k) {
        // The learned layer depends on the shares alone: its normal equation in numbers.
        const Rational p = Rational(N - k) * common /
                           (Rational(N - k) * common * common + Rational(k) * rare * rare);
        chance += law.excess(p) > eps ? weight : Rational(0);
        weight *= Rational(N - k) / Rational(k + 1) * law.eta / (1 - law.eta);
    }
    return chance;
}

Law law_of(const RareExample& example) {
    const Rational common = RareExample::cube(example.common) * RareExample::cube(example.common);
    const Rational rare = RareExample::cube(example.rare) * RareExample::cube(example.rare);
    return {formatted("d = 1, Z = {} with probability {}, {} else",
                      example.common,
                      Rational(1 - example.eta),
                      example.rare),
            1,
            (common > rare ? common : rare) / example.second_moment(),
            example.risk(example.best()),
            [example](Index N, const Rational& eps) { return chance_of_more(example, N, eps); }};
}

constexpr Index kInputs = 6;
constexpr Index kSets = Index{1} << kInputs;

/// The excess risk of what is learned from each set of the inputs, by its bits.
std::vector<Rational> excess_by_sets(const ExactProblem& all) {
    std::vector<Rational> excess;
    for (Index set = 0; set < kSets; ++set) {
        ExactProblem seen = all;
        for (Index i = 0; i < kInputs; ++i) {
            if ((set >> i & 1) == 0) {  // a row of zeros asks for nothing
                seen.H.row(i).setZero();
                seen.Y.row(i).setZero();
            }
        }
        excess.push_back(risk(all, least_squares(seen)));
    }
    return excess;
}

/// The probability that N draws show exactly these inputs, by inclusion and exclusion.
std::vector<Rational> chances_of_sets(Index N) {
    std::vector<Rational> shown;  // at first: no others
    for (Index set = 0; set < kSets; ++set) {
        shown.push_back(
            power(Rational(std::popcount(static_cast<std::uint64_t>(set)), kInputs), N));
    }
    for (std::size_t bit = 1; bit < shown.size(); bit *= 2) {
        for (std::size_t set = 0; set < shown.size(); ++set) {
            shown[set] -= (set & bit) != 0 ? shown[set ^ bit] : Rational(0);
        }
    }
    return shown;
}

/// d = 2, ψ = 6 inputs with independent features, each with probability 1/6: all leverages are 6,
/// and a layer fits any labels. What is learned depends on which inputs were seen.
Law six_inputs() {
    RationalMatrix H(kInputs, feature_dim(2));
    RationalMatrix y(kInputs, 1);
    Index row = 0;
    for (Index l = 0; l < 2; ++l) {
        for (const std::array<Index, 2>& x : {std::array<Index, 2>{0, 0}, {l, 1 - l}, {1, 1}}) {
            RationalMatrix Z = RationalMatrix::Zero(2, 2);
            Z.col(0) << x[0], x[1];
            Z(l, 1) = 1;
            H.row(row) = cubic_features<Rational>(Z).transpose();
            y(row, 0) = 6 * (row + 1);
            ++row;
        }
    }
    const std::vector<Rational> excess = excess_by_sets({H, y});
    const auto chance = [excess](Index N, const Rational& eps) {
        const std::vector<Rational> shown = chances_of_sets(N);
        Rational above = 0;
        for (std::size_t set = 0; set < shown.size(); ++set) {
            above += excess[set] > eps ? shown[set] : Rational(0);
        }
        return above;
    };
    return {
        "d = 2, six inputs with independent features, each with probability 1/6", 6, 6, 0, chance};
}

/// Accepted: with the N that is asked for the excess exceeds ε with probability at most δ.
Answer bound_keeps(const Law& law, Asked asked) {
    const Index N = examples(law, asked);
    const Rational chance = law.chance(N, Rational(1, kEpsDenominator));
    return {
        chance <= Rational(1, kDeltaDenominator),
        formatted("{}: psi = {}, L = {}, least risk {}, N = {} for eps = 1/2, delta = 1/4{}; the "
                  "excess is above eps with probability {}",
                  law.name,
                  law.psi,
                  law.L,
                  six_digits(law.least_risk.convert_to<double>()),
                  N,
                  asked == Asked::both               ? ""
                  : asked == Asked::without_leverage ? ", the leverage forgotten"
                                                     : ", the logarithm forgotten",
                  six_digits(chance.convert_to<double>()))};
}

Evidence test_theorem_2_2_bounded_leverage(const ClaimContext& /*context*/) {
    Evidence evidence;
    const SharedTest bound(evidence, bound_keeps);
    for (const RareExample& example : {RareExample{1, 1, Rational(1, 2)},
                                       RareExample{1, 2, Rational(1, 8)},
                                       RareExample{1, Rational(3, 2), Rational(1, 4)},
                                       RareExample{Rational(1, 2), 1, Rational(1, 8)}}) {
        bound.check(Form::tested, law_of(example), Asked::both);
    }
    bound.check(Form::tested, six_inputs(), Asked::both);
    bound.control(law_of(RareExample{1, 10, Rational(1, 60)}), Asked::without_leverage);
    bound.control(six_inputs(), Asked::without_logarithm);
    return evidence;
}

}  // namespace

Claim theorem_2_2_bounded_leverage() {
    return {
        .id = "yau2024/theorem_2_2_bounded_leverage",
        .place = "Theorem 2.2, corrected: bounded leverage",
        .tested =
            "if H(Z)' Lambda^-1 H(Z) <= L almost surely, N >= 6.6 L log(2 psi/delta) and N >= 8 L "
            "risk*/(eps delta) samples give excess risk <= eps with probability >= 1 - delta; "
            "risk* is the least risk of a layer, realisable or not",
        .deviation =
            "what equation 6 becomes under a hypothesis that makes it true; L is at least psi",
        .method = Method::exact,
        .explain =
            "With g = Lambda^-1/2 H, |g|^2 <= L and E[g g'] = I, the matrix Chernoff bound gives "
            "P[lambda_min((1/N) sum g g') < 1/2] <= psi 0.858^(N/L) <= delta/2 (Tropp 2012, "
            "theorem 1.1). Then "
            "the excess is at most 4 |(1/N) sum g r'|^2, r the residuals of the best P; its mean "
            "is 4 E[|g|^2 |r|^2]/N <= 4 L risk*/N as E[g r'] = 0, and Markov's inequality gives "
            "the rest. The checks sum the probabilities of all samples of laws with two inputs, "
            "where "
            "the second condition sets N, and of one with six inputs and realisable labels, where "
            "the "
            "first does.",
        .run = test_theorem_2_2_bounded_leverage,
    };
}

}  // namespace attest::yau2024
