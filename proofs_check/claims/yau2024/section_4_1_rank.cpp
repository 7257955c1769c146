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

/// y = Σ_e S_ee z_e of the stated layer, Z = [x, z].
Rational weighted_query(const RationalVector& x, const RationalVector& z) {
    Rational y = 0;
    for (Index e = 0; e < x.size(); ++e) {
        y += (x(e) * x(e) + z(e) * z(e)) * z(e);
    }
    return y;
}

/// a of f(x, t·w) = a t + b t³, as of every layer with one output on [x, t·w].
template <class Function>
Rational linear_part(const Function& f, const RationalVector& x, const RationalVector& w) {
    return (8 * f(x, w) - f(x, RationalVector(2 * w))) / 6;
}

/// Accepted: some x ≠ 0 has V_h x = 0 for all heads, and a query that is small beside it tells the
/// layer from y: the layer has no linear part there, y has Σ x_e⁴ in the direction of the x_e².
Answer is_not_weighted_query(const RationalParameters& theta) {
    const Index d = theta.d;
    RationalMatrix values(theta.num_heads(), d);
    for (Index h = 0; h < theta.num_heads(); ++h) {
        values.row(h) = theta.heads[static_cast<std::size_t>(h)].V.row(0);
    }
    const RationalMatrix unseen = rational_null_space(values);
    if (unseen.cols() == 0) {
        return {false,
                formatted("d = {}, {} heads: only x = 0 has V_h x = 0", d, theta.num_heads())};
    }
    const RationalVector x = unseen.col(0);
    const RationalVector w = x.cwiseProduct(x);
    const auto layer = [&](const RationalVector& first, const RationalVector& query) -> Rational {
        RationalMatrix Z(d, 2);
        Z << first, query;
        return output(theta, Z)(0);
    };
    const Rational of_layer = linear_part(layer, x, w);
    const Rational of_y = linear_part(weighted_query, x, w);
    return {
        of_layer == 0 && of_y == squared_norm(w) && of_y != 0,
        formatted("d = {}, {} heads, an x with V_h x = 0 and w = (x_e^2): on [x, t w] the layer "
                  "has {} t, y has {} t",
                  d,
                  theta.num_heads(),
                  of_layer,
                  of_y)};
}

/// Head e weighs S_ee with z_e: together they are y.
RationalParameters weighted_query_heads(Index d) {
    RationalParameters theta{d, 1, {}};
    for (Index e = 1; e <= d; ++e) {
        theta.heads.push_back({unit_matrix(d, e, e).row(e - 1), unit_matrix(d, e, e)});
    }
    return theta;
}

void check_needed(Evidence& evidence, const ClaimContext& context) {
    const SharedTest needs_d(evidence, is_not_weighted_query, kSampled);
    for (Index d = 2; d <= 4; ++d) {
        needs_d.check(Form::tested,
                      random_heads(d, 1, d - 1, 3, context.stream.child("few").child(d)));
        needs_d.control(weighted_query_heads(d));
    }
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
        .explain =
            "W is (o d) x d^2, so its rank is at most d min(o, d). y = sum_e S_ee z_e needs d "
            "heads: "
            "with fewer some x other than 0 has V_h x = 0 for all of them, and then the layer on "
            "[x, t w] has no part that is linear in t, while y has sum_e x_e^2 w_e, which is "
            "positive for w_e = x_e^2.",
        .run = test_section_4_1_rank,
    };
}

}  // namespace attest::yau2024
