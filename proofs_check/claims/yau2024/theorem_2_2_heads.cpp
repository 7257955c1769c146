#include "core/base/text.hpp"
#include "core/features/coefficients.hpp"
#include "core/heads/split_heads.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

#include <algorithm>

namespace attest::yau2024 {

namespace {

/// Accepted: the SVD's heads, and the rank of W, are at most d² − `fewer` for random integer P.
Answer few_heads(const Stream& stream, Index draws, Index fewer) {
    Index within = 0;
    Index most = 0;
    for (Index i = 0; i < draws; ++i) {
        const Index d = 1 + i % 4;
        const RationalMatrix P = random_integers(feature_dim(d), d, 9, stream.child(i).child("P"));
        const Index rank = rational_rank(symmetric_gauge<Rational>(P, d));
        const Index heads = split_heads(P.cast<double>(), d).heads.num_heads();
        within += std::max(rank, heads) <= d * d - fewer ? 1 : 0;
        most = std::max(most, heads);
    }
    return {within == draws,
            formatted("the rank of W, and the number of heads of the SVD, is at most d^2{} for {} "
                      "of {} random integer P, d <= 4; the most heads are {}",
                      fewer == 0 ? "" : formatted(" - {}", fewer),
                      within,
                      draws,
                      most)};
}

/// Accepted: the least-norm W of one random head of each size has rank d².
Answer rank_of_one_head(const Stream& stream, Index draws, bool singular) {
    Index full = 0;
    for (Index i = 0; i < draws; ++i) {
        const Index d = 2 + i % 2;
        RationalParameters one = random_heads(d, d, 1, 9, stream.child(i).child("one"));
        one.heads[0].V.diagonal().array() += Rational(20);
        one.heads[0].Q.diagonal().array() += Rational(20);
        if (singular) {
            one.heads[0].V.row(0).setZero();
        }
        const RationalMatrix W = symmetric_gauge<Rational>(coefficients(one), d);
        full += rational_rank(W) == d * d ? 1 : 0;
    }
    return {full == draws,
            formatted("one head, d = 2 or 3, {}: the least-norm W has rank d^2 in {} of {} cases",
                      singular ? "V singular" : "V and Q diagonally dominant",
                      full,
                      draws)};
}

Evidence test_theorem_2_2_heads(const ClaimContext& context) {
    Evidence evidence;
    const Index draws = context.pick(24, 120);
    const SharedTest few(evidence, few_heads, kSampled);
    few.check(Form::printed, context.stream, draws, Index{0});
    few.control(context.stream, draws, Index{1});
    const SharedTest one(evidence, rank_of_one_head, kSampled);
    one.check(Form::tested, context.stream, draws, false);
    one.control(context.stream, draws, true);
    return evidence;
}

}  // namespace

Claim theorem_2_2_heads() {
    return {
        .id = "yau2024/theorem_2_2_heads",
        .place = "Theorem 2.2, number of heads",
        .printed = "the learned layer has at most d^2 heads",
        .tested = "the same; the least-norm W usually has exactly d^2, whatever the truth has",
        .depends_on = "yau2024/algorithm_1",
        .method = Method::sampled,
        .severity = Severity::none,
        .explain =
            "W is d^2 x d^2. Symmetrising flatten(V) flatten(Q)' over (b,c) raises the rank "
            "from 1 to d^2 unless V or Q is singular (d >= 2).",
        .run = test_theorem_2_2_heads,
    };
}

}  // namespace attest::yau2024
