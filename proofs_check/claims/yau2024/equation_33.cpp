#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

namespace attest::yau2024 {

namespace {

/// Two equal inputs with labels 1 and −1. Accepted: the least training loss is at most the bound.
Answer least_loss_within(const Rational& bound) {
    const RationalMatrix one = RationalMatrix::Ones(1, 1);
    const ExactProblem twice{feature_rows({one, one}), RationalMatrix{{1}, {-1}}};
    const RationalMatrix best = least_squares(twice);
    const Rational least = risk(twice, best);
    return {least <= bound,
            formatted("d = n = 1, examples (Z, y) = (1, 1) and (1, -1): the least training loss of "
                      "any model is {} (at p = {}); the bound is {}",
                      least,
                      best(0, 0),
                      bound)};
}

/// Accepted: what the learner returns plus `step` solves the normal equations Hᵀ(HP − Y) = 0, so no
/// P has a smaller loss, on every data set.
Answer minimal(const Stream& stream, Index sets, const Rational& step) {
    Index found = 0;
    for (Index i = 0; i < sets; ++i) {
        const RationalMatrix H =
            feature_rows(random_sequences(9, 2, 2, 3, stream.child(i).child("Z")));
        const ExactProblem data{H, random_integers(9, 2, 5, stream.child(i).child("y"))};
        RationalMatrix P = least_squares(data);
        P(0, 0) += step;
        found += (H.transpose() * (H * P - data.Y)).eval().isZero(Rational(0)) ? 1 : 0;
    }
    return {found == sets,
            formatted("least squares{} solves the normal equations, so that no P has a smaller "
                      "loss, on {} of {} integer data sets with arbitrary labels",
                      step == 0 ? "" : ", one coefficient moved by " + step.str() + ",",
                      found,
                      sets)};
}

Evidence test_equation_33(const ClaimContext& context) {
    Evidence evidence;
    const Rational eps(1, 2);
    const SharedTest loss(evidence, least_loss_within);
    loss.check(Form::printed, eps);
    loss.check(Form::tested, Rational(1 + eps));
    const SharedTest least(evidence, minimal, kSampled);
    const Index sets = context.pick(20, 100);
    least.check(Form::tested, context.stream, sets, Rational(0));
    least.control(context.stream, sets, Rational(1, 4));
    return evidence;
}

}  // namespace

Claim equation_33() {
    return {
        .id = "yau2024/equation_33",
        .place = "Equation 33",
        .printed = "the training loss of the learned model is <= eps",
        .tested = "the training loss is <= min over P of the training loss + eps",
        .deviation = "labels that no layer fits have a positive least loss",
        .method = Method::exact,
        .documented = Outcome::holds_after_correction,
        .severity = Severity::misprint,
        .explain =
            "Theorem 2.2 is stated for arbitrary labels. Two equal inputs with labels 1 and "
            "-1 cost every function at least 1.",
        .run = test_equation_33,
    };
}

}  // namespace attest::yau2024
