#pragma once

#include "programs/learning/learn_traces.hpp"
#include "programs/machines/turing_class.hpp"

namespace attest {

/// What a learned machine does on a whole class.
struct ExhaustReport {
    Index runs_total = 0;
    Index tokens_total = 0;    ///< printed tokens, not prompts
    Index runs_certified = 0;  ///< every printed token is determined by the training rows
    Index tokens_certified = 0;
    Index runs_exact = 0;    ///< the learned machine prints the simulator's trace
    Index tokens_exact = 0;  ///< right after the simulator's prefix
    Index tokens_certified_but_wrong = 0;
};

/// How a token is found to be determined by the training rows.
enum class SpanTest : std::uint8_t {
    random_words,  ///< wrong with probability below 2^−kWordErrorBits
    over_z,        ///< what the words let pass is decided by every null vector
};

/// Trace number i of a training set of the class: expected(runs[i]) of the program.
[[nodiscard]] TraceSource class_traces(const Utm2& program,
                                       const TuringClass& machines,
                                       const std::vector<Index>& runs);

/// The minimiser of the traces of these runs, in their order.
[[nodiscard]] LearnedProgram learn_class(const Utm2& program,
                                         const TuringClass& machines,
                                         const std::vector<Index>& runs,
                                         Selection selection);

/// What learn_class of so many runs is estimated to take at most, in seconds of the machine of
/// core/questions/audit_budget.
[[nodiscard]] double learning_seconds(const Utm2& program, Index runs, Index steps);

/// Compares the learned machine with the plain simulator on every run of the class, token by token.
/// A token is judged by Σ_t f(t) over the tokens t before it, f(t) = ⟨t tᵀ ⊗ z, functional⟩: tokens
/// repeat, so f is tabulated. Both questions, whether the row lies in the span of the training rows
/// and whether the token printed is the right one, are decided by sums of random words: wrong with
/// probability below 2^−kWordErrorBits a token; the first one also over Z if asked for.
/// Deterministic; does not depend on `threads`.
[[nodiscard]] ExhaustReport exhaust(const LearnedProgram& learned,
                                    const Utm2& program,
                                    const TuringClass& machines,
                                    int threads,
                                    SpanTest test = SpanTest::random_words);

}  // namespace attest
