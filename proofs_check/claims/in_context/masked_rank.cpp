#include "core/base/text.hpp"
#include "proofs_check/claims/in_context/statements.hpp"
#include "proofs_check/exact/regression_prompt.hpp"

namespace attest::in_context {

namespace {

Index states(Index d) {
    return (d + 1) * (d + 2) / 2;
}

/// K different tasks with integer entries, no two of whose pairs have the same midpoint: (k², k).
std::vector<RegressionLaw> different_tasks(Index d, Index K, Index n, const Rational& noise) {
    std::vector<RegressionLaw> laws;
    for (Index k = 1; k <= K; ++k) {
        RationalVector w = RationalVector::Constant(d, k);
        w(0) = k * k;
        laws.push_back(one_task(n, w, noise));
    }
    return laws;
}

std::string task_list(const std::vector<RegressionLaw>& laws) {
    std::string text;
    for (const RegressionLaw& law : laws) {
        text += (text.empty() ? "" : ", ") + to_text_vector(law.mean);
    }
    return text;
}

/// Accepted: Λ of these tasks, equally likely, has the rank said.
Answer rank_is(const std::vector<RegressionLaw>& laws, QueryToken query, Index said) {
    const RationalMatrix Lambda = population_of(laws, query).Lambda;
    const Index rank = rational_rank(Lambda);
    return {rank == said,
            formatted("tasks {}, n = {}, noise {}, query {}: rank {} of {} features; said {}",
                      task_list(laws),
                      laws.front().n,
                      laws.front().noise.str(),
                      query == QueryToken::masked ? "masked" : "counted",
                      rank,
                      Lambda.rows(),
                      said)};
}

Evidence test_masked_rank(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest rank(evidence, rank_is);
    const Index longest = context.pick(1, 3);
    for (const Index d : {1, 2, 3}) {
        const Index all = d * states(d);
        for (Index n = 1; n <= (d < 3 ? longest : 1); ++n) {
            const auto one = different_tasks(d, 1, n, 0);
            const auto two = different_tasks(d, 2, n, 0);
            rank.check(Form::tested, one, QueryToken::masked, d * (d * (d + 1) / 2));
            rank.check(Form::tested, one, QueryToken::counted, all - d * (d + 1) / 2);
            rank.check(Form::tested, two, QueryToken::masked, all - d);
            rank.check(Form::tested, two, QueryToken::counted, all);
            for (const QueryToken query : {QueryToken::masked, QueryToken::counted}) {
                rank.check(Form::tested, different_tasks(d, 3, n, 0), query, all);
                rank.check(Form::tested, different_tasks(d, 1, n, 1), query, all);
            }
        }
    }
    rank.control(different_tasks(2, 2, 1, 0), QueryToken::masked, 2 * states(2));
    rank.control(different_tasks(2, 1, 1, 1), QueryToken::masked, Index{2} * 3);
    return evidence;
}

}  // namespace

Claim masked_rank() {
    return {
        .id = "in_context/masked_rank",
        .paper = "docs/in-context.md",
        .place = "section 3",
        .tested =
            "prompts of Gaussian x, y = <w, x>, w one of K different tasks, not 0 and no two pairs "
            "of them with one midpoint, query (x, 0): of the d (d+1)(d+2)/2 features that (x, 0) "
            "leaves, K = 1 spans d d(d+1)/2 if the query's token is masked and all but d(d+1)/2 if "
            "it is counted; K = 2 all but d, and all; K >= 3 all. With noise one task spans all",
        .method = Method::exact,
        .explain =
            "Masked: a form <C, S> + 2 b'S w + c w'S w in S = sum x x' is zero on all inputs iff "
            "C + bw' + wb' + c ww' = 0. One task: b and c are free, for each entry of x. Two: "
            "subtract, b d' + d b' + (c/2) (m d' + d m') = 0 with their difference d and sum m: b "
            "= -c "
            "m/2 and C = c (wv' + vw')/2, one relation for each entry of x. A third task has other "
            "midpoints: c = 0. Counted: x x' of the query stands in S of C alone, so that sum_l "
            "x_l <C_l, x x'> = 0 besides. One task: w'x factors out and leaves a quadratic form, "
            "d(d+1)/2 equations of the d(d+1) unknowns b_l, c_l. Two: (c'x)(w'x)(v'x) = 0, c = 0. "
            "Noise makes x x', xy, y^2 different monomials. So the features see the diversity of "
            "tasks only up to K = 3; more of them change the moments.",
        .run = test_masked_rank,
    };
}

}  // namespace attest::in_context
