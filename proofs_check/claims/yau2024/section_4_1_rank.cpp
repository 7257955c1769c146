#include "core/features/coefficients.hpp"
#include "core/features/gauge.hpp"
#include "core/heads/explicit_heads.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

namespace attest::yau2024 {

namespace {

void check_ranks(Evidence& evidence, const ClaimContext& context) {
    bool at_most = true;
    bool attained = true;
    bool reached = true;
    std::string largest;
    for (Index d = 2; d <= context.pick(4, 6); ++d) {
        const RationalParameters theta =
            random_heads(d, 1, d * d, 3, context.stream.child("heads").child(d));
        const Index rank = rational_rank(head_tensor(theta));
        at_most = at_most && rank < d * d;
        attained = attained && rank == d;
        largest += formatted("{}{} for d = {}", d == 2 ? "" : ", ", rank, d);
        const RationalMatrix P =
            random_integers(feature_dim(d), 1, 9, context.stream.child("P").child(d));
        const RationalParameters few = unit_value_heads<Rational>(P, d);
        reached = reached && few.num_heads() == d && coefficients(few) == P;
    }
    evidence.check(
        Form::printed,
        !at_most,
        "V in R^(1 x d), the shape of the experiment: W is d x d^2, and d^2 random heads "
        "give rank " +
            largest + ", never d^2");
    evidence.check(Form::tested,
                   attained && reached,
                   "the largest rank is d, and d heads represent every P (o = 1)");
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
        "the layer gives 0 on Z = [x x], the target is not 0; d = 2, 3, 4");
    const RationalMatrix all = RationalMatrix::Identity(2, 2);
    evidence.check(Form::control,
                   rational_null_space(all).cols() == 0,
                   "with d independent V_h there is no such x");
}

Evidence run(const ClaimContext& context) {
    Evidence evidence;
    check_ranks(evidence, context);
    check_needed(evidence, context);
    return evidence;
}

}  // namespace

Claim section_4_1_rank() {
    return {
        .id = "yau2024/section_4_1_rank",
        .paper = "arXiv 2410.10101",
        .place = "Section 4.1",
        .printed = "d^2 is the maximum rank of W, in the experiment with V in R^(1 x d)",
        .tested = "for one output the maximum rank is d, and d heads are enough and necessary",
        .deviation = "d^2 counts the columns; W has only d rows when there is one output",
        .depends_on = "yau2024/definition_2_1",
        .method = Method::exact,
        .documented = Outcome::holds_after_correction,
        .explain =
            "W is (o d) x d^2. For o = 1 its rank is at most d, so the paper's largest "
            "experiment with d^2 heads has d times as many as any function needs.",
        .run = run,
    };
}

}  // namespace attest::yau2024
