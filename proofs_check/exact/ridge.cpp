#include "proofs_check/exact/ridge.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace attest {

RationalMatrix ridge_form(const RationalMatrix& H, const Rational& lambda) {
    RationalMatrix form = second_moment(H);
    form.diagonal().array() += lambda;
    return form;
}

RationalMatrix ridge_minimiser(const ExactProblem& problem, const Rational& lambda) {
    RationalMatrix A = problem.H.transpose() * problem.H;
    A.diagonal().array() += Rational(problem.num_examples() * lambda);
    const RationalMatrix C = problem.H.transpose() * problem.Y;
    return rational_inverse(A) * C;
}

RationalMatrix least_norm(const ExactProblem& problem) {
    RationalMatrix P = least_squares(problem);
    const RationalMatrix K = rational_null_space(problem.H);
    if (K.cols() == 0) {
        return P;
    }
    const RationalMatrix G = K.transpose() * K;
    const RationalMatrix inside = K.transpose() * P;
    return P - K * (rational_inverse(G) * inside);
}

RationalMatrix ridge_limit(const ExactProblem& problem, Index points) {
    const Index rank = rational_rank(problem.H);
    require(
        points > rank, "ridge_limit: got {} points, expected more than the rank {}", points, rank);
    RationalMatrix numerator = RationalMatrix::Zero(problem.psi(), problem.Y.cols());
    Rational denominator = 0;
    // Lagrange's weights at 0 for the nodes 1 … m are (−1)^(i−1) binomial(m, i).
    Rational weight = -1;
    for (Index i = 1; i <= points; ++i) {
        weight *= Rational(-(points - i + 1)) / i;
        const Rational lambda(i);
        Rational q = rational_determinant(ridge_form(problem.H, lambda));
        for (Index k = rank; k < problem.psi(); ++k) {
            q /= lambda;
        }
        denominator += weight * q;
        numerator += weight * q * ridge_minimiser(problem, lambda);
    }
    return numerator / denominator;
}

}  // namespace attest
