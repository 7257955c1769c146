#include "core/base/text.hpp"
#include "proofs_check/claims/in_context/statements.hpp"
#include "proofs_check/exact/gaussian_mean.hpp"
#include "proofs_check/exact/regression_prompt.hpp"

namespace attest::in_context {

namespace {

const PolynomialArithmetic kArithmetic;

/// y = <linear, x> + product x_1 x_d + cube x_1³ + noise ε.
struct LabelLaw {
    RationalVector linear;
    Rational product;
    Rational cube;
    Rational noise;
};

/// Pairs (x, y) and a query, drawn alike, and what Theorem 4.2 says of one pair.
struct PairLaw {
    RationalMatrix Lambda;
    RationalVector a;      ///< Λ⁻¹ E x y
    RationalMatrix Sigma;  ///< Cov(x y)
    Rational floor;        ///< min_w E (<w, x> − y)²
};

Polynomial scaled(const Polynomial& f, const Rational& c) {
    return kArithmetic.multiply(kArithmetic.number(c), f);
}

/// `count` independent pairs (x, y).
std::vector<std::vector<Polynomial>> pairs(const RationalMatrix& X,
                                           const LabelLaw& labels,
                                           Index count) {
    RegressionLaw law = one_task(count, labels.linear, labels.noise);
    law.X = X;
    std::vector<std::vector<Polynomial>> drawn = prompt_of(law).tokens;
    for (std::vector<Polynomial>& z : drawn) {
        const Polynomial& first = z.front();
        const Polynomial& last = z[z.size() - 2];
        const Polynomial square = kArithmetic.multiply(first, first);
        const Polynomial bent =
            kArithmetic.add(scaled(kArithmetic.multiply(first, last), labels.product),
                            scaled(kArithmetic.multiply(square, first), labels.cube));
        z.back() = kArithmetic.add(z.back(), bent);
    }
    return drawn;
}

PairLaw pair_law(const RationalMatrix& X, const LabelLaw& labels) {
    const std::vector<Polynomial> z = pairs(X, labels, 1).front();
    const auto d = static_cast<Index>(z.size()) - 1;
    std::vector<Polynomial> products;
    RationalVector mean(d);
    for (Index i = 0; i < d; ++i) {
        products.push_back(kArithmetic.multiply(z[static_cast<std::size_t>(i)], z.back()));
        mean(i) = gaussian_mean(products.back());
    }
    PairLaw law;
    law.Lambda = X * X.transpose();
    law.a = rational_inverse(law.Lambda) * mean;
    law.Sigma = gaussian_second_moment(products) - mean * mean.transpose();
    law.floor = gaussian_mean(kArithmetic.multiply(z.back(), z.back())) - law.a.dot(mean);
    return law;
}

RationalMatrix inverse_gamma(const RationalMatrix& Lambda, Index N) {
    const Index d = Lambda.rows();
    return rational_inverse(Rational(N + 1, N) * Lambda +
                            Lambda.trace() / N * RationalMatrix::Identity(d, d));
}

/// E (y − (1/M) Σ y_i x_iᵀ Γ⁻¹ x)², Γ of N pairs.
Rational error(const RationalMatrix& X, const LabelLaw& labels, Index N, Index M) {
    const std::vector<std::vector<Polynomial>> drawn = pairs(X, labels, M + 1);
    const std::vector<Polynomial>& query = drawn.back();
    const RationalMatrix inverse = inverse_gamma(X * X.transpose(), N);
    Polynomial residual = query.back();
    for (Index i = 0; i < M; ++i) {
        const std::vector<Polynomial>& token = drawn[static_cast<std::size_t>(i)];
        for (Index j = 0; j < X.rows(); ++j) {
            for (Index k = 0; k < X.rows(); ++k) {
                const Polynomial bilinear = kArithmetic.multiply(
                    token[static_cast<std::size_t>(j)], query[static_cast<std::size_t>(k)]);
                residual = kArithmetic.add(
                    residual,
                    scaled(kArithmetic.multiply(token.back(), bilinear), -inverse(j, k) / M));
            }
        }
    }
    return gaussian_mean(kArithmetic.multiply(residual, residual));
}

/// floor + tr(Σ Γ⁻² Λ)/M + (|a|² in Γ⁻²Λ³ + 2 tr Λ |a|² in Γ⁻²Λ² + (tr Λ)² |a|² in Γ⁻²Λ)/N².
Rational printed_error(const PairLaw& law, Index N, Index M) {
    const RationalMatrix& Lambda = law.Lambda;
    const RationalMatrix inverse = inverse_gamma(Lambda, N);
    const RationalMatrix base = inverse * inverse * Lambda;
    const Rational trace = Lambda.trace();
    const Rational bias = law.a.dot(base * Lambda * Lambda * law.a) +
                          2 * trace * law.a.dot(base * Lambda * law.a) +
                          trace * trace * law.a.dot(base * law.a);
    return law.floor + (law.Sigma * base).trace() / M + bias / (N * N);
}

/// Accepted: the error is the formula's, read with `read_M` for M.
Answer error_is_printed(
    const RationalMatrix& X, const LabelLaw& labels, Index N, Index M, Index read_M) {
    const Rational found = error(X, labels, N, M);
    const Rational printed = printed_error(pair_law(X, labels), N, read_M);
    return {found == printed,
            formatted("Lambda = {}, y = {}'x + {} x_1 x_d + {} x_1^3 + {} noise, trained at N = "
                      "{}, asked with M = {}: error {}, formula {}",
                      to_text(X * X.transpose()),
                      to_text_vector(labels.linear),
                      labels.product.str(),
                      labels.cube.str(),
                      labels.noise.str(),
                      N,
                      M,
                      found.str(),
                      printed.str())};
}

Evidence test_zhang_theorem_4_2(const ClaimContext& context) {
    Evidence evidence;
    const RationalMatrix axis{{2}};
    const RationalMatrix plane{{1, 0}, {0, 2}};
    const LabelLaw linear{RationalVector{{3}}, 0, 0, 0};
    const LabelLaw cubic{RationalVector{{3}}, 1, Rational(1, 2), 1};
    const LabelLaw mixed{RationalVector{{1, -2}}, 1, Rational(1, 3), Rational(1, 2)};
    const SharedTest formula(evidence, error_is_printed);
    for (Index M = 1; M <= context.pick(2, 4); ++M) {
        formula.check(Form::printed, axis, linear, Index{3}, M, M);
        formula.check(Form::printed, axis, cubic, Index{3}, M, M);
        formula.check(Form::printed, plane, mixed, Index{2}, M, M);
    }
    formula.control(axis, cubic, Index{3}, Index{2}, Index{3});
    formula.control(plane, mixed, Index{2}, Index{1}, Index{2});
    return evidence;
}

}  // namespace

Claim zhang_theorem_4_2() {
    return {
        .id = "in_context/zhang_theorem_4_2",
        .paper = "arXiv 2306.09927",
        .place = "Theorem 4.2",
        .printed =
            "the layer trained on N pairs (Theorem 4.1), asked with M pairs of any law of (x, y) "
            "with x ~ N(0, Lambda) and finite E y, E xy and E y^2 x x': E (prediction - y)^2 = "
            "min_w E (<w, x> - y)^2 + tr(Sigma "
            "Gamma^-2 Lambda)/M + (|a|^2 in Gamma^-2 Lambda^3 + 2 tr(Lambda) |a|^2 in Gamma^-2 "
            "Lambda^2 + tr(Lambda)^2 |a|^2 in Gamma^-2 Lambda)/N^2, a = Lambda^-1 E xy, Sigma = "
            "Cov(xy)",
        .tested = "as printed",
        .depends_on = "in_context/zhang_theorem_4_1",
        .method = Method::exact,
        .severity = Severity::none,
        .explain =
            "g = (1/M) sum y_i x_i has mean Lambda a and covariance Sigma/M, and x is independent "
            "of it: the error is the floor plus tr(Lambda Gamma^-1 Sigma Gamma^-1)/M plus "
            "|a - Gamma^-1 Lambda a|^2 in Lambda. I - Gamma^-1 Lambda = Gamma^-1 (Lambda + "
            "tr(Lambda) I)/N gives the rest; Gamma commutes with Lambda. The labels here are "
            "linear, and polynomials of degree 3 with noise, so that Sigma is no formula in "
            "Lambda and a.",
        .run = test_zhang_theorem_4_2,
    };
}

}  // namespace attest::in_context
