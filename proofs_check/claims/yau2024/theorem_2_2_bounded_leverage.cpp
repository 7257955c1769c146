#include "proofs_check/claims/yau2024/rare_example.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"

#include <algorithm>
#include <cmath>

namespace attest::yau2024 {

namespace {

/// Sizes that suffice: N ≥ 6.6 L log(2ψ/δ) and N ≥ 8 L risk*/(ε δ).
struct Sizes {
    Rational L;
    Rational eps;
    Rational delta;
    Index psi;

    [[nodiscard]] Index examples(const Rational& least_risk) const {
        const double chernoff =
            6.6 * L.convert_to<double>() *
            std::log(2.0 * static_cast<double>(psi) / delta.convert_to<double>());
        const Rational variance = 8 * L * least_risk / (eps * delta);
        return 1 + static_cast<Index>(std::ceil(std::max(chernoff, variance.convert_to<double>())));
    }
};

/// The probability, over all samples of size N, that the excess risk of least squares is above ε.
Rational chance_of_more(const RareExample& law, Index N, const Rational& eps) {
    const Rational common = law.cube(law.common);
    const Rational rare = law.cube(law.rare);
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

/// Accepted: with N of the bound for leverage L the excess exceeds ε with probability at most δ.
Answer bound_keeps(const RareExample& law, const Rational& L) {
    const Sizes sizes{L, Rational(1, 2), Rational(1, 4), 1};
    const Index N = sizes.examples(law.risk(law.best()));
    const Rational chance = chance_of_more(law, N, sizes.eps);
    return {chance <= sizes.delta,
            formatted("Z = {} with probability {}, {} else: L = {}, least risk {}, N = {} for eps "
                      "= 1/2, delta = 1/4; the excess is above eps with probability {}",
                      law.common,
                      Rational(1 - law.eta),
                      law.rare,
                      L,
                      six_digits(law.risk(law.best()).convert_to<double>()),
                      N,
                      six_digits(chance.convert_to<double>()))};
}

Rational largest_leverage(const RareExample& law) {
    const Rational common = law.cube(law.common) * law.cube(law.common);
    const Rational rare = law.cube(law.rare) * law.cube(law.rare);
    return (common > rare ? common : rare) / law.second_moment();
}

Evidence test_theorem_2_2_bounded_leverage(const ClaimContext&) {
    Evidence evidence;
    const SharedTest bound(evidence, bound_keeps);
    for (const RareExample& law : {RareExample{1, 1, Rational(1, 2)},
                                   RareExample{1, 2, Rational(1, 8)},
                                   RareExample{1, Rational(3, 2), Rational(1, 4)},
                                   RareExample{Rational(1, 2), 1, Rational(1, 8)}}) {
        bound.check(Form::tested, law, largest_leverage(law));
    }
    // The leverage is forgotten: N for L = psi = 1.
    bound.control(RareExample{1, 10, Rational(1, 60)}, Rational(1));
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
            "the rest. The checks sum the probabilities of all samples of laws with two inputs.",
        .run = test_theorem_2_2_bounded_leverage,
    };
}

}  // namespace attest::yau2024
