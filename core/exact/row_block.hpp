#pragma once

#include "core/exact/modular.hpp"

#include <cstdint>
#include <vector>

namespace attest {

/// What elimination says about a row h with labels y, given the independent rows before it.
enum class RowRelation : std::uint8_t {
    pending,      ///< waits in the buffer: call flush()
    independent,  ///< h enlarges the row space
    consistent,   ///< h is a combination of earlier rows, and y is the same combination of their
                  ///< labels
    inconsistent  ///< h is a combination of earlier rows, y is not
};

/// A block of rows after elimination by itself. Rows and columns are numbered within the block.
struct ReducedBlock {
    std::vector<Index> pivots;      ///< the r pivot columns
    std::vector<Index> free;        ///< the other columns
    std::vector<Index> pivot_rows;  ///< r independent rows
    ModularMatrix F;  ///< the reduced rows at the free columns; they are the identity at the pivots
    ModularMatrix labels;             ///< the reduced rows' labels
    std::vector<RowRelation> status;  ///< one a row
};

/// Eliminates a block E (m×n) with labels Y (m×o) modulo p by one echelon form. O(m² n).
[[nodiscard]] ReducedBlock reduce_block(const Modulus& p,
                                        const ModularMatrix& E,
                                        const ModularMatrix& Y);

}  // namespace attest
