#pragma once

#include "core/base/shape.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

enum class Move : std::uint8_t { left, right, stay };

/// The change of position: −1, 1, 0.
[[nodiscard]] Index offset_of(Move move);
/// "L", "R", "S".
[[nodiscard]] std::string_view to_string(Move move);

/// δ(q, a): the letter written, the move, the next state.
struct Transition {
    Index write = 0;
    Move move = Move::right;
    Index next = 0;  ///< below Q a working state; Q + i is halting state i

    friend bool operator==(const Transition&, const Transition&) = default;
};

/// A one-tape Turing machine, complete or partial. Symbol 0 is the blank.
struct TuringMachine {
    std::vector<std::string> states;   ///< the Q working states; the machine starts in `start`
    std::vector<std::string> halting;  ///< the h halting states
    std::vector<std::string> symbols;
    Index start = 0;
    std::vector<std::optional<Transition>> table;  ///< δ(q, a) at q·Σ + a

    [[nodiscard]] Index num_states() const { return static_cast<Index>(states.size()); }

    [[nodiscard]] Index num_symbols() const { return static_cast<Index>(symbols.size()); }

    [[nodiscard]] const std::optional<Transition>& delta(Index state, Index symbol) const {
        return table[static_cast<std::size_t>(state * num_symbols() + symbol)];
    }

    /// The name of working or halting state q.
    [[nodiscard]] const std::string& state_name(Index q) const;
    [[nodiscard]] bool has_stay() const;
};

/// Why a run on a bounded tape ended.
enum class TuringEnding : std::uint8_t {
    halt,      ///< a halting state; wins over off_tape
    stuck,     ///< no transition for this state and letter
    off_tape,  ///< the head left the cells
    limit,     ///< the budget of steps is used up
};
[[nodiscard]] std::string_view to_string(TuringEnding ending);

/// A configuration on n cells: letters, head (−1 or n off the tape), state.
struct TuringConfiguration {
    std::vector<Index> tape;
    Index head = 0;
    Index state = 0;

    friend bool operator==(const TuringConfiguration&, const TuringConfiguration&) = default;
};

/// How a run ended and where.
struct TuringResult {
    TuringEnding ending = TuringEnding::limit;
    Index steps = 0;
    TuringConfiguration last;

    friend bool operator==(const TuringResult&, const TuringResult&) = default;
};

/// One step: what the head saw, neighbours included (−1: no such cell), and what it did.
struct TuringStep {
    Index position = 0;
    Index state = 0;
    Index read = 0;
    Index left = -1;
    Index right = -1;
    Transition done;
};

struct TuringRun {
    TuringResult result;
    std::vector<TuringStep> steps;
};

/// Runs the machine in its start state on these cells for at most `budget` steps. A plain simulator
/// that knows nothing of attention. Throws InvalidInput unless the head stands on a cell, every
/// letter is a symbol and the budget is not negative.
[[nodiscard]] TuringRun simulate(const TuringMachine& machine,
                                 const std::vector<Index>& tape,
                                 Index head,
                                 Index budget);

}  // namespace attest
