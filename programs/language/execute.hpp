#pragma once

#include "programs/language/compile.hpp"
#include "programs/language/token.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace attest {

/// Autoregressive attention over the integers (Definitions C.1 and C.2): S is kept as tokens are
/// appended, so a step costs what its nonzero features cost. Nothing is rounded, and nothing may
/// overflow: a sum beyond 64 bits throws InvalidInput.
class IntegerAttention {
public:
    /// The coefficients are copied.
    explicit IntegerAttention(const SparseCoefficients& coefficients);

    void append(const Token& token);

    /// MHLA(Z) at the last token, the token that comes next; no value when an entry is no integer,
    /// which only a model with a denominator can print. Needs a token.
    [[nodiscard]] std::optional<Token> next() const;

    [[nodiscard]] Index dim() const { return d_; }

    /// S(j,k) of the tokens so far.
    [[nodiscard]] std::int64_t moment(Index j, Index k) const;

    /// The last token appended.
    [[nodiscard]] const Token& last() const { return last_; }

private:
    struct Term {
        Index output;
        Index pair;
        std::int64_t value;
    };

    Index d_;
    std::int64_t denominator_;
    std::vector<std::vector<Term>> terms_;  ///< by source row e
    std::vector<std::int64_t> S_;           ///< packed as pack_index orders it
    Token last_;
};

/// The position of the single 1 in a block: −1 when the block is empty, −2 when it holds anything
/// else.
[[nodiscard]] Index only_one(const Token& token, const Block& block);

/// What a stop rule says about a token that was just printed, before it joins the sequence.
enum class Continue : std::uint8_t { yes, stop };

/// How a run of attention ended.
enum class AttentionEnding : std::uint8_t {
    stopped,      ///< by the stop rule
    fraction,     ///< the model printed an entry that is no integer
    token_limit,  ///< the stop rule never spoke
};

struct AttentionRun {
    AttentionEnding ending = AttentionEnding::token_limit;
    Trace trace;
};

/// Feeds the prompt to a fresh model, then appends token after token until the rule stops. The
/// rule sees the model before the token joins it; the token that stops a run is in the trace.
[[nodiscard]] AttentionRun run_attention(
    const SparseCoefficients& coefficients,
    const std::vector<Token>& prompt,
    Index token_limit,
    const std::function<Continue(const IntegerAttention&, const Token&)>& rule);

}  // namespace attest
