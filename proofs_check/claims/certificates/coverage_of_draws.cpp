#include "core/base/text.hpp"
#include "core/certify/coverage/coverage.hpp"
#include "proofs_check/claims/certificates/coverage_laws.hpp"
#include "proofs_check/claims/certificates/statements.hpp"

#include <algorithm>
#include <cmath>

namespace attest::certificates {

namespace {

constexpr Index kDraws = 60;
constexpr double kConfidence = 0.9;
/// The upper quantile of the truth that the bound is held against, and the factor allowed.
constexpr double kFactor = 2.5;
/// Statements about frequencies that a run decides: two for each of six laws, two more.
constexpr double kDecided = 14.0;

/// What one data set says.
struct Sample {
    double outside = 1.0;  ///< P[a fresh draw is not determined], the truth
    double at_most = 1.0;  ///< attest's bound
    double excess = 0.0;   ///< P[outside] − rank/(N + 1), of mean at most 0 by exchangeability
};

/// Of a quantile.
struct Bounds {
    double least = 0.0;
    double most = 0.0;
};

struct Samples {
    std::string name;
    std::vector<Sample> all;
    bool same_rank = true;  ///< attest's rank is that of elimination over Q
};

Samples sample(const CoverageLaw& law, Index count, const Stream& stream) {
    Samples samples{law.name(), {}, true};
    for (Index i = 0; i < count; ++i) {
        const std::vector<Index> drawn = law.draw(kDraws, stream.child(i));
        const Dataset data = law.data(drawn);
        const Coverage found = coverage(data, certify_rank(data), kConfidence);
        const CoverageTruth truth = law.truth(drawn);
        samples.same_rank = samples.same_rank && found.rank == truth.rank;
        // The mean rank of N + 1 draws, given N of them, is rank + P[outside].
        const double mean_rank = static_cast<double>(truth.rank) + truth.outside;
        samples.all.push_back(
            {truth.outside, found.at_most, truth.outside - mean_rank / (kDraws + 1.0)});
    }
    return samples;
}

/// What a mean over `count` values in an interval of this length, or an empirical distribution
/// function for length 1, is off by on one side with probability at most 1e-6/14 (Hoeffding 1963;
/// Massart 1990).
double allowance(std::size_t count, double length) {
    return length * std::sqrt(std::log(kDecided * 1e6) / (2.0 * static_cast<double>(count)));
}

/// Accepted: this part of the bound of confidence 0.9 fails in no larger share of the data sets
/// than 0.1, and the mean of P[outside] is at most that of rank/(N + 1), with N + 1 draws.
Answer covers(const Samples& samples, double part) {
    double failures = 0.0;
    double excess = 0.0;
    double mean = 0.0;
    for (const Sample& each : samples.all) {
        failures += each.outside > part * each.at_most ? 1.0 : 0.0;
        excess += each.excess;
        mean += each.outside;
    }
    const std::size_t count = samples.all.size();
    const auto N = static_cast<double>(count);
    const bool covered = failures / N <= 1.0 - kConfidence + allowance(count, 1.0);
    // Excesses lie between −ranks/(N + 1), at most 25 of them, and 1.
    const bool in_the_mean = excess / N <= allowance(count, 1.0 + 25.0 / (kDraws + 1.0));
    return {samples.same_rank && covered && in_the_mean,
            formatted("{}, {} data sets of {} draws: {} of the bound fails in a share {}, allowed "
                      "{}; P[outside] is {} in the mean, {} {} E[rank]/(N+1)",
                      samples.name,
                      count,
                      kDraws,
                      part,
                      failures / N,
                      1.0 - kConfidence,
                      mean / N,
                      std::abs(excess / N),
                      excess <= 0.0 ? "below" : "above")};
}

double quantile(std::vector<double> values, double level) {
    std::sort(values.begin(), values.end());
    const auto at = static_cast<Index>(std::ceil(level * static_cast<double>(values.size()))) - 1;
    return values[static_cast<std::size_t>(std::clamp<Index>(at, 0, std::ssize(values) - 1))];
}

/// The median of `times` the bound beside what the truth exceeds in one of ten data sets: no bound
/// can be below that on this law.
struct Tightness {
    std::string text;
    Bounds median;
    Bounds truth;

    Tightness(const Samples& samples, double times) {
        std::vector<double> bounds;
        std::vector<double> truths;
        for (const Sample& each : samples.all) {
            bounds.push_back(times * each.at_most);
            truths.push_back(each.outside);
        }
        const double slack = allowance(samples.all.size(), 1.0);
        median = {quantile(bounds, 0.5 - slack), quantile(bounds, 0.5 + slack)};
        truth = {quantile(truths, kConfidence - slack), quantile(truths, kConfidence + slack)};
        text = formatted(
            "{}, {} data sets of {} draws: {} times the bound has the median {}, from {} to {} "
            "with room for chance, the truth the upper quantile {}, from {} to {}",
            samples.name,
            samples.all.size(),
            kDraws,
            times,
            quantile(bounds, 0.5),
            median.least,
            median.most,
            quantile(truths, kConfidence),
            truth.least,
            truth.most);
    }
};

/// Accepted: the median is at most 2.5 times the quantile, whatever chance did.
Answer is_tight(const Tightness& found) {
    return {found.median.most <= kFactor * found.truth.least, found.text};
}

/// Whether the factor is kept, exceeded, or the samples are too few to tell.
void decide(Evidence& evidence,
            const SharedTest<Answer (*)(const Tightness&)>& tight,
            Form form,
            const Tightness& found) {
    if (!is_tight(found).accepted && found.median.least <= kFactor * found.truth.most) {
        evidence.undecided(form, found.text + ", too few to tell", "statistical");
    } else if (form == Form::control) {
        tight.control(found);
    } else {
        tight.check(form, found);
    }
}

Evidence test_coverage_of_draws(const ClaimContext& context) {
    Evidence evidence;
    const Index count = context.pick(400, 10000);
    const SharedTest valid(evidence, covers, "statistical");
    const SharedTest<Answer (*)(const Tightness&)> tight(evidence, is_tight, "statistical");
    Index number = 0;
    for (const CoverageLaw& law : coverage_laws()) {
        const Samples samples = sample(law, count, context.stream.child(number++));
        valid.check(Form::tested, samples, 1.0);
        if (law.is_coupons()) {
            decide(evidence, tight, Form::tested, {samples, 1.0});
            decide(evidence, tight, Form::control, {samples, 4.0});
            valid.control(samples, 0.25);
        }
    }
    const CoverageLaw repeated = coverage_laws().front().repeated();
    valid.control(sample(repeated, std::min<Index>(count, 1000), context.stream.child(number)),
                  1.0);
    return evidence;
}

}  // namespace

Claim coverage_of_draws() {
    return {
        .id = "certificates/coverage_of_draws",
        .paper = "docs/certificates.md",
        .place = "How much of the future is determined?",
        .tested =
            "for independent draws from one law, P[a fresh draw is not determined] is above the "
            "epsilon with sum of w_m s_m (1 - epsilon)^(m - N) = 1/delta, s_m the share of "
            "m-subsets that span what all do, in at most a share delta of data sets, and in the "
            "mean at most E[rank]/(N + 1); on the worst of six laws the bound is within a factor "
            "2.5 of what holds there; it fails for draws that repeat one another",
        .depends_on = "certificates/few_outside",
        .method = Method::statistical,
        .false_alarm = kFalseAlarm,
        .explain =
            "Laws on finitely many inputs: the truth is the weight of those outside the span of "
            "what has been drawn, by elimination over Q. Rank and bound are attest's. A quarter of "
            "the bound fails on coupons, and so does the bound itself where every draw is the "
            "first one again. The allowances are Hoeffding's and Massart's, 1e-6 for all together. "
            "The proof is in docs/certificates.md.",
        .run = test_coverage_of_draws,
    };
}

}  // namespace attest::certificates
