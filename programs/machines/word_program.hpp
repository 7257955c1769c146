#pragma once

#include "programs/language/ir.hpp"
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

}  // namespace attest
