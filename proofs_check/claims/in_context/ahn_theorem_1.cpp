#include "proofs_check/claims/in_context/best_head.hpp"
#include "proofs_check/claims/in_context/statements.hpp"

namespace attest::in_context {

namespace {

/// U diag(1/((n+1)/n λ_i + (1/n) Σ_k λ_k)) Uᵀ for the covariance U diag(λ) Uᵀ; `sum` is Σ_k λ_k.
RationalMatrix preconditioner(const RationalMatrix& U,
                              const RationalVector& eigenvalues,
                              Index n,
                              const Rational& sum) {
    RationalMatrix D = RationalMatrix::Zero(U.rows(), U.rows());
    for (Index i = 0; i < U.rows(); ++i) {
        D(i, i) = 1 / (Rational(n + 1, n) * eigenvalues(i) + sum / n);
    }
    return U * D * U.transpose();
}

/// What the paper prints for the covariance I.
RationalMatrix isotropic(Index d, Index n) {
    return RationalMatrix::Identity(d, d) / (Rational(n - 1, n) + Rational(d + 2, n));
}

RegressionLaw law_of(const RationalMatrix& U, const RationalVector& roots, Index n) {
    return centred_law(
        n, U * RationalMatrix(roots.asDiagonal()), RationalMatrix::Identity(U.rows(), U.rows()), 0);
}

Evidence test_ahn_theorem_1(const ClaimContext& context) {
    Evidence evidence;
    const RationalMatrix turn{{Rational(3, 5), Rational(-4, 5)}, {Rational(4, 5), Rational(3, 5)}};
    const RationalVector roots{{1, 3}};
    const RationalVector eigenvalues{{1, 9}};
    const SharedTest best(evidence, is_best);
    for (Index n = 1; n <= context.pick(2, 4); ++n) {
        best.check(Form::printed,
                   law_of(turn, roots, n),
                   QueryToken::masked,
                   preconditioner(turn, eigenvalues, n, 10));
        const RationalMatrix I = RationalMatrix::Identity(2, 2);
        best.check(Form::printed, centred_law(n, I, I, 0), QueryToken::masked, isotropic(2, n));
    }
    best.check(Form::printed,
               law_of(RationalMatrix{{1}}, RationalVector{{2}}, 3),
               QueryToken::masked,
               preconditioner(RationalMatrix{{1}}, RationalVector{{4}}, 3, 4));
    best.control(
        law_of(turn, roots, 2), QueryToken::masked, preconditioner(turn, eigenvalues, 2, 0));
    best.control(law_of(turn, roots, 2),
                 QueryToken::masked,
                 preconditioner(RationalMatrix::Identity(2, 2), eigenvalues, 2, 10));
    return evidence;
}

}  // namespace

Claim ahn_theorem_1() {
    return {
        .id = "in_context/ahn_theorem_1",
        .paper = "arXiv 2306.00297",
        .place = "Theorem 1",
        .printed =
            "x ~ N(0, U diag(lambda) U'), w ~ N(0, I), the query masked: one layer's risk is least "
            "for P_0 = e e', e the last unit vector, and Q_0 = -[A, 0; 0, 0], A = U "
            "diag(1/((n+1)/n "
            "lambda_i + (1/n) sum_k lambda_k)) U'; for the covariance I, A = I/((n-1)/n + (d+2)/n)",
        .tested = "the same, against layers of any number of heads",
        .depends_on = "in_context/zhang_theorem_4_1",
        .method = Method::exact,
        .severity = Severity::none,
        .explain =
            "The paper's prediction is minus the last entry after one residual step of length 1/n, "
            "so Q_0's sign cancels and the function is (1/n) sum y_i x_i' A x. With Gamma = "
            "((n+1)/n) Sigma + (tr Sigma/n) I, A = Gamma^-1 in the eigenbasis: Theorem 4.1 of "
            "arXiv 2306.09927, where the query's token is counted, which changes nothing.",
        .run = test_ahn_theorem_1,
    };
}

}  // namespace attest::in_context
