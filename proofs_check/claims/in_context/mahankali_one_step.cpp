#include "core/base/text.hpp"
#include "proofs_check/claims/in_context/best_head.hpp"
#include "proofs_check/claims/in_context/statements.hpp"
#include "proofs_check/exact/gaussian_mean.hpp"

namespace attest::in_context {

namespace {

const PolynomialArithmetic kField;

RationalMatrix identity(Index d) {
    return RationalMatrix::Identity(d, d);
}

/// y to the third power, the label too: a target that is no linear function.
Prompt cubed(Prompt prompt) {
    const auto cube = [](const Polynomial& f) { return kField.multiply(f, kField.multiply(f, f)); };
    for (std::vector<Polynomial>& token : prompt.tokens) {
        token.back() = cube(token.back());
    }
    prompt.label = cube(prompt.label);
    return prompt;
}

/// η = E[ûᵀ Xᵀ y]/E[yᵀ X Xᵀ y], û the best linear predictor given the prompt: E[y xᵀ | prompt].
Rational learning_rate(const Prompt& prompt) {
    Rational above = 0;
    Rational below = 0;
    for (std::size_t j = 0; j < prompt.query.size(); ++j) {
        Polynomial sum = kField.zero();
        for (const std::vector<Polynomial>& token : prompt.tokens) {
            sum = kField.add(sum, kField.multiply(token[j], token.back()));
        }
        above +=
            gaussian_mean(kField.multiply(kField.multiply(prompt.query[j], prompt.label), sum));
        below += gaussian_mean(kField.multiply(sum, sum));
    }
    return above / below;
}

/// Accepted: one step of gradient descent with the rate η, times `factor`, is best.
Answer one_step(const std::string& target, const Prompt& prompt, const Rational& factor) {
    const Rational eta = factor * learning_rate(prompt);
    const auto d = static_cast<Index>(prompt.query.size());
    const auto n = static_cast<Index>(prompt.tokens.size());
    return is_best_for(formatted("{}, n = {}, rate {}", target, n, eta.str()),
                       prompt,
                       QueryToken::masked,
                       eta * n * identity(d));
}

/// Accepted: E[wᵀXᵀy]/E[yᵀXXᵀy] is `value`.
Answer rate_is(const RegressionLaw& law, const Rational& value) {
    const Rational eta = learning_rate(prompt_of(law));
    return {
        eta == value,
        formatted(
            "{}: rate {}, closed form {}", named(law, QueryToken::masked), eta.str(), value.str())};
}

Evidence test_mahankali_one_step(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest step(evidence, one_step);
    const SharedTest rate(evidence, rate_is);
    const SharedTest best(evidence, is_best);
    for (Index n = 1; n <= context.pick(2, 4); ++n) {
        for (const Index d : {1, 2}) {
            const RegressionLaw law = centred_law(n, identity(d), identity(d), Rational(1, 2));
            step.check(Form::printed, "y = <w, x> + noise of variance 1/4", prompt_of(law), 1);
            rate.check(Form::tested, law, 1 / Rational(n + d + 1 + Rational(1, 4)));
        }
        const RegressionLaw line = centred_law(n, identity(1), identity(1), 0);
        step.check(Form::printed, "y = <w, x>^3", cubed(prompt_of(line)), 1);
    }
    const RegressionLaw plane = centred_law(1, identity(2), identity(2), 0);
    step.check(Form::printed, "y = <w, x>^3, d = 2", cubed(prompt_of(plane)), 1);
    step.control("y = <w, x>", prompt_of(plane), 2);
    rate.control(plane, 1 / Rational(3));

    // x ~ N(0, Σ), w ~ N(0, Σ⁻¹), noise of variance 1.
    const RationalMatrix X = skewed_axes();
    const RegressionLaw skewed = centred_law(2, X, rational_inverse(X).transpose(), 1);
    const RationalMatrix inverse = rational_inverse(skewed.covariance());
    best.check(Form::printed, skewed, QueryToken::masked, inverse * Rational(2, 2 + 2 + 1 + 1));
    best.control(skewed, QueryToken::masked, identity(2) * Rational(2, 2 + 2 + 1 + 1));
    return evidence;
}

}  // namespace

Claim mahankali_one_step() {
    return {
        .id = "in_context/mahankali_one_step",
        .paper = "arXiv 2307.03576",
        .place = "the theorems on linear, skewed and nonlinear data",
        .printed =
            "x ~ N(0, I), w ~ N(0, I), y = <w, x> + noise, or y of another target whose law is "
            "rotation invariant and symmetric under negation: one layer's risk is least for "
            "one step of gradient descent, rate eta = E[u' X' y]/E[y' X X' y], u the best linear "
            "predictor given the prompt. For x ~ N(0, Sigma), w ~ N(0, Sigma^-1): the step "
            "preconditioned by Sigma^-1",
        .tested =
            "the same against layers of any number of heads; for y = <w, x> + noise of variance "
            "s^2 the rate is 1/(n + d + 1 + s^2), in the skewed case too",
        .depends_on = "in_context/zhang_theorem_4_1",
        .method = Method::exact,
        .severity = Severity::none,
        .explain =
            "The sign symmetry leaves g' A x, g = sum y_i x_i. Rotations leave A = eta I, and eta "
            "is the ratio of E[y x'g] and E|g|^2 with E x x' = I. E|g|^2 = n d (n + d + 1 + s^2) "
            "and E w'g = n d. With Sigma: x = Sigma^(1/2) x_0 and w = Sigma^(-1/2) w_0 leave y. "
            "The nonlinear target here is y = <w, x>^3.",
        .run = test_mahankali_one_step,
    };
}

}  // namespace attest::in_context
