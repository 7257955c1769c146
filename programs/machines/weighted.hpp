#pragma once

#include "programs/language/execute.hpp"
#include "programs/machines/word_program.hpp"

namespace attest {

/// Counts the paths of a nondeterministic automaton, exactly: K and D hold counts instead of a
/// single 1, so flags fE and fC stand in for their sums. d = QV + Q + 2V + 2L + 4, H = Q + L + 4
/// (one fewer for L = 1). Counts stay below 2^31, for S holds their squares; in double below 2^26.
class WeightedAutomaton final : public WordProgram {
public:
    explicit WeightedAutomaton(const DfaShape& shape);

    /// What attention must print, from count_paths. Throws InvalidInput when the automaton does not
    /// fit or the word has not 1 … length letters.
    [[nodiscard]] Trace expected(const Automaton& automaton, const std::vector<Index>& word) const;

    /// Paths to each state at the end of the word, printed by attention; empty when the model
    /// printed no answer.
    [[nodiscard]] std::vector<std::int64_t> run(const SparseCoefficients& coefficients,
                                                const Automaton& automaton,
                                                const std::vector<Index>& word) const;

private:
    [[nodiscard]] std::vector<Token> prompt(const Automaton& automaton,
                                            const std::vector<Index>& word) const;

    TwoTokenRows rows_;
    Block fE_, fC_, one_;
};

}  // namespace attest
