#pragma once

#include "core/base/choice.hpp"
#include "core/data/dataset.hpp"
#include "core/rng/stream.hpp"

#include <cstdint>

namespace attest {

/// Four ways in which data lack the certificate at degree 0 and are far from that at degree 1.
enum class Violation : std::uint8_t {
    low_rank,      ///< tokens of a (d−1)-dimensional subspace, plus degree times Gaussian jitter
    single_token,  ///< the first degree·count sequences have n tokens, all others one
    signs,         ///< entries ±1, plus jitter
    one_hot,       ///< tokens e_i with uniform i, plus jitter
};

inline constexpr Choices<Violation, 4> kViolations{{{Violation::low_rank, "low_rank"},
                                                    {Violation::single_token, "single_token"},
                                                    {Violation::signs, "signs"},
                                                    {Violation::one_hot, "one_hot"}}};

struct DegradedOptions {
    Violation violation = Violation::signs;
    double degree = 1.0;
    Index d = 4;  ///< at least 2
    Index n = 8;
};

/// `count` unlabelled sequences, d×n each or d×1, drawn from `examples`. The subspace of low_rank
/// is drawn from `subspace`, so that data sets can share it.
[[nodiscard]] Dataset degraded_sequences(const DegradedOptions& options,
                                         Index count,
                                         const Stream& examples,
                                         const Stream& subspace);

}  // namespace attest
