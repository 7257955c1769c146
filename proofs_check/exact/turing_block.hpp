#pragma once

#include "core/base/shape.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace attest {

enum class TableMove : std::uint8_t { left, right };

/// What a machine does on reading a letter.
struct TableTransition {
    Index state = 0;
    Index letter = 0;
    TableMove move = TableMove::right;
};

/// The transitions of one state of a machine with two letters: δ(q, 0) and δ(q, 1).
using StateRow = std::array<TableTransition, 2>;

/// What a tape cell's token holds. Absent values are attributes that were not written.
struct TapeToken {
    std::optional<Index> letter;
    std::optional<Index> state;

    friend bool operator==(const TapeToken&, const TapeToken&) = default;
};

/// Which of Algorithm 7's repairs are made.
struct TableRepairs {
    bool scanned_letter = false;  ///< compare the letter under the head, not the row's first one
    bool both_moves = false;      ///< the second test of branch 1 is for R
    bool far_cells = false;       ///< a branch for cells away from the head
};

/// The next token of a cell from the tokens of its left neighbour, itself and its right neighbour,
/// by Algorithm 7's branches; a cell outside the tape is an empty token.
[[nodiscard]] TapeToken table_step(const TableRepairs& repairs,
                                   const StateRow& row,
                                   const TapeToken& left,
                                   const TapeToken& own,
                                   const TapeToken& right);

/// The next configuration by the definition of a Turing machine; nothing if the head leaves the
/// tape.
[[nodiscard]] std::optional<std::vector<TapeToken>> machine_step(
    const StateRow& row, const std::vector<TapeToken>& tape);

/// All 64 rows over two states.
[[nodiscard]] std::vector<StateRow> all_state_rows();

}  // namespace attest
