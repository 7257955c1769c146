#include "core/algebra/matrix.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/embedded.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

namespace attest::yau2024 {

namespace {

/// X with k fast and l slow, as in the display.
RationalMatrix display_features(const RationalMatrix& Z) {
    const Index d = Z.rows();
    const RationalMatrix X = embedded_features<Rational>(Z);
    RationalMatrix displayed(d, d * d);
    for (Index k = 0; k < d; ++k) {
        for (Index l = 0; l < d; ++l) {
            displayed.col(l * d + k) = X.col(k * d + l);
        }
    }
    return displayed;
}

/// Output a of the heads that fold row-major from a W regressed on the features X.
RationalVector outputs(const RationalMatrix& W, const RationalMatrix& X) {
    const Index d = X.rows();
    RationalVector y(d);
    for (Index a = 0; a < d; ++a) {
        y(a) = frobenius(W.middleRows(a * d, d), X);
    }
    return y;
}

enum class Order : std::uint8_t { displayed, code_line };

RationalMatrix features_in(Order order, const RationalMatrix& Z) {
    return order == Order::displayed ? display_features(Z) : embedded_features<Rational>(Z);
}

/// d = 2, V = E_11, Q = E_12, Z = I. Accepted: flatten(V) flatten(Q)' against X is the output.
Answer smallest_order(Order order) {
    const RationalParameters theta{2, 2, {{unit_matrix(2, 1, 1), unit_matrix(2, 1, 2)}}};
    const RationalMatrix Z = RationalMatrix::Identity(2, 2);
    const RationalVector found = outputs(head_tensor(theta), features_in(order, Z));
    const RationalVector truth = output(theta, Z);
    return {found == truth,
            formatted("d = 2, V = E_11, Q = E_12, Z = I: the output is {}, flatten(V) flatten(Q)' "
                      "against the X of {} gives {}",
                      to_text_vector(truth),
                      order == Order::displayed ? "the display" : "Algorithm 8's code line",
                      to_text_vector(found))};
}

/// Accepted: read with the displayed order a layer is the one with every Q transposed, or with no Q
/// transposed, on every random model.
Answer displayed_is(const Stream& stream, Index draws, bool transposed) {
    Index agree = 0;
    for (Index i = 0; i < draws; ++i) {
        const Index d = 2 + i % 3;
        RationalParameters heads = random_heads(d, d, 2, 3, stream.child(i).child("theta"));
        const RationalMatrix Z = random_integers(d, 2, 3, stream.child(i).child("Z"));
        const RationalVector displayed = outputs(head_tensor(heads), display_features(Z));
        if (transposed) {
            for (HeadOf<Rational>& head : heads.heads) {
                head.Q.transposeInPlace();
            }
        }
        agree += displayed == output(heads, Z) ? 1 : 0;
    }
    return {agree == draws,
            formatted("read with the displayed order, a layer is {}, on {} of {} random integer "
                      "models",
                      transposed ? "the one with every Q transposed" : "itself",
                      agree,
                      draws)};
}

Evidence test_equation_7(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest order(evidence, smallest_order);
    order.check(Form::printed, Order::displayed);
    order.check(Form::tested, Order::code_line);
    const SharedTest meaning(evidence, displayed_is, kSampled);
    const Index draws = context.pick(30, 300);
    meaning.check(Form::tested, context.stream, draws, true);
    meaning.control(context.stream, draws, false);
    return evidence;
}

}  // namespace

Claim equation_7() {
    return {
        .id = "yau2024/equation_7",
        .place = "Displays 1, 7 and 68",
        .printed = "the columns of X(Z) in the order l slow, k fast",
        .tested = "the order of Algorithm 8's code line: k slow, l fast",
        .deviation = "with the displayed order the row-major Fold returns Q' in place of Q",
        .depends_on = "yau2024/algorithm_8",
        .method = Method::exact,
        .documented = Outcome::holds_after_correction,
        .severity = Severity::misprint,
        .explain =
            "flatten(Q) is row-major, so its entry k d + l is Q[k,l]; the column of X it meets "
            "must hold <z_j, z_k> z_ln.",
        .run = test_equation_7,
    };
}

}  // namespace attest::yau2024
