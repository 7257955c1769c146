#include "core/certify/numerical/spectrum.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/predict.hpp"
#include "core/moments/moment_sums.hpp"
#include "core/moments/triangular_factor.hpp"
#include "core/rng/sample.hpp"
#include "core/solve/orthogonal.hpp"
#include "proofs_check/claims/readers/questions.hpp"
#include "tasks/conditioned_data.hpp"
#include "tasks/gaussian_population.hpp"
#include "tasks/teacher.hpp"

#include <cmath>

namespace attest::readers {

namespace {

constexpr Index kDimension = 3;
constexpr Index kTokens = 6;
constexpr Index kSequences = 1500;
constexpr double kSigma = 0.5;

/// −log of the false-alarm level of one bound; the claim has 32 of them.
const double kTail = -std::log(1e-6 / 32.0);

/// One design, labelled many times over with independent noise: total squared errors.
struct Errors {
    double elsewhere = 0.0;      ///< on Gaussian entries
    double here = 0.0;           ///< on the training inputs
    NoiseExcess predicted;       ///< of `elsewhere`
    NoiseExcess predicted_here;  ///< of `here`: the mean is σ²·o·ψ/N whatever the design
    double labels = 0.0;         ///< how often the design was labelled
};

Errors measure(Violation violation, double degree, Index labellings, const Stream& stream) {
    Dataset data = degraded_sequences({violation, degree, kDimension, kTokens},
                                      kSequences,
                                      stream.child("data"),
                                      stream.child("subspace"));
    TeacherOptions teacher;
    teacher.d = kDimension;
    teacher.o = kDimension;
    const Matrix truth =
        coefficients(random_teacher(teacher, stream.child("teacher"))).replicate(1, labellings);
    data.y = predict(truth, DatasetSource(data)) +
             kSigma * grid_matrix(grid_normal(), truth.cols(), kSequences, stream.child("noise"));
    data.labels = LabelKind::per_sequence;
    const TriangularFactor factor = triangular_factor(DatasetSource(data));
    const Matrix P = fit_qr(factor, kDimension, {}).P;
    const Matrix Lambda = gaussian_second_moment(kDimension, kTokens);
    const Matrix own = factor.R.transpose() * factor.R;
    return {squared_distance(P, truth, Lambda),
            squared_distance(P, truth, own),
            noise_excess(factor, Lambda, kSigma, truth.cols()),
            noise_excess(factor, own, kSigma, truth.cols()),
            static_cast<double>(labellings)};
}

bool between(double value, const NoiseExcess& law) {
    return value > law.lower(kTail) && value < law.upper(kTail);
}

/// Accepted: the errors elsewhere lie between the bounds of this law, which are within a factor of
/// 3 of its mean.
Answer is_predicted(std::string_view where, const Errors& errors, const NoiseExcess& law) {
    return {between(errors.elsewhere, law) && law.upper(kTail) < 3.0 * law.mean &&
                law.lower(kTail) > law.mean / 3.0,
            formatted("{}: error elsewhere {}, predicted {}, and the share of the two lies "
                      "between {} and {}, within a factor of 3",
                      where,
                      errors.elsewhere / errors.labels,
                      law.mean / errors.labels,
                      law.lower(kTail) / law.mean,
                      law.upper(kTail) / law.mean)};
}

void check_violation(Evidence& evidence,
                     const ClaimContext& context,
                     Violation violation,
                     std::string_view name) {
    const Stream stream = context.stream.child(name);
    const Index labellings = context.pick(100, 400);
    const Errors far = measure(violation, 1.0, labellings, stream.child("far"));
    const Errors close = measure(violation, 0.03, labellings, stream.child("close"));
    const SharedTest predicted(evidence, is_predicted, "double");
    predicted.check(Form::tested, formatted("{}, degree 1", name), far, far.predicted);
    predicted.check(Form::tested, formatted("{}, degree 0.03", name), close, close.predicted);
    evidence.check(
        Form::tested,
        between(far.here, far.predicted_here) && between(close.here, close.predicted_here) &&
            close.predicted.lower(kTail) > 4.0 * far.predicted.upper(kTail),
        formatted("{}: on the training inputs the error is {} at degree 1 and {} at 0.03, both as "
                  "sigma^2 o psi/N says, while elsewhere it grows {} times",
                  name,
                  far.here / far.labels,
                  close.here / close.labels,
                  close.elsewhere / far.elsewhere),
        "double");
    predicted.control(
        formatted("{}, degree 0.03, with Lambda_D for Lambda", name), close, close.predicted_here);
}

Evidence test_error_elsewhere(const ClaimContext& context) {
    Evidence evidence;
    for (const auto& [violation, name] : kViolations) {
        check_violation(evidence, context, violation, name);
    }
    return evidence;
}

}  // namespace

Claim error_elsewhere() {
    return {
        .id = "readers/error_elsewhere",
        .place = "a reader's question",
        .printed =
            "no statement, a question: does the certificate tell how large the error is on inputs "
            "unlike the data?",
        .tested =
            "labels with noise of variance sigma^2 in each of o outputs: the mean squared error on "
            "inputs of second moment Lambda is sigma^2 o tr(Lambda Lambda_D^-1)/N, on four kinds "
            "of data that nearly lack the certificate, while on the training inputs it is sigma^2 "
            "o "
            "psi/N whatever the data",
        .depends_on = "yau2024/theorem_2_2_sufficient readers/out_of_distribution",
        .method = Method::statistical,
        .false_alarm = kFalseAlarm,
        .explain =
            "The error of least squares is Lambda_D^-1 (1/N) sum H_i noise_i', with covariance "
            "sigma^2 Lambda_D^-1/N for each output; measured by Lambda that gives the trace, and "
            "measured by Lambda_D itself psi. With Gaussian noise it is a weighted sum of squares, "
            "which leaves known bounds with known probability (Laurent and Massart 2000).",
        .run = test_error_elsewhere,
    };
}

}  // namespace attest::readers
