#include "core/features/coefficients.hpp"
#include "core/features/gauge.hpp"
#include "core/heads/split_heads.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

namespace attest::yau2024 {

namespace {

Evidence run(const ClaimContext& context) {
    Evidence evidence;
    const Index draws = context.pick(24, 120);
    bool at_most = true;
    bool from_svd = true;
    bool full = true;
    for (Index i = 0; i < draws; ++i) {
        const Stream stream = context.stream.child(i);
        const Index d = 1 + i % 4;
        const RationalMatrix P = random_integers(feature_dim(d), d, 9, stream.child("P"));
        at_most = at_most && rational_rank(symmetric_gauge<Rational>(P, d)) <= d * d;
        const HeadSplit split = split_heads(P.cast<double>(), d);
        from_svd = from_svd && split.heads.num_heads() <= d * d;
        const RationalParameters one = random_heads(d, d, 1, 9, stream.child("one"));
        const RationalMatrix W = symmetric_gauge<Rational>(coefficients(one), d);
        const bool generic =
            rational_determinant(one.heads[0].V) != 0 && rational_determinant(one.heads[0].Q) != 0;
        full = full && (!generic || d > 3 || rational_rank(W) == d * d);
    }
    evidence.check(Form::printed,
                   at_most && from_svd,
                   formatted("the rank of W, and the number of heads of the SVD, is at most d^2 on "
                             "{} random integer P, d <= 4",
                             draws));
    evidence.check(
        Form::tested,
        full,
        "for regular V and Q the least-norm W of a one-head truth already has rank d^2 (d "
        "= 1, 2, 3): the number of heads is not identified, only the function is");
    const RationalParameters five = random_heads(2, 2, 5, 3, context.stream.child("five"));
    evidence.check(Form::control,
                   five.num_heads() > 4 && rational_rank(head_tensor(five)) == 4,
                   "five heads with d = 2 are written with four: the rank of their W is 4");
    return evidence;
}

}  // namespace

Claim theorem_2_2_heads() {
    return {
        .id = "yau2024/theorem_2_2_heads",
        .paper = "arXiv 2410.10101",
        .place = "Theorem 2.2, number of heads",
        .printed = "the learned layer has at most d^2 heads",
        .tested = "the same; the least-norm W usually has exactly d^2, whatever the truth has",
        .deviation = "",
        .depends_on = "yau2024/algorithm_1",
        .method = Method::exact,
        .documented = Outcome::holds,
        .severity = Severity::none,
        .explain =
            "W is d^2 x d^2. Symmetrising flatten(V) flatten(Q)' over (b,c) raises the rank "
            "from 1 to d^2 unless V and Q are singular.",
        .run = run,
    };
}

}  // namespace attest::yau2024
