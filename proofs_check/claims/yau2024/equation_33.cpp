#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

namespace attest::yau2024 {

namespace {

Evidence run(const ClaimContext& context) {
    Evidence evidence;
    const RationalMatrix one = RationalMatrix::Ones(1, 1);
    const ExactProblem twice{feature_rows({one, one}), RationalMatrix{{1}, {-1}}};
    const RationalMatrix best = least_squares(twice);
    const Rational least = risk(twice, best);
    const Rational eps(1, 2);
    evidence.check(Form::printed,
                   least <= eps,
                   formatted("d = n = 1, examples (Z, y) = (1, 1) and (1, -1): the least training "
                             "loss of any model is {} (at p = {}), above eps = {}",
                             least,
                             best(0, 0),
                             eps));
    const Index sets = context.pick(20, 100);
    Index obeyed = 0;
    Index printed = 0;
    for (Index i = 0; i < sets; ++i) {
        const Stream stream = context.stream.child(i);
        const RationalMatrix H = feature_rows(random_sequences(9, 2, 2, 3, stream.child("Z")));
        const ExactProblem data{H, random_integers(9, 2, 5, stream.child("y"))};
        const RationalMatrix P = least_squares(data);
        bool minimal = true;
        for (Index k = 0; k < 5; ++k) {
            const RationalMatrix step = random_integers(6, 2, 2, stream.child("step").child(k));
            minimal = minimal && risk(data, P) <= risk(data, P + step / Rational(4));
        }
        obeyed += minimal ? 1 : 0;
        printed += risk(data, P) <= eps ? 1 : 0;
    }
    evidence.check(Form::tested,
                   obeyed == sets && risk(twice, best) <= least + eps,
                   formatted("least squares has training loss min <= min + eps: no perturbation "
                             "has less, on {} of {} integer data sets with arbitrary labels",
                             obeyed,
                             sets));
    evidence.check(Form::control,
                   printed < sets,
                   formatted("the printed bound with eps = 1/2 holds on {} of them", printed));
    return evidence;
}

}  // namespace

Claim equation_33() {
    return {
        .id = "yau2024/equation_33",
        .paper = "arXiv 2410.10101",
        .place = "Equation 33",
        .printed = "the training loss of the learned model is <= eps",
        .tested = "the training loss is <= min over P of the training loss + eps",
        .deviation = "labels that no layer fits have a positive least loss",
        .depends_on = "",
        .method = Method::exact,
        .documented = Outcome::holds_after_correction,
        .explain =
            "Theorem 2.2 is stated for arbitrary labels. Two equal inputs with labels 1 and "
            "-1 cost every function at least 1.",
        .run = run,
    };
}

}  // namespace attest::yau2024
