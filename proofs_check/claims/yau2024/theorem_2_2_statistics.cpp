#include "core/certify/numerical/spectrum.hpp"
#include "core/features/coefficients.hpp"
#include "core/moments/triangular_factor.hpp"
#include "core/solve/orthogonal.hpp"
#include "proofs_check/claims/yau2024/statements.hpp"
#include "record/summary.hpp"
#include "tasks/agnostic_labels.hpp"
#include "tasks/gaussian_population.hpp"
#include "tasks/iid_entries.hpp"
#include "tasks/noisy_labels.hpp"
#include "tasks/random_linear_attention.hpp"

#include <cmath>

namespace attest::yau2024 {

namespace {

constexpr Index kTokens = 4;
constexpr double kSigma = 1.0;

/// −log of the false-alarm level of one bound; the claim has sixteen of them at most, and half of
/// its 1e-6 for them.
const double kTail = -std::log(5e-7 / 16.0);

/// Student's t with at least 39 degrees of freedom is beyond ± this with probability below 3e-8;
/// the claim has at most sixteen means.
constexpr double kStudent = 7.0;

/// Least squares on the first N examples of some repetitions, in units of its limit σ²dψ/N.
struct Sampled {
    double total = 0.0;          ///< Σ over repetitions of N·excess
    NoiseExcess predicted;       ///< of that sum, given the designs
    std::vector<double> traces;  ///< N·(predicted mean) of each repetition
};

Sampled with_noise(Index d, Index N, Index repetitions, const Stream& stream) {
    RandomLinearAttentionOptions options;
    options.d = d;
    options.n = {kTokens, kTokens};
    options.heads = 2;
    const Matrix Lambda = gaussian_second_moment(d, kTokens);
    const double unit =
        static_cast<double>(N) / (kSigma * kSigma * static_cast<double>(d * feature_dim(d)));
    Sampled sampled;
    double variance = 0.0;
    for (Index i = 0; i < repetitions; ++i) {
        const Stream own = stream.child(i);
        const NoisyLabels task(random_linear_attention(options, own), kSigma, own.child("noise"));
        const TriangularFactor factor = triangular_factor(TaskSource(task, 0, N));
        const NoiseExcess law = noise_excess(factor, Lambda, kSigma, d);
        sampled.total +=
            unit *
            squared_distance(fit_qr(factor, d, {}).P, coefficients(*task.truth().heads), Lambda);
        sampled.traces.push_back(unit * law.mean);
        sampled.predicted.mean += unit * law.mean;
        variance += unit * unit * law.deviation * law.deviation;
        sampled.predicted.largest = std::max(sampled.predicted.largest, unit * law.largest);
    }
    sampled.predicted.deviation = std::sqrt(variance);
    return sampled;
}

/// A mean of samples against a value that it is said to be near to.
struct Nearness {
    Summary summary;
    double value;
    double tolerance;
    std::string text;

    [[nodiscard]] double off() const { return std::abs(summary.mean - value); }

    [[nodiscard]] double error() const { return kStudent * summary.standard_error; }

    [[nodiscard]] std::string numbers() const {
        return formatted("{} within {} of {}: {} +- {} over {}",
                         text,
                         tolerance,
                         value,
                         summary.mean,
                         summary.standard_error,
                         summary.count);
    }
};

Answer is_near(const Nearness& nearness) {
    return {nearness.off() < nearness.tolerance, nearness.numbers()};
}

/// Whether |mean − value| is below the tolerance, above it, or too close to tell; the fault is a
/// value that must be refused.
void decide(Evidence& evidence,
            const SharedTest<Answer (*)(const Nearness&)>& near,
            Form form,
            const Nearness& nearness) {
    if (std::abs(nearness.off() - nearness.tolerance) <= nearness.error()) {
        evidence.undecided(form, nearness.numbers() + ", too uncertain to tell", "double");
    } else if (form == Form::control) {
        near.control(nearness);
    } else {
        near.check(form, nearness);
    }
}

/// Two multiples of ψ. The fewer features, the more a rare sequence weighs, and the later the limit
/// is reached.
struct Range {
    Index d;
    Index near;
    Index far;
};

/// Accepted: the measured sum lies between the bounds, where noise counts in so many outputs.
Answer is_between_bounds(const Range& range, Index multiple, const Sampled& found, Index outputs) {
    const auto count = static_cast<double>(found.traces.size());
    const double total = found.total * static_cast<double>(range.d) / static_cast<double>(outputs);
    return {total > found.predicted.lower(kTail) && total < found.predicted.upper(kTail),
            formatted("d = {}, N = {} psi: N excess/(sigma^2 {} psi) is {} on average, between {} "
                      "and {}",
                      range.d,
                      multiple,
                      outputs,
                      total / count,
                      found.predicted.lower(kTail) / count,
                      found.predicted.upper(kTail) / count)};
}

void check_noise(Evidence& evidence, const ClaimContext& context, const Range& range) {
    const Index repetitions = context.pick(40, 200);
    const auto sampled = [&](Index multiple) {
        return with_noise(range.d,
                          multiple * feature_dim(range.d),
                          repetitions,
                          context.stream.child("noise").child(range.d).child(multiple));
    };
    const Sampled near = sampled(range.near);
    const Sampled far = sampled(range.far);
    const SharedTest between(evidence, is_between_bounds, "double");
    between.check(Form::tested, range, range.near, near, range.d);
    between.check(Form::tested, range, range.far, far, range.d);
    between.control(range, range.far, far, 1);
    const std::string where = formatted("d = {}, N = {} psi: ", range.d, range.far);
    const SharedTest limit(evidence, is_near, "double");
    decide(evidence,
           limit,
           Form::tested,
           {summarise(far.traces), 1.0, 0.15, where + "tr(Lambda Lambda_D^-1)/psi is"});
    std::vector<double> exponents;
    const double growth = static_cast<double>(range.far) / static_cast<double>(range.near);
    for (std::size_t i = 0; i < far.traces.size(); ++i) {
        exponents.push_back(std::log(far.traces[i] / near.traces[i]) / std::log(growth) - 1.0);
    }
    decide(evidence,
           limit,
           Form::tested,
           {summarise(exponents),
            -1.0,
            0.15,
            where + formatted("exponent of N in the mean excess given the design, sigma^2 d "
                              "tr(Lambda Lambda_D^-1)/N, from {} psi on, is",
                              range.near)});
}

/// A function that no layer computes: cubic in every token. Its population is known exactly.
void check_agnostic(Evidence& evidence, const ClaimContext& context) {
    constexpr Index kDimension = 3;
    const Matrix Lambda = gaussian_second_moment(kDimension, kTokens);
    IidEntriesOptions options;
    options.d = kDimension;
    options.n = {kTokens, kTokens};
    std::vector<double> exponents;
    for (Index i = 0; i < context.pick(60, 300); ++i) {
        const Stream own = context.stream.child("cubic").child(i);
        const AgnosticLabels task(
            iid_entries(options, own), AgnosticKind::token_cubic, own.child("labels"));
        const CubicPopulation population = cubic_population(
            token_cubic_factors(kDimension, kDimension, own.child("labels")), kDimension, kTokens);
        std::vector<double> excess;
        for (const Index multiple : {Index{8}, Index{128}}) {
            const TaskSource source(task, 0, multiple * feature_dim(kDimension));
            const Matrix P = fit_qr(triangular_factor(source), kDimension, {}).P;
            excess.push_back(squared_distance(P, population.best, Lambda));
        }
        exponents.push_back(std::log(excess[1] / excess[0]) / std::log(16.0));
    }
    const SharedTest exponent(evidence, is_near, "double");
    const std::string text =
        "labels cubic in every token, which no layer computes, d = 3: exponent of N in the excess "
        "over the best layer, between 8 psi and 128 psi, is";
    decide(evidence, exponent, Form::tested, {summarise(exponents), -1.0, 0.25, text});
    decide(evidence, exponent, Form::control, {summarise(exponents), -0.5, 0.25, text});
}

Evidence test_theorem_2_2_statistics(const ClaimContext& context) {
    Evidence evidence;
    for (const Range& range : {Range{2, 64, 512}, Range{3, 32, 128}, Range{4, 32, 128}}) {
        check_noise(evidence, context, range);
    }
    if (context.profile == Profile::full) {
        check_noise(evidence, context, {5, 32, 128});
    }
    check_agnostic(evidence, context);
    return evidence;
}

}  // namespace

Claim theorem_2_2_statistics() {
    return {
        .id = "yau2024/theorem_2_2_statistics",
        .place = "Theorem 2.2, excess risk on Gaussian tokens",
        .tested =
            "for N well above psi the excess risk falls like 1/N; with noise of variance sigma^2 "
            "in "
            "each of d outputs it is sigma^2 d psi/N, so sigma^2 d^4/(2N) to leading order in d",
        .deviation = "what the bound O(d^4/N) becomes where its assumptions hold",
        .depends_on = "yau2024/theorem_2_2_sufficient",
        .method = Method::statistical,
        .false_alarm = kFalseAlarm,
        .explain =
            "Given the design, the excess under Gaussian noise is a weighted sum of squares whose "
            "weights are known, so the sum over repetitions must lie between two bounds (Laurent "
            "and Massart 2000). Its mean is sigma^2 d tr(Lambda Lambda_D^-1)/N, and the trace "
            "tends "
            "to psi. With noise the exponent of N is that of this mean, not of single measured "
            "errors; "
            "those must lie between the bounds. With cubic labels it is measured. The population "
            "Lambda comes from exact moments of the entries.",
        .run = test_theorem_2_2_statistics,
    };
}

}  // namespace attest::yau2024
