#pragma once

#include "core/exact/integer_rows.hpp"
#include "core/exact/lift.hpp"

#include <string>
#include <vector>

namespace attest {

/// What lifting null vectors from residues to integers takes at worst, known before it starts.
struct LiftCost {
    double entry_bits =
        0.0;  ///< bits of a null vector's largest entry, by Hadamard's inequality on the pivot rows
    Index primes =
        0;  ///< primes near 2⁶¹ that certainly suffice to reconstruct vectors of that size
    double seconds = 0.0;  ///< nominal: operation counts times rates measured once
};

struct LiftOptions {
    /// Nominal seconds (LiftCost's unit, not the clock's: the outcome does not depend on the
    /// machine).
    double budget_seconds = 60.0;
};

/// Integer null vectors of a matrix, each verified on every row.
struct IntegerNullSpace {
    std::vector<IntegerVector>
        vectors;  ///< primitive; independent; rows·v = 0 over Z for each of them
    std::vector<Index>
        free_columns;  ///< vectors[i] is the only one that is nonzero at free_columns[i]
    Index primes_used = 0;
    LiftCost cost;
    std::string note;  ///< when a vector is missing: why
};

/// What that depends on: a matrix of integers below 2^entry_bits.
struct LiftSize {
    Index num_rows = 0;
    Index num_columns = 0;
    Index entry_bits = 0;
};

/// The worst-case cost of lifting `count` null vectors of a matrix of this rank.
[[nodiscard]] LiftCost lift_cost(const LiftSize& size, Index rank, Index count);
[[nodiscard]] LiftCost lift_cost(const IntegerRows& rows, Index rank, Index count);

/// The null vectors that belong to `free_columns` (columns that are not pivots): v is nonzero at
/// its free column, at pivot columns, and nowhere else. Each is computed modulo as many primes as
/// it needs, up to the budget, by Cramer's rule behind the scenes (one elimination of the pivot
/// rows a prime), reconstructed, and kept only if it annihilates every row over Z. Few primes are
/// tried even when the worst case exceeds the budget.
[[nodiscard]] IntegerNullSpace lift_null_space(const IntegerRows& rows,
                                               const RankProfile& profile,
                                               const std::vector<Index>& free_columns,
                                               const LiftOptions& options = {});

}  // namespace attest
