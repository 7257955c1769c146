#include "core/algebra/flatten.hpp"
#include "core/features/embedded.hpp"
#include "core/features/gauge.hpp"
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

Evidence run(const ClaimContext& context) {
    Evidence evidence;
    const RationalParameters theta{2, 2, {{unit_matrix(2, 1, 1), unit_matrix(2, 1, 2)}}};
    const RationalMatrix Z = RationalMatrix::Identity(2, 2);
    const RationalMatrix W = head_tensor(theta);
    const RationalVector truth = output(theta, Z);
    evidence.check(Form::printed,
                   outputs(W, display_features(Z)) == truth,
                   "d = 2, V = E_11, Q = E_12, Z = I: the output is " + to_text_vector(truth) +
                       ", flatten(V) flatten(Q)' against the displayed X gives " +
                       to_text_vector(outputs(W, display_features(Z))));
    evidence.check(Form::tested,
                   outputs(W, embedded_features<Rational>(Z)) == truth,
                   "against the X of Algorithm 8's code line it gives the output");
    const Index draws = context.pick(30, 300);
    Index transposed = 0;
    Index untouched = 0;
    for (Index i = 0; i < draws; ++i) {
        const Stream stream = context.stream.child(i);
        const Index d = 2 + i % 3;
        RationalParameters heads = random_heads(d, d, 2, 3, stream.child("theta"));
        const RationalMatrix input = random_integers(d, 2, 3, stream.child("Z"));
        const RationalVector displayed = outputs(head_tensor(heads), display_features(input));
        untouched += displayed == output(heads, input) ? 1 : 0;
        for (HeadOf<Rational>& head : heads.heads) {
            head.Q.transposeInPlace();
        }
        transposed += displayed == output(heads, input) ? 1 : 0;
    }
    evidence.check(Form::tested,
                   transposed == draws,
                   formatted("read with the displayed order, a layer is the one with every Q "
                             "transposed, on {} of {} random integer models",
                             transposed,
                             draws), kSampled);
    evidence.check(Form::control,
                   untouched < draws,
                   formatted("it is the layer itself on {} of them", untouched), kSampled);
    return evidence;
}

}  // namespace

Claim equation_7() {
    return {
        .id = "yau2024/equation_7",
        .paper = "arXiv 2410.10101",
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
        .run = run,
    };
}

}  // namespace attest::yau2024
