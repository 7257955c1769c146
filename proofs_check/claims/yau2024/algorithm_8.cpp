#include "core/features/embedded.hpp"
#include "core/features/gauge.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

namespace attest::yau2024 {

namespace {

Evidence run(const ClaimContext& context) {
    Evidence evidence;
    const Index d = 2;
    const Index largest_from_zero = (d - 1) * d + (d - 1);
    const Index largest_from_one = d * d + d;
    evidence.check(Form::printed,
                   largest_from_zero < d,
                   formatted("d = 2: X is declared d x d, but the column k d + l runs up to {} "
                             "counted from 0 (and to {} > d^2 counted from 1)",
                             largest_from_zero,
                             largest_from_one));
    const Index draws = context.pick(40, 400);
    Index agree = 0;
    Index shifted = 0;
    for (Index i = 0; i < draws; ++i) {
        const Stream stream = context.stream.child(i);
        const Index size = 1 + i % 4;
        const RationalParameters theta = random_heads(size, size, 2, 3, stream.child("theta"));
        const RationalMatrix Z = random_integers(size, 1 + i % 3, 3, stream.child("Z"));
        const RationalMatrix X = embedded_features<Rational>(Z);
        const RationalMatrix W = head_tensor(theta);
        const RationalVector truth = output(theta, Z);
        RationalVector y(size);
        RationalVector off(size);
        for (Index a = 0; a < size; ++a) {
            y(a) = frobenius(W.middleRows(a * size, size), X);
            off(a) = frobenius(W.middleRows((a + 1) % size * size, size), X);
        }
        agree += X.rows() == size && X.cols() == size * size && y == truth ? 1 : 0;
        shifted += off == truth ? 1 : 0;
    }
    evidence.check(
        Form::tested,
        agree == draws,
        formatted("X[j, k d + l] = <z_j, z_k> z_ln, indices from 0, d x d^2, placed in block a: "
                  "<W, X_a> is output a on {} of {} random integer models, d <= 4",
                  agree,
                  draws), kSampled);
    evidence.check(Form::control,
                   shifted < draws,
                   formatted("placed in the next block it is on {} of them", shifted), kSampled);
    return evidence;
}

}  // namespace

Claim algorithm_8() {
    return {
        .id = "yau2024/algorithm_8",
        .paper = "arXiv 2410.10101",
        .place = "Algorithm 8",
        .printed = "X in R^(d x d), X[j, k d + l] = <z_j, z_k> z_ln",
        .tested = "X in R^(d x d^2) with indices from 0; X_a holds it in block a of d rows",
        .deviation = "the declared shape; the index is 0-based, all others in the paper 1-based",
        .depends_on = "yau2024/definition_2_1",
        .method = Method::exact,
        .documented = Outcome::holds_after_correction,
        .severity = Severity::misprint,
        .explain =
            "k d + l numbers d^2 columns, k slow: the order in which a row-major Fold reads Q.",
        .run = run,
    };
}

}  // namespace attest::yau2024
