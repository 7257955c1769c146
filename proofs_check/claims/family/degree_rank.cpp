#include "core/base/text.hpp"
#include "proofs_check/claims/family/spans.hpp"
#include "proofs_check/claims/family/statements.hpp"
#include "proofs_check/exact/binomial.hpp"

namespace attest::family {

namespace {

/// Degrees `lowest` to `highest` in one layer.
struct Degrees {
    Index lowest;
    Index highest;

    [[nodiscard]] std::string text() const {
        return lowest == highest ? formatted("degree={}", lowest)
                                 : formatted("degree={}..{}", lowest, highest);
    }
};

/// ψ for n ≥ 2; for n = 1 one feature for each monomial of degree 2p + 1.
Index said(const Degrees& degrees, Index d, Index n) {
    Index rank = 0;
    for (Index p = degrees.lowest; p <= degrees.highest; ++p) {
        rank += n == 1 ? binomial(d + 2 * p, 2 * p + 1)
                       : binomial(d + p, p + 1) * binomial(d + p - 1, p);
    }
    return rank;
}

/// Accepted: on sequences of n tokens the features have the rank that is said of `like` tokens.
Answer rank(const Degrees& degrees, Index d, Index n, Index like) {
    const SpanDimension span = span_dimension(degrees.text(), {.d = d}, {n});
    return {span.is(said(degrees, d, like)) && span.psi == said(degrees, d, 2),
            formatted("{}, d = {}, n = {}: rank {} of {}; said {}",
                      degrees.text(),
                      d,
                      n,
                      span.certified,
                      span.psi,
                      said(degrees, d, like))};
}

Evidence test_degree_rank(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest law(evidence, rank);
    for (const Degrees& degrees : {Degrees{0, 0}, Degrees{1, 1}, Degrees{2, 2}, Degrees{0, 2}}) {
        for (Index d = 1; d <= context.pick(3, 4); ++d) {
            for (Index n = 1; n <= 3; ++n) {
                law.check(Form::tested, degrees, d, n, n);
            }
        }
    }
    law.check(Form::tested, Degrees{3, 3}, Index{2}, Index{1}, Index{1});
    law.check(Form::tested, Degrees{3, 3}, Index{2}, Index{2}, Index{2});
    law.control(Degrees{2, 2}, Index{2}, Index{1}, Index{2});
    law.control(Degrees{0, 2}, Index{2}, Index{2}, Index{1});
    return evidence;
}

}  // namespace

Claim degree_rank() {
    return {
        .id = "family/degree_rank",
        .paper = "docs/families.md",
        .place = "section 8",
        .tested =
            "degree p: sequences of n >= 2 tokens give all psi = C(d+p,p+1) C(d+p-1,p) features "
            "independently; one token gives rank C(d+2p,2p+1), so it leaves psi - C(d+2p,2p+1) "
            "open. For degrees a..b both add up over the degrees",
        .depends_on = "family/decay_rank",
        .method = Method::exact,
        .explain =
            "A combination is sum_t A(x_t^(p+1), z^p). For n >= 2 the monomials of degree p + 1 of "
            "a token before the last times those of degree p of the last are different, so A = 0; "
            "blocks of different p differ in their degrees. For n = 1 every monomial of degree 2p "
            "+ 1 in d variables is such a product, and there are C(d+2p,2p+1). p = 1 is the "
            "paper's layer, C(d+2,3).",
        .run = test_degree_rank,
    };
}

}  // namespace attest::family
