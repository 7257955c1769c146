#include "core/features/coefficients.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

namespace attest::yau2024 {

namespace {

Evidence run(const ClaimContext& context) {
    Evidence evidence;
    const Index sets = context.pick(15, 80);
    Index layers = 0;
    Index beaten = 0;
    Index fitted = 0;
    Index perturbed = 0;
    for (Index i = 0; i < sets; ++i) {
        const Stream stream = context.stream.child(i);
        const Index d = 1 + i % 3;
        const Index examples = 1 + i % (2 * feature_dim(d));
        const std::vector<RationalMatrix> Z =
            random_sequences(examples, d, 1 + i % 3, 2, stream.child("Z"));
        const ExactProblem data{feature_rows(Z),
                                random_integers(examples, d, 5, stream.child("y"))};
        const RationalMatrix best = least_squares(data);
        const Rational least = risk(data, best);
        for (Index heads = 0; heads <= 5; ++heads) {
            const RationalParameters theta =
                random_heads(d, d, heads, 2, stream.child("theta").child(heads));
            ++layers;
            beaten += least <= risk(data, coefficients(theta)) ? 1 : 0;
        }
        const RationalParameters truth = random_heads(d, d, 2, 2, stream.child("truth"));
        const ExactProblem realisable = realisable_problem(Z, truth);
        fitted += risk(realisable, least_squares(realisable)) == 0 ? 1 : 0;
        RationalMatrix off = best;
        off(0, 0) += 1;
        perturbed += risk(data, off) > least || data.H.col(0).isZero(Rational(0)) ? 1 : 0;
    }
    evidence.check(
        Form::printed,
        beaten == layers,
        formatted("the training loss of least squares is at most that of {} of {} random integer "
                  "layers with 0 to 5 heads, on {} data sets with arbitrary labels, any N, d <= 3: "
                  "excess 0, no assumption on the inputs",
                  beaten,
                  layers,
                  sets), kSampled);
    evidence.check(Form::printed,
                   fitted == sets,
                   formatted("on labels of a layer it is 0, in {} of {} sets", fitted, sets));
    evidence.check(Form::control,
                   perturbed == sets,
                   "one coefficient off by 1 is noticed wherever its feature is not zero");
    return evidence;
}

}  // namespace

Claim theorem_2_2_training() {
    return {
        .id = "yau2024/theorem_2_2_training",
        .paper = "arXiv 2410.10101",
        .place = "Theorem 2.2, training loss; equation 32",
        .printed =
            "the training loss of the learned layer is within eps of the least of all layers "
            "with any number of heads",
        .tested = "with eps = 0, for every data set",
        .deviation = "",
        .depends_on = "yau2024/definition_2_1",
        .method = Method::exact,
        .documented = Outcome::holds,
        .severity = Severity::none,
        .explain = "Every layer is a P, and the regression takes the least loss over all P.",
        .run = run,
    };
}

}  // namespace attest::yau2024
