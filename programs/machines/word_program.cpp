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

TwoTokenRows::TwoTokenRows(Schema& schema, const DfaShape& shape)
    : K(schema.add("K", shape.states * shape.letters)),
      D(schema.add("D", shape.states)),
      T(schema.add("T", shape.letters)),
      a(schema.add("a", shape.letters)),
      P(schema.add("P", shape.length)),
      R(schema.add("R", shape.length)),
      x(schema.add("x", 1)) {}

void TwoTokenRows::add_lookup_heads(std::vector<ProgramHead>& heads, Index one) const {
    const Index L = P.size;
    heads.push_back({"delta", map_block(D, D), map_block(K, K)});
    if (L > 1) {
        heads.push_back({"letter", map_block(a, T), map_block(P.part(1, L - 1), R.part(0, L - 1))});
    }
    for (Index p = 0; p + 1 < L; ++p) {
        heads.push_back({formatted("pos_{}", p), {{P.at(p + 1), one}}, {{one, R.at(p)}}});
    }
}

void TwoTokenRows::add_key_heads(std::vector<ProgramHead>& heads) const {
    for (Index s = 0; s < D.size; ++s) {
        heads.push_back({formatted("prod_{}", s),
                         map_block(K.part(s * T.size, T.size), a),
                         {{x.at(0), D.at(s)}}});
    }
}

std::vector<MatrixTerm> TwoTokenRows::carried_terms() const {
    return join_terms({map_block(R, P), map_block(P, P), map_block(a, a)});
}

std::vector<Token> TwoTokenRows::prompt(const Automaton& automaton,
                                        const std::vector<Index>& word,
                                        Index one,
                                        const std::vector<Index>& flags) const {
    std::vector<Token> tokens{one_hot_token({one})};
    for (Index q = 0; q < automaton.num_states(); ++q) {
        for (Index w = 0; w < automaton.num_letters(); ++w) {
            for (const Index next : automaton.delta(q, w)) {
                tokens.push_back(one_hot_token({key(q, w), D.at(next)}));
            }
        }
    }
    for (std::size_t p = 0; p < word.size(); ++p) {
        tokens.push_back(one_hot_token({P.at(static_cast<Index>(p)), T.at(word[p])}));
    }
    std::vector<Index> start{key(automaton.start, word.front()), R.at(0)};
    start.insert(start.end(), flags.begin(), flags.end());
    tokens.push_back(one_hot_token(start));
    return tokens;
}

std::vector<Index> TwoTokenRows::carried_rows(const std::vector<Index>& word, Index read) const {
    std::vector<Index> rows;
    if (read < static_cast<Index>(word.size())) {
        rows.push_back(a.at(word[static_cast<std::size_t>(read)]));
    }
    if (read < P.size) {
        rows.push_back(P.at(read));
    }
    return rows;
}

}  // namespace attest
