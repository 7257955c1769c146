#include "core/base/text.hpp"
#include "core/layers/parse_layer.hpp"
#include "proofs_check/claims/family/banks.hpp"
#include "proofs_check/claims/family/spans.hpp"
#include "proofs_check/claims/family/statements.hpp"
#include "proofs_check/exact/binomial.hpp"
#include "proofs_check/exact/rational_sequence.hpp"

namespace attest::family {

namespace {

/// r·d·d(d+1)/2 + [κ(0) not in the row space of K]·C(d+2, 3), r = rank K; without the last term
/// where the last token is forgotten.
Index said(const Bank& bank, Index d, Index n, bool with_last_token) {
    const Index r = rational_rank(kernel_rows(bank, 1, n));
    const bool outside = rational_rank(kernel_rows(bank, 0, n)) > r;
    return r * feature_dim(d) + (with_last_token && outside ? binomial(d + 2, 3) : 0);
}

/// Accepted: the dimension of the span of the features is the one said, for every d up to `largest`
/// and n = 1 … G + 2.
Answer ranks(const Bank& bank, Index largest, bool with_last_token) {
    bool all = true;
    std::string found;
    for (Index d = 1; d <= largest; ++d) {
        found += formatted("{}d = {}:", d == 1 ? "" : "; ", d);
        for (Index n = 1; n <= bank.sums + 2; ++n) {
            const SpanDimension span = span_dimension(bank.layer, {.d = d}, {n});
            all = all && span.is(said(bank, d, n, with_last_token));
            found += formatted(" {}", span.certified);
        }
    }
    return {all,
            formatted("{}, n = 1 to {}: ranks {}; {} r d d(d+1)/2{}",
                      bank.layer,
                      bank.sums + 2,
                      found,
                      all ? "all are" : "not all are",
                      with_last_token ? " + [kappa(0) outside] C(d+2,3)" : "")};
}

/// Accepted: all psi features are independent on sequences of n tokens.
Answer told_apart(const std::string& layer, Index d, Index n) {
    const SpanDimension span = span_dimension(layer, {.d = d}, {n});
    return {span.is(span.psi),
            formatted("{}, d = {}, n = {}: rank {} of {}", layer, d, n, span.certified, span.psi)};
}

/// Accepted: the features of psi + 4 sequences of n random integer tokens have the rank said. With
/// `repeated` every token of a sequence is the same.
Answer generic(const Bank& bank, Index d, Index n, bool repeated, const Stream& stream) {
    const Layer layer = layer_named(bank.layer);
    const Index psi = layout_of(layer, {.d = d}).psi();
    RationalMatrix H(psi + 4, psi);
    for (Index i = 0; i < H.rows(); ++i) {
        RationalMatrix Z = random_integers(d, n, 9, stream.child(i));
        if (repeated) {
            Z = Z.col(0).eval().replicate(1, n).eval();
        }
        H.row(i) = rational_features(layer, {.d = d}, rational_sequence(Z)).transpose();
    }
    const Index rank = rational_rank(H);
    return {rank == said(bank, d, n, true),
            formatted("{}, d = {}, n = {}: {} sequences of {} have rank {}",
                      bank.layer,
                      d,
                      n,
                      H.rows(),
                      repeated ? "one random integer token, repeated," : "random integer tokens",
                      rank)};
}

Evidence test_decay_rank(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest law(evidence, ranks);
    for (const Bank& bank : banks()) {
        law.check(Form::tested, bank, context.pick(3, 4), true);
    }
    law.control(banks().front(), Index{2}, false);
    const SharedTest different(evidence, told_apart);
    const std::string decays = banks().front().layer;
    different.check(Form::tested, decays, Index{2}, Index{4});
    different.check(Form::tested, decays, Index{3}, Index{4});
    different.check(Form::tested, decays, Index{1}, Index{3});
    different.control(decays, Index{2}, Index{3});
    different.control(decays, Index{1}, Index{2});
    different.control(std::string("decay=1/2,1/2"), Index{2}, Index{9});
    const SharedTest random(evidence, generic, kSampled);
    for (const Index n : {2, 3}) {
        random.check(Form::tested, banks()[3], Index{2}, Index{n}, false, context.stream.child(n));
    }
    random.control(banks()[3], Index{2}, Index{3}, true, context.stream.child("repeated"));
    return evidence;
}

}  // namespace

Claim decay_rank() {
    return {
        .id = "family/decay_rank",
        .paper = "docs/families.md",
        .place = "section 8",
        .tested =
            "kernels kappa_1..kappa_G of the distance, sequences of n tokens, K the matrix of "
            "kappa_g(delta), delta = 1..n-1, r = rank K: the features have rank r d d(d+1)/2, and "
            "C(d+2,3) more where kappa(0) is not in the row space of K. So G different decays are "
            "told apart iff n >= G + 1 (n >= G for d = 1), equal ones never",
        .depends_on = "yau2024/lemma_a5",
        .method = Method::exact,
        .explain =
            "A combination is v_1..v_G in T = Sym^2 x R^d; it is the sum over delta of A_delta(x "
            "x', z), A_delta = sum_g kappa_g(delta) v_g and x the token delta before z. Entries of "
            "different tokens are different variables, so it vanishes iff A_delta = 0 for delta >= "
            "1 and Sym A_0 = 0: K v = 0, and one condition more in Sym^3, of dimension C(d+2,3), "
            "which follows from the others iff kappa(0) is a combination of the rows of K. Powers "
            "of different decays are Vandermonde: r = min(n-1, G). Each rank is that of all "
            "inputs, by verified null vectors and again by elimination over Q; generic data have "
            "it too.",
        .machine_checked = {"decay.v: equal_decays_deficient, decay_bank_rank",
                            "equal decays are never told apart, and rank at most psi times that "
                            "of all kappa_g(delta), delta = 0..n-1"},
        .run = test_decay_rank,
    };
}

}  // namespace attest::family
