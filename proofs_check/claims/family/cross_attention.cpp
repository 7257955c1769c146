#include "core/base/text.hpp"
#include "proofs_check/claims/family/spans.hpp"
#include "proofs_check/claims/family/statements.hpp"

namespace attest::family {

namespace {

/// (n D + n² e eᵀ) ⊗ I with D = 1 on pairs and 2 on squares, e = pack(I): q·d_x rows.
RationalMatrix closed_form(Index d_c, Index d_x, Index n) {
    const Index q = packed_dim(d_c);
    const Index pairs = q - d_c;
    RationalMatrix Lambda = RationalMatrix::Zero(q * d_x, q * d_x);
    for (Index a = 0; a < q; ++a) {
        for (Index b = 0; b < q; ++b) {
            const Rational own = a == b ? n * (a < pairs ? 1 : 2) : 0;
            const Rational mean = a >= pairs && b >= pairs ? n * n : 0;
            for (Index l = 0; l < d_x; ++l) {
                Lambda(a * d_x + l, b * d_x + l) = own + mean;
            }
        }
    }
    return Lambda;
}

/// Accepted: Λ of `layer` is the closed form.
Answer as_derived(const std::string& layer, Index d_c, Index d_x, Index n) {
    const bool same = gaussian_lambda(layer, {.d = d_c, .x = d_x}, n) == closed_form(d_c, d_x, n);
    return {same,
            formatted("{}, d_c = {}, d_x = {}, n = {}: Lambda = (n D + n^2 e e') x I: {}",
                      layer,
                      d_c,
                      d_x,
                      n,
                      same ? "yes" : "no")};
}

/// Accepted: λ_min(Λ) = c.
Answer least(const std::string& layer, Index d_c, Index d_x, Index n, Index c) {
    const RationalMatrix Lambda = gaussian_lambda(layer, {.d = d_c, .x = d_x}, n);
    const bool is_least = is_least_eigenvalue(Lambda, Rational(c));
    return {is_least,
            formatted("{}, d_c = {}, d_x = {}, n = {}: {} is {}the least eigenvalue",
                      layer,
                      d_c,
                      d_x,
                      n,
                      c,
                      is_least ? "" : "not ")};
}

/// Accepted: all features are independent on a context of one token.
Answer one_token(const std::string& layer, Index d) {
    const SpanDimension span = span_dimension(layer, {.d = d, .x = d}, {1});
    return {span.is(span.psi),
            formatted("{}, d = {}, n = 1: rank {} of {}", layer, d, span.certified, span.psi)};
}

Evidence test_cross_attention(const ClaimContext& context) {
    Evidence evidence;
    const std::string cross = "cross";
    const std::string linear = "linear";
    const SharedTest form(evidence, as_derived);
    for (Index n = 1; n <= 3; ++n) {
        // Four different indices of the context and two of x are all that an entry can have.
        form.check(Form::tested, cross, Index{4}, Index{2}, n);
    }
    form.control(linear, Index{2}, Index{2}, Index{2});
    const SharedTest eigenvalue(evidence, least);
    for (Index n = 1; n <= context.pick(3, 5); ++n) {
        eigenvalue.check(Form::tested, cross, Index{2}, Index{2}, n, n);
    }
    eigenvalue.check(Form::tested, cross, Index{3}, Index{1}, Index{2}, Index{2});
    eigenvalue.check(Form::tested, cross, Index{1}, Index{2}, Index{3}, Index{15});
    eigenvalue.control(linear, Index{3}, Index{3}, Index{2}, Index{2});
    eigenvalue.control(cross, Index{1}, Index{1}, Index{2}, Index{2});
    const SharedTest single(evidence, one_token);
    for (const Index d : {1, 2, 3}) {
        single.check(Form::tested, cross, Index{d});
    }
    single.control(linear, Index{2});
    return evidence;
}

}  // namespace

Claim cross_attention() {
    return {
        .id = "family/cross_attention",
        .paper = "docs/families.md",
        .place = "section 8",
        .tested =
            "a context of n independent standard normal columns and an independent standard normal "
            "query: Lambda = (n D + n^2 e e') x I, D = 1 on pairs and 2 on squares, e = pack(I); "
            "so "
            "lambda_min = n for d_c >= 2, n (n + 2) for d_c = 1. One token identifies the layer",
        .depends_on = "family/decay_lambda_min",
        .method = Method::exact,
        .explain =
            "The state does not depend on the query: Lambda = E[s s'] x E[x x']. pack(c c') has "
            "mean e and covariance D, and the tokens are independent. On pairs the matrix is n, on "
            "squares 2 n I + n^2 1 1'. Entries are quadratic in n and depend only on which indices "
            "are equal: n = 1..3 at d_c = 4, d_x = 2 are all of them. Rank at n = 1: the products "
            "c_j c_k x_l are different monomials.",
        .run = test_cross_attention,
    };
}

}  // namespace attest::family
