#pragma once

#include "core/base/shape.hpp"
#include "core/rng/stream.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

enum class AutomatonKind : std::uint8_t { deterministic, nondeterministic };

/// A finite automaton, complete or partial.
struct Automaton {
    std::vector<std::string> states;
    std::vector<std::string> letters;
    Index start = 0;
    std::vector<Index> accepting;
    std::vector<std::vector<Index>> table;  ///< next states of (q, w) at q·V + w

    [[nodiscard]] Index num_states() const { return static_cast<Index>(states.size()); }

    [[nodiscard]] Index num_letters() const { return static_cast<Index>(letters.size()); }

    [[nodiscard]] const std::vector<Index>& delta(Index state, Index letter) const {
        return table[static_cast<std::size_t>(state * num_letters() + letter)];
    }

    [[nodiscard]] bool accepts(Index state) const;
};

/// Reads lines "start STATE" (otherwise the first state that has a line), "accept STATE…" and
/// "STATE LETTER NEXT"; "#" starts a comment. Throws InvalidInput with the line of the mistake; two
/// lines for one state and letter are one in a deterministic automaton.
[[nodiscard]] Automaton parse_automaton(std::string_view text, AutomatonKind kind);

/// Where a word leads.
struct WordResult {
    bool stuck = false;  ///< no transition for the next letter
    Index read = 0;      ///< letters read
    Index state = 0;

    friend bool operator==(const WordResult&, const WordResult&) = default;
};

/// Reads the word with a deterministic automaton: a plain loop that knows nothing of attention.
[[nodiscard]] WordResult read_word(const Automaton& automaton, const std::vector<Index>& word);

/// The number of paths with this word from the start to each state, after each letter:
/// word.size() + 1 vectors. Throws InvalidInput beyond 2^31, whose square 64 bits hold.
[[nodiscard]] std::vector<std::vector<std::int64_t>> count_paths(const Automaton& automaton,
                                                                 const std::vector<Index>& word);

/// A complete deterministic automaton, uniform among those of Q states and V letters.
[[nodiscard]] Automaton random_automaton(Draws& draws, Index states, Index letters);

}  // namespace attest
