#pragma once

#include "programs/language/ir.hpp"
#include "programs/language/token.hpp"
#include "programs/machines/automaton.hpp"

#include <string>
#include <vector>

namespace attest {

/// A class of automata and words: at most these sizes.
struct DfaShape {
    Index states = 4;
    Index letters = 4;
    Index length = 4;
};

/// An attention program that reads the words of every automaton of its class.
class WordProgram {
public:
    WordProgram(const WordProgram&) = delete;
    WordProgram& operator=(const WordProgram&) = delete;
    WordProgram(WordProgram&&) = delete;
    WordProgram& operator=(WordProgram&&) = delete;

    [[nodiscard]] const Program& program() const { return program_; }

    [[nodiscard]] const DfaShape& shape() const { return shape_; }

protected:
    /// Throws InvalidInput unless every size of the shape is at least 1.
    WordProgram(std::string name, const DfaShape& shape);
    ~WordProgram() = default;

    /// Throws InvalidInput unless automaton and word fit the shape, and the word has a letter and
    /// only letters of the automaton.
    void check_word(const Automaton& automaton, const std::vector<Index>& word) const;

    DfaShape shape_;
    Program program_;
};

/// The rows of a program that prints two tokens a letter: E, where a transition leads, with x = +1,
/// then C, the key of the next lookup, with x = −1. A row of K and D may hold a 1 or a count of
/// paths: what stands here is the same for both.
struct TwoTokenRows {
    /// Adds the blocks to the schema.
    TwoTokenRows(Schema& schema, const DfaShape& shape);

    /// The heads that read a C: δ at its key, the next letter and its position. The row `one` holds
    /// 1 in the first token of the prompt and 0 in all others.
    void add_lookup_heads(std::vector<ProgramHead>& heads, Index one) const;

    /// The heads that read an E: the key of its state and letter.
    void add_key_heads(std::vector<ProgramHead>& heads) const;

    /// Terms that hand letter and position of an E to its C.
    [[nodiscard]] std::vector<MatrixTerm> carried_terms() const;

    /// The row `one`, the transitions, the word, and the C of the start with a 1 in each row of
    /// `flags` too.
    [[nodiscard]] std::vector<Token> prompt(const Automaton& automaton,
                                            const std::vector<Index>& word,
                                            Index one,
                                            const std::vector<Index>& flags) const;

    /// The rows of letter and position that E and C have after `read` letters.
    [[nodiscard]] std::vector<Index> carried_rows(const std::vector<Index>& word, Index read) const;

    [[nodiscard]] Index key(Index state, Index letter) const {
        return K.at(state * T.size + letter);
    }

    Block K;  ///< (state, letter) of a transition, and of the next lookup
    Block D;  ///< the state it leads to
    Block T;  ///< letters of the word in the prompt
    Block a;  ///< the letter after this one
    Block P;  ///< position of a letter
    Block R;  ///< position to be read
    Block x;
};

}  // namespace attest
