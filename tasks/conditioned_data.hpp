#pragma once

#include "core/base/choice.hpp"
#include "core/data/dataset.hpp"
#include "core/rng/stream.hpp"

#include <cstdint>
#include <string_view>

namespace attest {

/// What makes the cubic features of a data set ill conditioned.
enum class Degeneracy : std::uint8_t {
    dependent,  ///< the last coordinate of every token is nearly the first: whitening removes it
    unitary,    ///< orthonormal keys and values, nearly: nothing linear removes it
};

[[nodiscard]] std::string_view to_string(Degeneracy degeneracy);

struct ConditionedDataOptions {
    Index d = 4;                ///< even for `unitary`
    Index o = 2;                ///< outputs
    Index num_sequences = 200;  ///< N
    double condition = 10.0;    ///< cond(H) aimed at, to about an order of magnitude
    double noise = 0.1;         ///< of the labels, standard deviation
};

/// Sequences whose features have about the condition asked for, and labels of a random layer of one
/// head plus noise. `dependent`: n = 8 Gaussian tokens, the last coordinate off the first by
/// (20/condition)^(1/3). `unitary`: keys and values orthonormal up to √(2/condition), the query a
/// key.
/// Throws InvalidInput on an odd d for `unitary` or a condition below 1.
[[nodiscard]] Dataset conditioned_data(Degeneracy degeneracy,
                                       const ConditionedDataOptions& options,
                                       const Stream& stream);

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
