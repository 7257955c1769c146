#include "proofs_check/claims/in_context/best_head.hpp"
#include "proofs_check/claims/in_context/statements.hpp"

namespace attest::in_context {

namespace {

/// Γ = (1 + 1/N) Λ + (trace/N) I; the theorem's `trace` is tr Λ.
RationalMatrix gamma(const RationalMatrix& covariance, Index N, const Rational& trace) {
    const Index d = covariance.rows();
    return Rational(N + 1, N) * covariance + trace / N * RationalMatrix::Identity(d, d);
}

RegressionLaw noiseless(const RationalMatrix& X, Index N) {
    return centred_law(N, X, RationalMatrix::Identity(X.rows(), X.rows()), 0);
}

/// tr Λ − tr(Λ Γ⁻¹ Λ).
Rational value_at_minimum(const RegressionLaw& law) {
    const RationalMatrix Lambda = law.covariance();
    const RationalMatrix inverse = rational_inverse(gamma(Lambda, law.n, Lambda.trace()));
    return Lambda.trace() - (Lambda * inverse * Lambda).trace();
}

Evidence test_zhang_theorem_4_1(const ClaimContext& context) {
    Evidence evidence;
    std::vector<RegressionLaw> laws{noiseless(RationalMatrix{{2}}, 1),
                                    noiseless(RationalMatrix{{Rational(1, 3)}}, 3),
                                    noiseless(RationalMatrix{{1, 0}, {0, 2}}, 3),
                                    noiseless(skewed_axes(), 2)};
    if (context.profile == Profile::full) {
        laws.push_back(noiseless(RationalMatrix{{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}, 2));
    }
    const SharedTest best(evidence, is_best);
    const SharedTest least(evidence, is_least_risk);
    for (const RegressionLaw& law : laws) {
        const RationalMatrix Lambda = law.covariance();
        const RationalMatrix Gamma = gamma(Lambda, law.n, Lambda.trace());
        best.check(Form::printed, law, QueryToken::counted, rational_inverse(Gamma));
        least.check(Form::tested, law, QueryToken::masked, value_at_minimum(law));
    }
    const RegressionLaw& law = laws[2];
    const RationalMatrix Lambda = law.covariance();
    best.control(law, QueryToken::counted, rational_inverse(Lambda));
    best.control(law, QueryToken::counted, rational_inverse(gamma(Lambda, law.n, 1)));
    least.control(law, QueryToken::masked, value_at_minimum(noiseless(law.X, law.n + 1)));
    return evidence;
}

}  // namespace

Claim zhang_theorem_4_1() {
    return {
        .id = "in_context/zhang_theorem_4_1",
        .paper = "arXiv 2306.09927",
        .place = "Theorem 4.1",
        .printed =
            "x ~ N(0, Lambda), w ~ N(0, I), y = <w, x>, prompts of N pairs and (x, 0), one layer "
            "W^PV E E' W^KQ / N: gradient flow from a balanced start (Assumption 3.3) of a scale s "
            "with s^2 |Gamma|_op sqrt d < 2 tends to a global minimum of the risk, where the "
            "prediction is (1/N) sum y_i x_i' Gamma^-1 x with Gamma = (1 + 1/N) Lambda + "
            "(tr Lambda / N) I",
        .tested =
            "it is a minimum over layers of any number of heads, with risk tr Lambda - "
            "tr(Lambda Gamma^-1 Lambda); the same if the query's own token is masked",
        .deviation = "that gradient flow gets there is not checked, only what it is said to reach",
        .depends_on = "yau2024/algorithm_2",
        .method = Method::exact,
        .severity = Severity::none,
        .explain =
            "w and -w are equally likely: the label and the features with one y change their "
            "signs, the features with none or two do not, and the moments between the two kinds "
            "vanish. What is left is g' A x, g = (1/N) sum y_i x_i: A = (E g g')^-1 E g w', with "
            "E g w' = Lambda and E g g' = Lambda Gamma. The moments are exact, so that the "
            "normal equations are compared over Q.",
        .run = test_zhang_theorem_4_1,
    };
}

}  // namespace attest::in_context
