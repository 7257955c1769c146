#include "core/base/text.hpp"
#include "core/features/coefficients.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "proofs_check/exact/exact_problem.hpp"

namespace attest::yau2024 {

namespace {

ExactProblem arbitrary_labels(const Stream& stream, Index i) {
    const Index d = 1 + i % 3;
    const Index examples = 1 + i % (2 * feature_dim(d));
    return {feature_rows(random_sequences(examples, d, 1 + i % 3, 2, stream.child("Z"))),
            random_integers(examples, d, 5, stream.child("y"))};
}

/// Accepted: least squares, its first coefficient moved by `step`, has no larger training loss than
/// itself and any of the layers drawn, on every data set with arbitrary labels.
Answer beats_layers(const Stream& all, Index sets, const Rational& step) {
    Index layers = 0;
    Index beaten = 0;
    for (Index i = 0; i < sets; ++i) {
        const Stream stream = all.child(i);
        const Index d = 1 + i % 3;
        const ExactProblem data = arbitrary_labels(stream, i);
        RationalMatrix P = least_squares(data);
        const Rational least = risk(data, P);
        P(0, 0) += step;
        const Rational loss = risk(data, P);
        ++layers;
        beaten += loss <= least ? 1 : 0;
        for (Index heads = 0; heads <= 5; ++heads) {
            const RationalParameters theta =
                random_heads(d, d, heads, 2, stream.child("theta").child(heads));
            ++layers;
            beaten += loss <= risk(data, coefficients(theta)) ? 1 : 0;
        }
    }
    return {beaten == layers,
            formatted("the training loss of least squares{} is at most that of {} of {} layers, "
                      "itself and random integer ones with 0 to 5 heads, on {} data sets with "
                      "arbitrary labels, any N, d <= 3: excess 0, no assumption on the inputs",
                      step == 0 ? "" : ", one coefficient off by 1,",
                      beaten,
                      layers,
                      sets)};
}

/// Accepted: it is 0 on labels of a layer, plus `noise` in the first label.
Answer fits_layers(const Stream& all, Index sets, const Rational& noise) {
    Index fitted = 0;
    for (Index i = 0; i < sets; ++i) {
        const Stream stream = all.child(i);
        const Index d = 1 + i % 3;
        // Twice the same example, so that a label of its own cannot be fitted.
        std::vector<RationalMatrix> Z =
            random_sequences(2 + i % feature_dim(d), d, 2, 2, stream.child("Z"));
        Z.push_back(Z.front());
        ExactProblem data = realisable_problem(Z, random_heads(d, d, 2, 2, stream.child("truth")));
        data.Y(0, 0) += noise;
        fitted += risk(data, least_squares(data)) == 0 ? 1 : 0;
    }
    return {fitted == sets,
            formatted("on labels of a layer{} it is 0, in {} of {} sets",
                      noise == 0 ? "" : ", one of two equal inputs relabelled,",
                      fitted,
                      sets)};
}

Evidence test_theorem_2_2_training(const ClaimContext& context) {
    Evidence evidence;
    const Index sets = context.pick(15, 80);
    const SharedTest beats(evidence, beats_layers, kSampled);
    beats.check(Form::printed, context.stream, sets, Rational(0));
    beats.control(context.stream, sets, Rational(1));
    const SharedTest fits(evidence, fits_layers, kSampled);
    fits.check(Form::printed, context.stream, sets, Rational(0));
    fits.control(context.stream, sets, Rational(1));
    return evidence;
}

}  // namespace

Claim theorem_2_2_training() {
    return {
        .id = "yau2024/theorem_2_2_training",
        .place = "Theorem 2.2, training loss; equation 32",
        .printed =
            "the training loss of the learned layer is within eps of the least of all layers "
            "with any number of heads",
        .tested = "with eps = 0, for every data set",
        .depends_on = "yau2024/definition_2_1",
        .method = Method::sampled,
        .severity = Severity::none,
        .explain = "Every layer is a P, and the regression takes the least loss over all P.",
        .run = test_theorem_2_2_training,
    };
}

}  // namespace attest::yau2024
