#pragma once

#include "core/exact/column_classes.hpp"
#include "core/exact/float_product.hpp"
#include "core/exact/integer_rows.hpp"
#include "core/exact/lift.hpp"
#include "core/exact/row_basis.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace attest {

/// What elimination knows about a row and its label.
enum class RowJudgement : std::uint8_t {
    outside,  ///< not in the row space so far
    fitted,   ///< in it, and the label follows from the earlier ones
    refuted,  ///< in it, and the label contradicts the earlier ones
};

/// A basic empirical risk minimiser over Q: output a = Σ_j values(a,j)·row(j) / denominator, zero
/// off the pivot columns. Columns are those of the rows, not classes.
struct ExactMinimiser {
    std::int64_t denominator = 1;
    IntegerMap values;
};

/// Least squares on sparse integer rows with integer labels, exactly: rows stream through a reduced
/// basis modulo p with their labels (ModularRowBasis), only independent ones cost elimination.
/// Residues become rationals afterwards; `fits` and RowSpan::contains prove them row by row over Z.
class ExactLearner {
public:
    /// The classes must outlive the learner and have seen every row that will be appended.
    ExactLearner(const ColumnClasses& classes,
                 Index num_outputs,
                 std::uint64_t prime = kFloatPrime);

    /// Takes a training row with its sparse label. Throws InvalidInput if it breaks the classes.
    void append(std::span<const IntegerEntry> row, std::span<const IntegerEntry> label);

    /// Eliminates what waits; every question below is about the rows before the last flush.
    void flush() { basis_.flush(); }

    [[nodiscard]] Index num_rows() const { return basis_.num_rows(); }

    [[nodiscard]] Index rank() const { return basis_.rank(); }

    /// Independent rows, by number, and pivot classes, modulo the prime.
    [[nodiscard]] RankProfile profile() const {
        return {p_.prime(), basis_.pivot_rows(), basis_.pivots()};
    }

    /// Training rows whose label contradicts the others, modulo p: then nothing may be certified.
    [[nodiscard]] Index num_inconsistent() const { return basis_.count(RowRelation::inconsistent); }

    /// Modulo p, by random null vectors: a row outside passes as inside with probability about
    /// 2⁻⁶⁰.
    [[nodiscard]] RowJudgement judge(std::span<const IntegerEntry> row,
                                     std::span<const IntegerEntry> label) const;
    /// Whether the basic minimiser modulo p prints this label, inside the row space or not.
    [[nodiscard]] bool predicts(std::span<const IntegerEntry> row,
                                std::span<const IntegerEntry> label) const;

    /// The basic minimiser lifted from residues; no value when its fractions need a larger prime.
    [[nodiscard]] std::optional<ExactMinimiser> minimiser() const;
    /// A basis of the null vectors of the class rows, one an output; no value as above. The rank
    /// over Q is proved to be rank() once every training row is annihilated over Z.
    [[nodiscard]] std::optional<IntegerMap> null_vectors() const;

    [[nodiscard]] const ColumnClasses& classes() const { return classes_; }

private:
    [[nodiscard]] std::vector<Residue> label_residues(std::span<const IntegerEntry> label) const;
    [[nodiscard]] std::vector<SparseEntry> residues(const ClassRow& row) const;
    [[nodiscard]] bool agrees(std::span<const SparseEntry> row,
                              std::span<const IntegerEntry> label) const;

    const ColumnClasses& classes_;
    Index num_outputs_;
    Modulus p_;
    ModularRowBasis basis_;
};

/// Whether the minimiser prints exactly this label on the row, over Z.
[[nodiscard]] bool fits(const ExactMinimiser& minimiser,
                        std::span<const IntegerEntry> row,
                        std::span<const IntegerEntry> label);

/// The row space over Q of sparse integer rows, as a basis of its null vectors. Vectors are kept as
/// signed digits base 2⁴⁸, so that long ones need no arithmetic beyond 64 bits.
class RowSpan {
public:
    static constexpr int kDigitBits = 48;

    /// Null vectors over classes, one an output of the map.
    RowSpan(ColumnClasses classes, IntegerMap null_vectors);
    /// Null vectors whose first num_classes entries belong to the classes; the others are zero.
    RowSpan(ColumnClasses classes, const std::vector<IntegerVector>& null_vectors);

    /// Whether the row is a rational combination of the rows: it keeps the classes, and every null
    /// vector annihilates it over Z. Exact, provided the null vectors are all there are. Costs the
    /// entries of the null vectors at the row's columns. Not for two threads at once. Throws
    /// NotAvailable when a sum exceeds 64 bits.
    [[nodiscard]] bool contains(std::span<const IntegerEntry> row) const;

    [[nodiscard]] const ColumnClasses& classes() const { return classes_; }

    [[nodiscard]] Index num_null_vectors() const { return digits_.num_outputs() / num_digits_; }

    /// A number B with |entry| < 2^B for every entry.
    [[nodiscard]] Index entry_bits() const { return (num_digits_ - 1) * kDigitBits + 64; }

    /// Calls visit(vector, class, entry modulo p) for the summands of all entries: one a digit.
    template <class Visit>
    void visit_residues(const Modulus& p, const Visit& visit) const {
        const Residue base = p.power(2, kDigitBits);
        for (const MapEntry& entry : digits_.entries()) {
            const auto place = static_cast<std::uint64_t>(entry.output % num_digits_);
            visit(entry.output / num_digits_,
                  entry.column,
                  p.multiply(p.power(base, place), p.reduce(entry.value)));
        }
    }

private:
    ColumnClasses classes_;
    Index num_digits_;
    IntegerMap digits_;  ///< output vector·num_digits + place
};

}  // namespace attest
