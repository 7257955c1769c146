#include "core/features/coefficients.hpp"
#include "core/features/embedded.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

namespace attest::yau2024 {

namespace {

/// Accepted: with indices from `first` on the columns k d + l of dimension d are the d^2 columns of
/// X, numbered from `first` on too.
Answer wide_enough(Index d, Index first) {
    const Index least = first * d + first;
    const Index largest = least + d * d - 1;
    return {
        least == first,
        formatted("d = {}: for k and l from {} to {} the column k d + l runs from {} to {}, the "
                  "{} columns of X are numbered {} to {}",
                  d,
                  first,
                  first + d - 1,
                  least,
                  largest,
                  d * d,
                  first,
                  first + d * d - 1)};
}

/// Accepted: ⟨W, X placed `shift` blocks below block a⟩ is output a, on every random model.
Answer embedded_gives_outputs(const Stream& stream, Index draws, Index shift) {
    Index agree = 0;
    for (Index i = 0; i < draws; ++i) {
        const Index d = 2 + i % 3;
        const RationalParameters theta = random_heads(d, d, 2, 3, stream.child(i).child("theta"));
        const RationalMatrix Z = random_integers(d, 1 + i % 3, 3, stream.child(i).child("Z"));
        const RationalMatrix X = embedded_features<Rational>(Z);
        const RationalMatrix W = head_tensor(theta);
        RationalVector y(d);
        for (Index a = 0; a < d; ++a) {
            y(a) = frobenius(W.middleRows((a + shift) % d * d, d), X);
        }
        agree += X.rows() == d && X.cols() == d * d && y == output(theta, Z) ? 1 : 0;
    }
    return {agree == draws,
            formatted("X[j, k d + l] = <z_j, z_k> z_ln, indices from 0, d x d^2, placed in {} a: "
                      "<W, X_a> is output a on {} of {} random integer models, d <= 4",
                      shift == 0 ? "block" : "the block after block",
                      agree,
                      draws)};
}

Evidence test_algorithm_8(const ClaimContext& context) {
    Evidence evidence;
    const SharedTest shape(evidence, wide_enough);
    shape.check(Form::printed, Index{2}, Index{1});
    shape.check(Form::tested, Index{2}, Index{0});
    const SharedTest outputs(evidence, embedded_gives_outputs, kSampled);
    const Index draws = context.pick(40, 400);
    outputs.check(Form::tested, context.stream, draws, Index{0});
    outputs.control(context.stream, draws, Index{1});
    return evidence;
}

}  // namespace

Claim algorithm_8() {
    return {
        .id = "yau2024/algorithm_8",
        .place = "Algorithm 8",
        .printed = "X[j, k d + l] = <z_j, z_k> z_ln for j, k, l in [d] = {1, ..., d}",
        .tested = "X in R^(d x d^2) with indices from 0; X_a holds it in block a of d rows",
        .deviation =
            "the index k d + l counts from 0, [d] from 1. The shape that the algorithm declares "
            "for "
            "X, d x d in the one text copy that has it, is not held against the print: that copy "
            "loses the same square in (7), where another has it",
        .depends_on = "yau2024/definition_2_1",
        .method = Method::exact,
        .documented = Outcome::holds_after_correction,
        .severity = Severity::misprint,
        .explain =
            "k d + l numbers d^2 columns, k slow: the order in which a row-major Fold reads Q.",
        .run = test_algorithm_8,
    };
}

}  // namespace attest::yau2024
