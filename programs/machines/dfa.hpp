#pragma once

#include "programs/language/execute.hpp"
#include "programs/machines/automaton.hpp"
#include "programs/machines/word_program.hpp"

#include <vector>

namespace attest {

/// What a run of attention says, read off its tokens.
struct DfaRun {
    bool readable = false;  ///< the run stopped by its rule, on tokens that mean something
    WordResult result;
    Trace trace;
};

/// A universal program for deterministic automata: the prompt holds the transitions, the word and
/// the start, and the program prints the computation.
class DfaProgram : public WordProgram {
public:
    virtual ~DfaProgram() = default;

    /// What attention must print, from a plain simulation. Throws InvalidInput unless the automaton
    /// is deterministic and fits, and the word has 1 … length letters.
    [[nodiscard]] virtual Trace expected(const Automaton& automaton,
                                         const std::vector<Index>& word) const = 0;
    /// Runs coefficients (the program's, or learned ones) and reads the outcome.
    [[nodiscard]] virtual DfaRun run(const SparseCoefficients& coefficients,
                                     const Automaton& automaton,
                                     const std::vector<Index>& word) const = 0;

protected:
    using WordProgram::WordProgram;

    /// check_word, and throws InvalidInput unless the automaton is deterministic too.
    void check_deterministic(const Automaton& automaton, const std::vector<Index>& word) const;
};

/// Two tokens a letter: E = {D = next state, a = next letter, P = its position, x = +1}, then
/// C = {K = (state, letter), R = position, a, P, x = −1}. d = QV + Q + 2V + 2L + 2, H = Q + L + 4
/// (one head fewer for L = 1). An E without D is stuck; an E without a is the answer.
class Dfa2 final : public DfaProgram {
public:
    explicit Dfa2(const DfaShape& shape);

    [[nodiscard]] Trace expected(const Automaton& automaton,
                                 const std::vector<Index>& word) const override;
    [[nodiscard]] DfaRun run(const SparseCoefficients& coefficients,
                             const Automaton& automaton,
                             const std::vector<Index>& word) const override;

private:
    [[nodiscard]] std::vector<Token> prompt(const Automaton& automaton,
                                            const std::vector<Index>& word) const;

    TwoTokenRows rows_;
    Block one_;
};

/// The paper's schema, one symbol a token: "( s w s' )" for each transition, "|", the word, "|",
/// then the history "(s w s')…" and end; five tokens a letter. d = QV + 2Q + 2V + 6L + 8,
/// H = 5L + 2Q + 9 (one fewer for L = 1). Words are aligned to the right, so that the last letter
/// is always at position L − 1.
class Dfa5 final : public DfaProgram {
public:
    explicit Dfa5(const DfaShape& shape);

    [[nodiscard]] Trace expected(const Automaton& automaton,
                                 const std::vector<Index>& word) const override;
    [[nodiscard]] DfaRun run(const SparseCoefficients& coefficients,
                             const Automaton& automaton,
                             const std::vector<Index>& word) const override;

private:
    enum class Mark : std::uint8_t { open, close, bar, end };

    [[nodiscard]] Index state_symbol(Index state) const { return tok_.at(state); }

    [[nodiscard]] Index letter_symbol(Index letter) const {
        return tok_.at(shape_.states + letter);
    }

    [[nodiscard]] Index mark(Mark mark) const {
        return tok_.at(shape_.states + shape_.letters + static_cast<Index>(mark));
    }

    [[nodiscard]] std::vector<MatrixTerm> at_phase(Index to,
                                                   Index phase,
                                                   std::int64_t factor) const;
    void add_state_heads();
    void add_mark_heads();
    [[nodiscard]] std::vector<Token> prompt(const Automaton& automaton,
                                            const std::vector<Index>& word) const;

    Block tok_, K_, g_, a_, P_, R_, x_, y_, one_;
};

}  // namespace attest
