#pragma once

#include "core/kernels/kernel_arithmetic.hpp"
#include "core/kernels/kernel_call.hpp"
#include "core/kernels/recurrence/call_results.hpp"
#include "core/kernels/sharp/spread.hpp"

#include <array>
#include <string>
#include <vector>

namespace attest {

/// What the spread of right kernels says of a result.
enum class SharpVerdict : std::uint8_t {
    right,
    undecided,   ///< zeros would be as near in more than half of the rows of an array
    suspicious,  ///< farther from the reference than right kernels were ever seen
    wrong        ///< NaN, a hundred times as far, or what a known fault gives
};

[[nodiscard]] std::string_view to_string(SharpVerdict verdict);

/// Where a result is right: fixed by 496 right kernels of six kinds (docs/kernel-bounds.md).
struct SharpThresholds {
    double largest = 24.0;  ///< σ of one number
    double rms = 4.0;       ///< of all numbers of a result but one that may be at `largest`, in σ
    double gain = 32.0;     ///< times the gains of replicas
    double wrong = 100.0;   ///< times any of these

    /// What the root mean square of n numbers may be.
    [[nodiscard]] double rms_of(Index n) const;
};

/// One result beside the reference and σ.
struct SharpResult {
    ResultName name;
    SharpVerdict verdict = SharpVerdict::right;
    Index rows = 0;
    Index rows_outside = 0;
    Index rows_undecided = 0;
    double largest = 0.0;  ///< (|found − reference| − rounding to what it is stored in)/σ
    double rms = 0.0;
    double gain = 0.0;              ///< c of the regression found − reference = c·reference
    double gain_of_replicas = 0.0;  ///< root mean square of theirs
    bool is_scaled = false;         ///< without the gain, all that is left is within the thresholds
    Index row = 0;                  ///< where `largest` is: a token, micro-step or row of a state
    Index column = 0;
    double found = 0.0;
    double expected = 0.0;
    double sigma = 0.0;
};

/// How far right kernels are from the reference in one result: what replicas are run for.
struct ResultSpread {
    ResultName name;
    std::array<FamilySpread, 2> families;  ///< token by token, and in chunks
    double gain = 0.0;                     ///< root mean square of the replicas' gains
};

/// A known fault that gives these results.
struct SharpLikeness {
    std::string name;
    std::string sentence;
};

struct SharpCheck {
    std::vector<SharpResult> results;
    std::vector<SharpLikeness> alike;  ///< of the first group of heads that is not right
    Index replicas = 0;
    double threshold = 0.0;  ///< in σ; four times as much where rows repeat
    bool repeated_rows =
        false;           ///< more than a quarter of the keys and values equal the one before
    std::string silent;  ///< why there are no results, or empty
    std::vector<ResultSpread> spreads;  ///< of replicas that were run for this check

    /// The worst of any.
    [[nodiscard]] SharpVerdict verdict() const;
};

/// Compares every result that the call holds with a reference in long double, in units of σ: the
/// spread, over 8 replicas each, of kernels that work token by token and of kernels that work in
/// chunks (half of them in half the chunk), each result rounded at random as the arithmetic rounds;
/// the larger of both, pooled over rows and columns. A pure function of the call. 17 evaluations,
/// spread over the threads; throws EnvironmentFailure where they do not fit into memory. With the
/// `spreads` of another check of the same inputs and arithmetic as `known` only the reference runs.
[[nodiscard]] SharpCheck sharp_check(const KernelCall& call,
                                     const KernelArithmetic& arithmetic,
                                     int threads,
                                     const SharpThresholds& thresholds = {},
                                     const std::vector<ResultSpread>& known = {});

/// Whether a result that is not right has a gain that is no replica's, and is right without it.
[[nodiscard]] bool is_gain(const SharpCheck& check,
                           const SharpResult& result,
                           const SharpThresholds& thresholds = {});

/// "o is 1.0031 times what it should be in head 2", of each result that is_gain().
[[nodiscard]] std::vector<std::string> gain_sentences(const KernelCall& call,
                                                      const SharpCheck& check,
                                                      const SharpThresholds& thresholds = {});

}  // namespace attest
