#pragma once

#include <cstdint>
#include <string_view>

namespace attest {

/// What the phases can find wrong. Warnings do not stop the algorithm.
enum class SoftmaxNotice : std::uint8_t {
    rows_not_injective,   ///< warning: d < m(k−1)
    sum_zero,             ///< stop: Ŵ vanishes beside the labels
    sum_singular,         ///< warning: the refined Σ W is nearly singular
    too_few_constraints,  ///< stop: fewer than d² + m constraints survive
    coverage,             ///< warning: the tokens of the third phase miss a direction
    no_hull,              ///< stop: every candidate hull was rejected
    weak_gap,             ///< warning: the singular values show no clear gap
    net_empty,            ///< stop: the norm window does not reach the hull
    budget,               ///< stop: too many tuples
    net_inaccurate,       ///< the net's winner does not predict held-out labels
    not_validated,        ///< the result does not predict held-out labels
    redundant_head,       ///< fewer heads than asked for compute the same labels
};

/// σ_m/σ_{m+1} below which the singular values show no clear gap.
constexpr double kWeakGap = 3.0;

/// snake_case, as in files and on the command line.
[[nodiscard]] std::string_view to_string(SoftmaxNotice notice);

/// One line for people: what was seen, what it means, what helps.
[[nodiscard]] std::string_view explanation(SoftmaxNotice notice);

/// What a run amounts to. Only `recovered` and `predicts` are successes of the algorithm itself.
enum class SoftmaxOutcome : std::uint8_t {
    recovered,  ///< the net's winner predicts, after the polish validation is exact, and no head
                ///< can be left out
    predicts,   ///< the net's winner predicts; not polished, not to exactness, or with heads to
                ///< spare
    recovered_by_polish,  ///< the algorithm failed; Levenberg–Marquardt found the heads all the
                          ///< same, none to spare
    failed,
};

[[nodiscard]] std::string_view to_string(SoftmaxOutcome outcome);

}  // namespace attest
