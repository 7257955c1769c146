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

/// The shared test of "the phases find more than half of all such layers". It accepts so many
/// successes that a fair coin shows them with probability at most 10⁻⁶, refuses so few, and adds
/// what lies between as undecided.
class FindsMost {
public:
    explicit FindsMost(Evidence& evidence)
        : evidence_(&evidence), test_(evidence, judge, "double") {}

    /// The statement, of these layers.
    void check(const std::string& layers, const Successes& successes) const;

    /// A fault: these layers must not be found.
    void control(const std::string& layers, const Successes& successes) const;

private:
    static Answer judge(const std::string& layers, const Successes& successes);

    [[nodiscard]] bool settles(Form form,
                               const std::string& layers,
                               const Successes& successes) const;

    Evidence* evidence_;
    SharedTest<Answer (*)(const std::string&, const Successes&)> test_;
};

}  // namespace attest::chen_li2024
