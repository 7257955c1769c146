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

/// The shared test of "the phases find more than half of all such layers", of which a claim makes
/// `checks`. It accepts so many successes that a fair coin shows them with probability at most
/// 10⁻⁶/checks, refuses so few, and adds what lies between as undecided.
class FindsMost {
public:
    FindsMost(Evidence& evidence, Index checks)
        : evidence_(&evidence),
          level_(1e-6 / static_cast<double>(checks)),
          test_(evidence, judge, "double") {}

    /// The statement, of these layers.
    void check(const std::string& layers, const Successes& successes) const;

    /// A fault: these layers must not be found.
    void control(const std::string& layers, const Successes& successes) const;

private:
    static Answer judge(const std::string& layers, const Successes& successes, double level);

    [[nodiscard]] bool settles(Form form,
                               const std::string& layers,
                               const Successes& successes) const;

    Evidence* evidence_;
    double level_;
    SharedTest<Answer (*)(const std::string&, const Successes&, double)> test_;
};

}  // namespace attest::chen_li2024
