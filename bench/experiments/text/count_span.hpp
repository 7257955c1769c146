#pragma once

#include "core/exact/modulus.hpp"

#include <vector>

namespace attest {

/// The span of rows of small integers, grown one by one. Decided modulo a prime of 61 bits: exact
/// while every minor of the rows is below it in size, as are those of rows of at most 38 numbers
/// that are not negative with sum 3 (Hadamard: 3³⁸ < 2⁶¹ − 1).
class CountSpan {
public:
    explicit CountSpan(Index columns) : columns_(columns) {}

    /// Whether the row is a combination of those added. O(columns · rank).
    [[nodiscard]] bool contains(const std::vector<Index>& row) const;

    void add(const std::vector<Index>& row);

    [[nodiscard]] Index rank() const { return static_cast<Index>(echelon_.size()); }

    /// How many of the rows added are no combination of all the others.
    [[nodiscard]] Index outside() const;

private:
    using Residues = std::vector<Residue>;

    struct EchelonRow {
        Index pivot = 0;
        Residues entries;      ///< 1 at the pivot, 0 at the pivots before
        Residues combination;  ///< of the independent rows added
    };

    /// What is left of a row, and what was taken off, in multiples of the echelon.
    struct Reduction {
        Residues rest;
        Residues factors;
    };

    [[nodiscard]] Reduction reduce(const std::vector<Index>& row) const;

    Modulus p_;
    Index columns_;
    std::vector<EchelonRow> echelon_;
    std::vector<bool> is_combination_;  ///< of the independent rows added
};

}  // namespace attest
