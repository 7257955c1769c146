#include "core/base/text.hpp"
#include "core/softmax/diagnostics.hpp"
#include "proofs_check/claims/chen_li2024/statements.hpp"
#include "proofs_check/exact/rational_algebra.hpp"

namespace attest::chen_li2024 {

namespace {

constexpr Index kEntries = 99;

enum class Values : std::uint8_t { independent, equal };

/// Rank of δp ↦ Σ_i W_iᵀ D δp_i for integer W_i and differences D: m(k−1) iff it is injective.
Index rank_of_rows(Index d, Index k, Index m, Values values, const Stream& stream) {
    const RationalMatrix D = random_integers(d, k - 1, kEntries, stream.child("D"));
    RationalMatrix map(d, m * (k - 1));
    for (Index i = 0; i < m; ++i) {
        const Index draw = values == Values::equal ? 0 : i;
        const RationalMatrix W = random_integers(d, d, kEntries, stream.child("W").child(draw));
        map.middleCols(i * (k - 1), k - 1) = W.transpose() * D;
    }
    return rational_rank(map);
}

/// Accepted: the rank is m(k−1) exactly when d >= m(k−1), for all sizes of at least `fewest` heads.
Answer injective_when_wide(Values values, Index fewest, Index largest, const Stream& stream) {
    Index cases = 0;
    Index agree = 0;
    for (Index d = 2; d <= largest; ++d) {
        for (Index k = 2; k <= 5; ++k) {
            for (Index m = fewest; m <= 4; ++m) {
                const Index rank = rank_of_rows(d, k, m, values, stream.child(d).child(k).child(m));
                ++cases;
                agree += (rank == m * (k - 1)) == rows_are_injective(d, k, m) ? 1 : 0;
            }
        }
    }
    return {agree == cases,
            formatted("{} integer W_i and integer tokens, d to {}, k to 5, m = {} to 4: rank "
                      "m(k-1) exactly when d >= m(k-1) in {} of {} cases",
                      values == Values::equal ? "equal" : "independent",
                      largest,
                      fewest,
                      agree,
                      cases)};
}

Evidence test_rows_injective(const ClaimContext& context) {
    Evidence evidence;
    const Index largest = context.pick(6, 9);
    const SharedTest injective(evidence, injective_when_wide, kSampled);
    injective.check(Form::tested, Values::independent, Index{1}, largest, context.stream);
    injective.control(Values::equal, Index{2}, largest, context.stream);
    return evidence;
}

}  // namespace

Claim rows_injective() {
    return {
        .id = "chen_li2024/rows_injective",
        .paper = "arXiv 2402.04084",
        .place = "Second phase",
        .printed = kNotAtHand,
        .tested =
            "a row's label determines the patterns of m heads with generic W_i, where the k-1 "
            "differences of tokens are independent, if and only if d >= m(k-1)",
        .deviation =
            "the condition is ours: sculpting reads agreement off a small residual, which "
            "needs it",
        .method = Method::sampled,
        .explain =
            "The map from the m(k-1) free probabilities to R^d is linear. It has a kernel when "
            "there are more unknowns than equations; a full rank at one integer point is a full "
            "rank at generic ones.",
        .run = test_rows_injective,
    };
}

}  // namespace attest::chen_li2024
