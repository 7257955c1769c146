#include "core/algebra/symmetric_pack.hpp"
#include "core/base/text.hpp"
#include "core/certify/rank/structural_rank.hpp"
#include "core/layers/parse_layer.hpp"
#include "proofs_check/claims/family/spans.hpp"
#include "proofs_check/claims/family/statements.hpp"
#include "proofs_check/exact/binomial.hpp"

namespace attest::family {

namespace {

std::string listed(const std::vector<Index>& lengths) {
    std::string text;
    for (const Index n : lengths) {
        text += formatted("{}{}", text.empty() ? "" : " and ", n);
    }
    return text;
}

/// Accepted: on all inputs of these lengths the features leave as many dimensions open as said.
Answer open_on_lengths(Index d, const std::vector<Index>& lengths, Index said) {
    const SpanDimension span = span_dimension("affine", {.d = d}, lengths);
    return {span.is(span.psi - said),
            formatted("affine, d = {}, n = {}: rank {} of {}, open {}; said {}",
                      d,
                      listed(lengths),
                      span.certified,
                      span.psi,
                      span.psi - span.certified,
                      said)};
}

/// Accepted: what `attest certify` names as structure at length n are the relations
/// S_00 u_l = weight·1·u_l, one for each of the d + 1 entries of u, and nothing else.
Answer relations(Index d, Index n, Index weight) {
    const Layer layer = layer_named("affine");
    const Index m = d + 1;
    const Index constant = packed_dim(m);
    const Index square = pack_index(m, 0, 0);
    const StructuralRank found = structural_rank(layer, {.d = d}, {{n, n - 1}}).value();
    RationalMatrix all(found.psi, 2 * m);
    all.setZero();
    for (Index l = 0; l < m; ++l) {
        all(square * m + l, l) = 1;
        all(constant * m + l, l) = -weight;
    }
    for (Index l = 0; l < std::ssize(found.identities.vectors); ++l) {
        all.col(m + l) = found.identities.vectors[static_cast<std::size_t>(l)].cast<Rational>();
    }
    const bool same = std::ssize(found.identities.vectors) == m && rational_rank(all) == m;
    return {same,
            formatted("affine, d = {}, n = {}: the verified identities are S_00 u_l = {} u_l, l = "
                      "0..{}: {}",
                      d,
                      n,
                      weight,
                      d,
                      same ? "yes" : "no")};
}

/// ψ − C(d+3, 3): of one token only the monomials of degree 3 in (1, z) are different.
Index open_at_one(Index d) {
    return (packed_dim(d + 1) + 1) * (d + 1) - binomial(d + 3, 3);
}

Evidence test_affine_lengths(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest number(evidence, open_on_lengths);
    const SharedTest named(evidence, relations);
    for (Index d = 1; d <= context.pick(3, 4); ++d) {
        number.check(Form::tested, d, std::vector<Index>{1}, open_at_one(d));
        for (Index n = 2; n <= 4; ++n) {
            number.check(Form::tested, d, std::vector<Index>{n}, d + 1);
        }
        number.check(Form::tested, d, std::vector<Index>{1, 2}, Index{0});
        number.check(Form::tested, d, std::vector<Index>{3, 5}, Index{0});
        named.check(Form::tested, d, Index{3}, Index{3});
    }
    number.control(Index{2}, std::vector<Index>{1}, Index{3});
    number.control(Index{2}, std::vector<Index>{3}, Index{0});
    named.control(Index{2}, Index{3}, Index{2});
    return evidence;
}

}  // namespace

Claim affine_lengths() {
    return {
        .id = "family/affine_lengths",
        .paper = "docs/families.md",
        .place = "section 8",
        .tested =
            "with biases, sequences of one length n >= 2 leave exactly d + 1 dimensions open, n "
            "times the constant being in the sum; at n = 1 they are psi - C(d+3,3), psi = (d+1) "
            "((d+1)(d+2)/2 + 1); two different lengths leave none",
        .depends_on = "family/decay_rank",
        .method = Method::exact,
        .explain =
            "A combination is sum_t A(z~_t z~_t', z~) + b'z~, z~ = (1, z). For n >= 2 a token "
            "before the last has variables of its own, so every entry of A but A_00 vanishes; n "
            "A_00 + b = 0 is left, d + 1 equations for 2 (d + 1) numbers. A second length gives "
            "another n; of two different lengths one is at least 2. At n = 1 the features are the "
            "products of degree 3 in the d + 1 entries of z~.",
        .run = test_affine_lengths,
    };
}

}  // namespace attest::family
