#pragma once

#include "core/certify/learner.hpp"
#include "core/exact/null_space.hpp"

#include <span>
#include <vector>

namespace attest {

/// Training rows and their labels side by side, [classes | outputs], kept sparse: a null vector
/// that belongs to an output's column is the minimiser of that output.
class LabelledRows final : public IntegerRows {
public:
    /// The classes must outlive the rows.
    LabelledRows(const ColumnClasses& classes, Index num_outputs);

    /// Rows in the order in which the learner took them. Throws InvalidInput if the row breaks the
    /// classes.
    void append(std::span<const IntegerEntry> row, std::span<const IntegerEntry> label);

    [[nodiscard]] const ColumnClasses& classes() const { return classes_; }

    [[nodiscard]] Index num_outputs() const { return num_outputs_; }

    [[nodiscard]] Index num_columns() const override {
        return classes_.num_classes() + num_outputs_;
    }

    [[nodiscard]] Index num_blocks() const override;
    [[nodiscard]] Index first_row(Index b) const override;
    [[nodiscard]] ModularMatrix block(const Modulus& p, Index b) const override;

    [[nodiscard]] Index entry_bits() const override { return entry_bits_; }

private:
    const ColumnClasses& classes_;
    Index num_outputs_;
    Index entry_bits_ = 0;
    std::vector<ClassRow> rows_;
};

/// What several primes together give; everything is verified over Z on every row.
struct LiftedSolution {
    ExactMinimiser minimiser;
    RowSpan span;
    Index primes = 0;
};

/// The basic minimiser and a basis of the null vectors by Chinese remaindering over as many primes
/// as their fractions need (lift_null_space), for fractions that are too large for one. The profile
/// is that of the learner, its rows those of `rows`. Throws NotAvailable, with the estimate, when
/// the budget ends first, or when the minimiser exceeds 62 bits over one common denominator.
[[nodiscard]] LiftedSolution lift_solution(const LabelledRows& rows,
                                           const RankProfile& profile,
                                           const LiftOptions& options);

}  // namespace attest
