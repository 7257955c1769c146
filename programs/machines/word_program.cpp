#include "programs/machines/word_program.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <utility>

namespace attest {

WordProgram::WordProgram(std::string name, const DfaShape& shape) : shape_(shape) {
    require(shape.states >= 1 && shape.letters >= 1 && shape.length >= 1,
            "{}: states, letters and length must be at least 1",
            name);
    program_.name = std::move(name);
}

void WordProgram::check_word(const Automaton& automaton, const std::vector<Index>& word) const {
    const auto length = static_cast<Index>(word.size());
    require(1 <= length && length <= shape_.length,
            "word: got {} letters, expected 1 … {}",
            length,
            shape_.length);
    require(automaton.num_states() <= shape_.states && automaton.num_letters() <= shape_.letters,
            "automaton: it is larger than the class of this program");
    for (const Index letter : word) {
        require(0 <= letter && letter < automaton.num_letters(),
                "word: got letter {} of {}",
                letter,
                automaton.num_letters());
    }
}

}  // namespace attest
