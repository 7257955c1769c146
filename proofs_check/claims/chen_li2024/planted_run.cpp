#include "proofs_check/claims/chen_li2024/planted_run.hpp"

#include "core/base/text.hpp"
#include "core/softmax/diagnostics.hpp"

#include <algorithm>
#include <cmath>

namespace attest::chen_li2024 {

namespace {

constexpr Index kHeldOut = 500;
constexpr Index kTraining = 300;  // of the net's regression: 300·k·d labels for 2md² unknowns

/// P(at least `least` heads in n tosses of a fair coin): a binomial tail, every term a double to n
/// roundings.
double coin_tail(Index least, Index n) {
    double term = std::ldexp(1.0, static_cast<int>(-n));
    double sum = 0.0;
    for (Index i = 0; i <= n; ++i) {
        sum += i >= least ? term : 0.0;
        term *= static_cast<double>(n - i) / static_cast<double>(i + 1);
    }
    return sum;
}

bool most(const Successes& successes, double level) {
    return coin_tail(successes.found, successes.layers) <= level;
}

bool few(const Successes& successes, double level) {
    // The coin's law is symmetric.
    return coin_tail(successes.layers - successes.found, successes.layers) <= level;
}

bool found(const SoftmaxResult& result, const SoftmaxHeads& planted) {
    return result.outcome == SoftmaxOutcome::predicts &&
           recovery_error(result.heads(), planted).worst() < kFound;
}

}  // namespace

Successes planted_successes(const SoftmaxAttentionOptions& options,
                            Index examples,
                            Index layers,
                            const Stream& stream) {
    Successes successes;
    for (Index i = 0; i < layers; ++i) {
        const SoftmaxAttention task(options, stream.child(i));
        SoftmaxLearnOptions learning;
        learning.m = options.teacher.heads;
        learning.largest_norm = 1.5 * largest_theta(task.heads());
        learning.polish = false;
        learning.training = kTraining;
        const SoftmaxResult result =
            learn_softmax(softmax_source(task, 0, examples),
                          softmax_source(task, examples, kHeldOut).draw(0, kHeldOut),
                          learning);
        ++successes.layers;
        if (found(result, task.heads())) {
            ++successes.found;
            successes.worst =
                std::max(successes.worst, recovery_error(result.heads(), task.heads()).worst());
        }
    }
    return successes;
}

Successes joined(const Successes& a, const Successes& b) {
    return {a.found + b.found, a.layers + b.layers, std::max(a.worst, b.worst)};
}

Answer FindsMost::judge(const std::string& layers, const Successes& successes, double level) {
    return {most(successes, level),
            formatted("{}: {} of {} layers found, worst parameter error {}",
                      layers,
                      successes.found,
                      successes.layers,
                      successes.worst)};
}

bool FindsMost::settles(Form form, const std::string& layers, const Successes& successes) const {
    if (most(successes, level_) || few(successes, level_)) {
        return true;
    }
    evidence_->undecided(
        form,
        judge(layers, successes, level_).text + ", too few or too many to tell from a fair coin",
        "double");
    return false;
}

void FindsMost::check(const std::string& layers, const Successes& successes) const {
    if (settles(Form::tested, layers, successes)) {
        test_.check(Form::tested, layers, successes, level_);
    }
}

void FindsMost::control(const std::string& layers, const Successes& successes) const {
    if (settles(Form::control, layers, successes)) {
        test_.control(layers, successes, level_);
    }
}

}  // namespace attest::chen_li2024
