#pragma once

#include "programs/machines/turing_machine.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// Reads bbchallenge notation: a row for each state, joined by "_"; in a row, for each symbol, the
/// digit written, the move L, R or S and the next state A, B, …; "---" where δ is undefined. A
/// next state Z or H beyond the last row halts. "1RB1LB_1LA1RZ" is the busy beaver of two states.
/// Throws InvalidInput with the place of the mistake.
[[nodiscard]] TuringMachine parse_machine_notation(std::string_view text);

/// Reads a table: "blank SYMBOL", "halt STATE…", optionally "start STATE" (otherwise the first
/// state that has a line), then lines "STATE READ WRITE MOVE NEXT"; "#" starts a comment. Throws
/// InvalidInput with the line of the mistake: two lines for one state and symbol, a next state that
/// has no line and does not halt, an unknown move, no blank.
[[nodiscard]] TuringMachine parse_machine_table(std::string_view text);

/// The machine in bbchallenge notation. Throws InvalidInput when it has more than ten symbols or
/// twenty-five states, or does not start in its first one.
[[nodiscard]] std::string machine_notation(const TuringMachine& machine);

/// Cells for a run: the word, blanks on both sides, and where the head starts.
struct TuringTape {
    std::vector<Index> cells;
    Index head = 0;
};

/// The word from the cell under the head on, on the fewest cells that `budget` steps visit and the
/// word needs. Throws EnvironmentFailure when these are more than `most_cells`.
[[nodiscard]] TuringTape fitting_tape(const TuringMachine& machine,
                                      const std::vector<Index>& word,
                                      Index budget,
                                      Index most_cells);

/// The word, padded with blanks on the right to `cells` cells, the head on cell `head`. Throws
/// InvalidInput when the word is longer or the head is elsewhere.
[[nodiscard]] TuringTape padded_tape(const std::vector<Index>& word, Index cells, Index head);

}  // namespace attest
