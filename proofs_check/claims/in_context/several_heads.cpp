#include "core/base/text.hpp"
#include "proofs_check/claims/in_context/statements.hpp"
#include "proofs_check/exact/regression_prompt.hpp"

namespace attest::in_context {

namespace {

/// Features by the number of y in them, d = 1: x x, x y and y y.
enum Feature : Index { xy = 0, xx = 1, yy = 2 };

RegressionLaw line(Index n, const Rational& mean, const Rational& noise) {
    RegressionLaw law = one_task(n, RationalVector::Constant(1, mean), noise);
    law.W = RationalMatrix{{1}};
    return law;
}

/// Accepted: the only minimiser over all heads, d = 1, is no single head: with x² p_xx + x y p_xy +
/// y² p_yy definite it is no product of two linear forms.
Answer needs_two_heads(const std::vector<RegressionLaw>& laws) {
    const Population population = population_of(laws, QueryToken::masked);
    const RationalVector P = rational_inverse(population.Lambda) * population.cross;
    const Rational discriminant = P(xy) * P(xy) - 4 * P(xx) * P(yy);
    return {discriminant < 0,
            formatted("{} law(s) of w, the first of mean {}, n = {}, noise {}: the least risk {} "
                      "is that of x^2 {} + xy {} + y^2 {} alone, discriminant {}",
                      laws.size(),
                      laws.front().mean(0).str(),
                      laws.front().n,
                      laws.front().noise.str(),
                      population.risk(P).str(),
                      P(xx).str(),
                      P(xy).str(),
                      P(yy).str(),
                      discriminant.str())};
}

/// Accepted: the features with one or two y reach the least risk of all.
Answer reduced_suffices(const std::vector<RegressionLaw>& laws) {
    const Population population = population_of(laws, QueryToken::masked);
    const Index d = laws.front().d();
    const RationalVector y = RationalVector::Unit(d + 1, d);
    std::vector<Index> chosen;
    for (Index k = 0; k <= d; ++k) {
        for (Index l = 0; l < d; ++l) {
            RationalMatrix Q = RationalMatrix::Zero(d + 1, d);
            Q(k, l) = 1;
            const RationalVector P = head_coefficients(y, Q);
            for (Index i = 0; i < P.size(); ++i) {
                if (P(i) != 0) {
                    chosen.push_back(i);
                }
            }
        }
    }
    const Rational reduced = population.restricted_to(chosen).least_risk();
    const Rational least = population.least_risk();
    return {reduced == least,
            formatted("{} law(s) of w in {} dimension(s), n = {}, noise {}: least risk {}, of the "
                      "features with some y {}",
                      laws.size(),
                      d,
                      laws.front().n,
                      laws.front().noise.str(),
                      least.str(),
                      reduced.str())};
}

std::vector<RegressionLaw> tasks(const std::vector<RationalVector>& all, const Rational& noise) {
    std::vector<RegressionLaw> laws;
    laws.reserve(all.size());
    for (const RationalVector& w : all) {
        laws.push_back(one_task(1, w, noise));
    }
    return laws;
}

Evidence test_several_heads(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest heads(evidence, needs_two_heads);
    for (Index n = 1; n <= context.pick(2, 3); ++n) {
        heads.check(Form::tested, std::vector{line(n, 2, 1)});
        heads.control(std::vector{line(n, 0, 1)});
        heads.control(std::vector{line(n, 2, 0)});
    }
    const RationalVector one{{1}};
    heads.check(Form::tested, tasks({one, 2 * one, 3 * one}, 1));
    heads.control(tasks({one, -one}, 1));

    const RationalVector w{{2, 1}};
    const RationalVector v{{1, -1}};
    const SharedTest reduced(evidence, reduced_suffices);
    reduced.check(Form::tested, tasks({w, -w}, 1));
    reduced.check(Form::tested, tasks({w, v, -w, -v}, 0));
    reduced.control(tasks({w, v}, 0));
    reduced.control(tasks({w}, 1));
    return evidence;
}

}  // namespace

Claim several_heads() {
    return {
        .id = "in_context/several_heads",
        .paper = "docs/in-context.md",
        .place = "section 4",
        .tested =
            "tasks whose law is not symmetric under w -> -w, by a mean or because they are few, "
            "need more than one head: at d = 1 with noise the least risk over all heads is reached "
            "by two heads only, for w ~ N(2, 1) and for w in {1, 2, 3}; and the features without y "
            "lower the risk, which the reduced layer of arXiv 2405.11751 leaves out",
        .depends_on = "in_context/zhang_theorem_4_1",
        .method = Method::exact,
        .explain =
            "At d = 1 a layer is the form p_xx x^2 + p_xy xy + p_yy y^2, summed over the tokens, "
            "times the query; one head is a product of two linear forms, which is so iff the "
            "discriminant is not negative, a closed set. Lambda is regular, so the minimiser is "
            "one form, and where it is definite every single head has a larger risk. In symmetric "
            "laws the features without y and with two are uncorrelated with the label and with the "
            "rest. That a mean of the prior calls for more heads is the subject of arXiv "
            "2512.04268.",
        .run = test_several_heads,
    };
}

}  // namespace attest::in_context
