#pragma once

#include "core/softmax/pipeline.hpp"
#include "proofs_check/claims/claim.hpp"
#include "tasks/softmax_attention.hpp"

namespace attest::chen_li2024 {

/// How many of some planted layers the six phases find before any polish: held-out error of the
/// net's winner below kNetSuccess, and every Θ_i and W_i within kFound of the planted ones.
struct Successes {
    Index found = 0;
    Index layers = 0;
    double worst = 0.0;  ///< parameter error among those found
};

/// Relative Frobenius error that counts as found. The net's spacing alone is a twentieth of the
/// norm window for two heads; 0.3 is well below the distance of independent heads, about √2.
inline constexpr double kFound = 0.3;

/// Runs the phases on `layers` layers, each with its own examples: independent trials.
[[nodiscard]] Successes planted_successes(const SoftmaxAttentionOptions& options,
                                          Index examples,
                                          Index layers,
                                          const Stream& stream);

/// The two counts together.
[[nodiscard]] Successes joined(const Successes& a, const Successes& b);

/// Whether a fair coin would show at least so many successes with probability at most 10⁻⁶: then
/// the phases find more than half of all layers. Binomial tail, summed exactly in double.
[[nodiscard]] bool most(const Successes& successes);

/// The same for at most so many: the phases find less than half.
[[nodiscard]] bool few(const Successes& successes);

/// Adds a finding on "the phases find more than half": holds where most(), violated where few(),
/// else undecided.
void check_most(Evidence& evidence, const std::string& layers, const Successes& successes);

/// "9 of 10 layers, worst parameter error 0.02".
[[nodiscard]] std::string describe(const Successes& successes);

}  // namespace attest::chen_li2024
