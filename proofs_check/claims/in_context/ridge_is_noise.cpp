#include "core/algebra/symmetric_pack.hpp"
#include "core/base/text.hpp"
#include "proofs_check/claims/in_context/best_head.hpp"
#include "proofs_check/claims/in_context/statements.hpp"

namespace attest::in_context {

namespace {

/// ‖Sym W‖² as a form in the coefficients: 1/2 for a feature of two coordinates, 1 for a square.
RationalMatrix symmetric_norm(Index d) {
    const Index pairs = packed_dim(d + 1) - (d + 1);
    RationalVector diagonal = RationalVector::Constant(packed_dim(d + 1) * d, 1);
    diagonal.head(pairs * d).setConstant(Rational(1, 2));
    return RationalMatrix(diagonal.asDiagonal());
}

/// Accepted: gradient_step(A) minimises E(label − Pᵀ features)² + ridge ‖Sym W‖² over all heads.
Answer is_ridge_best(const RegressionLaw& law, const Rational& ridge, const RationalMatrix& A) {
    const Population population = population_of(std::vector{law}, QueryToken::masked);
    const RationalVector P = gradient_step(A, law.n);
    const bool best =
        population.Lambda * P + ridge * symmetric_norm(law.d()) * P == population.cross;
    return {best,
            formatted("{}, ridge {}: A = {} {} the minimiser over all heads",
                      named(law, QueryToken::masked),
                      ridge.str(),
                      to_text(A),
                      best ? "is" : "is not")};
}

/// For w ~ N(0, I) and Σ = diag(λ): A_ii = n/((n+1) λ_i + tr Σ + noise² + ridge/(2 n λ_i²)).
RationalMatrix closed_form(const RegressionLaw& law, const Rational& ridge) {
    const RationalMatrix Sigma = law.covariance();
    RationalMatrix A = RationalMatrix::Zero(law.d(), law.d());
    for (Index i = 0; i < law.d(); ++i) {
        const Rational& s = Sigma(i, i);
        const Rational level = Sigma.trace() + law.noise * law.noise;
        A(i, i) = law.n / ((law.n + 1) * s + level + ridge / (2 * law.n * s * s));
    }
    return A;
}

/// The ridge read as label noise: R/(2n) more of it, and no ridge.
RationalMatrix as_noise(const RegressionLaw& law, const Rational& ridge) {
    const RationalMatrix Sigma = law.covariance();
    const Rational level = Sigma.trace() + law.noise * law.noise + ridge / (2 * law.n);
    return law.n * rational_inverse((law.n + 1) * Sigma +
                                    level * RationalMatrix::Identity(law.d(), law.d()));
}

Evidence test_ridge_is_noise(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest best(evidence, is_ridge_best);
    const RationalMatrix I = RationalMatrix::Identity(2, 2);
    const RationalMatrix uneven{{1, 0}, {0, 2}};
    for (Index n = 1; n <= context.pick(2, 3); ++n) {
        const RegressionLaw even = centred_law(n, I, I, Rational(1, 2));
        best.check(Form::tested, even, Rational(3), closed_form(even, 3));
        best.check(Form::tested, even, Rational(3), as_noise(even, 3));
        const RegressionLaw skew = centred_law(n, uneven, I, Rational(1, 2));
        best.check(Form::tested, skew, Rational(1, 5), closed_form(skew, Rational(1, 5)));
        best.control(skew, Rational(1, 5), as_noise(skew, Rational(1, 5)));
        best.control(even, Rational(3), closed_form(even, 6));
    }
    return evidence;
}

}  // namespace

Claim ridge_is_noise() {
    return {
        .id = "in_context/ridge_is_noise",
        .paper = "docs/in-context.md",
        .place = "section 5",
        .tested =
            "w ~ N(0, I), x ~ N(0, diag(lambda)): the minimiser of the risk plus R |Sym W|^2 over "
            "all heads is one head for every R, (1/n) sum y_i x_i' A x with A_ii = n/((n+1) "
            "lambda_i + sum_k lambda_k + s^2 + R/(2 n lambda_i^2)); for the covariance I the ridge "
            "R acts as R/(2n) more noise in the labels, for another it does not",
        .depends_on = "in_context/zhang_theorem_4_1",
        .method = Method::exact,
        .explain =
            "The norm does not mix the features by the number of their y, so the sign symmetry "
            "still leaves B = A/n, entry by entry: lambda_i (E g g')_ii B_ii + (R/2) B_ii = "
            "lambda_i (E g w')_ii with E g g' = n lambda_i ((n+1) lambda_i + sum lambda + s^2), "
            "E g w' = n lambda_i. The features x_j y count half in |Sym W|^2.",
        .run = test_ridge_is_noise,
    };
}

}  // namespace attest::in_context
