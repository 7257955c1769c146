#include "core/features/coefficients.hpp"
#include "core/heads/explicit_heads.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

namespace attest::yau2024 {

namespace {

/// Accepted: d² random heads with o outputs have a W of rank d², for every d up to `largest`.
Answer rank_is_d_squared(Index largest, bool one_output, const Stream& stream) {
    bool all = true;
    std::string ranks;
    for (Index d = 2; d <= largest; ++d) {
        const RationalParameters theta =
            random_heads(d, one_output ? 1 : d, d * d, 3, stream.child(d));
        const Index rank = rational_rank(head_tensor(theta));
        all = all && rank == d * d;
        ranks += formatted("{}{} for d = {}", d == 2 ? "" : ", ", rank, d);
    }
    return {all,
            formatted("{}: d^2 random heads give a W of rank {}",
                      one_output ? "one output" : "d outputs",
                      ranks)};
}

void check_ranks(Evidence& evidence, const ClaimContext& context) {
    const SharedTest rank(evidence, rank_is_d_squared, kSampled);
    const Stream stream = context.stream.child("heads");
    rank.check(Form::printed, context.pick(3, 4), false, stream);
    rank.control(context.pick(4, 6), true, stream);
    bool reached = true;
    for (Index d = 2; d <= context.pick(4, 6); ++d) {
        const RationalMatrix P =
            random_integers(feature_dim(d), 1, 9, context.stream.child("P").child(d));
        const RationalParameters few = unit_value_heads<Rational>(P, d);
        reached = reached && few.num_heads() == d && coefficients(few) == P;
    }
    evidence.check(
        Form::tested, reached, "d heads represent every P of one output that was tried", kSampled);
}

/// y = Σ_e S_ee z_e: with fewer than d heads Σ_h (V_h·x)(xᵀQ_h) vanishes where all V_h·x = 0, but
/// the form is |x|² w.
void check_needed(Evidence& evidence, const ClaimContext& context) {
    bool vanishes = true;
    for (Index d = 2; d <= 4; ++d) {
        const RationalParameters theta =
            random_heads(d, 1, d - 1, 3, context.stream.child("few").child(d));
        RationalMatrix values(d - 1, d);
        for (Index h = 0; h < d - 1; ++h) {
            values.row(h) = theta.heads[static_cast<std::size_t>(h)].V.row(0);
        }
        const RationalVector x = rational_null_space(values).col(0);
        RationalMatrix Z(d, 2);
        Z.col(0) = x;
        Z.col(1) = x;
        const Rational target = squared_norm(Z) * squared_norm(x);
        vanishes = vanishes && output(theta, Z)(0) == 0 && target > 0;
    }
    evidence.check(
        Form::tested,
        vanishes,
        "y = sum_e S_ee z_e needs d heads: for d - 1 heads some x has V_h x = 0 for all h, "
        "the layer gives 0 on Z = [x x], the target is not 0; d = 2, 3, 4",
        kSampled);
}

Evidence test_section_4_1_rank(const ClaimContext& context) {
    Evidence evidence;
    check_ranks(evidence, context);
    check_needed(evidence, context);
    return evidence;
}

}  // namespace

Claim section_4_1_rank() {
    return {
        .id = "yau2024/section_4_1_rank",
        .place = "Section 4.1",
        .printed = "d^2 is the maximum rank of W in the relaxation of Algorithm 1",
        .tested =
            "the same; for one output, as in the experiment beside it, the maximum is d, and d "
            "heads are enough and necessary",
        .depends_on = "yau2024/definition_2_1",
        .method = Method::sampled,
        .severity = Severity::none,
        .remark =
            "the experiment has one output, V in R^(1 x d): there W has only d rows, and d^2 heads "
            "are d times as many as any function needs",
        .explain = "W is (o d) x d^2, so its rank is at most d min(o, d).",
        .run = test_section_4_1_rank,
    };
}

}  // namespace attest::yau2024
