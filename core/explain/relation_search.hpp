#pragma once

#include "core/exact/column_classes.hpp"
#include "core/exact/integer_rows.hpp"
#include "core/exact/lift.hpp"
#include "core/exact/row_basis.hpp"
#include "core/layers/feature_layout.hpp"

#include <cstdint>
#include <vector>

namespace attest {

/// Candidates for short relations between the columns of A, whose rows are independent modulo p:
/// combinations of one to four columns that vanish modulo p, each independent of those before it,
/// with the least integers that have these residues. Of triples all with coefficients that are
/// fractions of at most 30 bits, of quadruples those with coefficients ±1. Nothing is proved over
/// Z.
[[nodiscard]] std::vector<IntegerVector> search_relations(const Modulus& p, ModularMatrix A);

/// Of more columns only relations of one and two terms are searched.
inline constexpr Index kMostColumnsSearched = 1000;

/// All relations of one and two terms between the columns: those that vanish, then each that is a
/// multiple of another with the first of these. Found by a sketch of the rows, without
/// elimination, and proved over Z. One pass, of 4 multiply-adds an entry, beside the proof.
[[nodiscard]] std::vector<IntegerVector> two_term_relations(const Modulus& p,
                                                            const IntegerRows& rows);

/// Whether relations that the search for short ones does not find are lifted from residues.
enum class LongRelations : std::uint8_t { lift, leave_out };

/// Independent relations between the columns of a matrix.
struct ShortRelations {
    std::vector<IntegerVector> vectors;  ///< primitive, few terms first; rows·v = 0 over Z, each
    std::vector<Index> pivot_columns;    ///< independent columns, as many as the rank modulo p
    Index num_columns = 0;

    [[nodiscard]] Index rank() const { return std::ssize(pivot_columns); }

    /// Relations modulo p that no vector stands for: none where the vectors are a basis of all.
    [[nodiscard]] Index missing() const { return num_columns - rank() - std::ssize(vectors); }
};

/// Greedily, so that each is independent of those before it: columns that vanish, pairs of
/// proportional columns, triples, quadruples with coefficients ±1; what is left from the reduced
/// echelon form. The search runs modulo p; what it finds is kept only if it annihilates every row
/// over Z. O(n²) for triples and quadruples of n ≤ kMostColumnsSearched columns, which are left out
/// beyond.
[[nodiscard]] ShortRelations short_relations(const Modulus& p,
                                             const IntegerRows& rows,
                                             LongRelations wanted);

/// Terms of a vector.
[[nodiscard]] Index support(const IntegerVector& v);

/// The features of one block of a layout, with entries of s and u counted within the block.
class BlockFeatures {
public:
    /// `first` is the number of its first feature.
    BlockFeatures(const FeatureBlock& block, Index first) : block_(block), first_(first) {}

    [[nodiscard]] Index states() const { return block_.states; }

    [[nodiscard]] Index queries() const { return block_.queries; }

    /// Number of the feature s_k u_l.
    [[nodiscard]] Index feature(Index k, Index l) const { return first_ + k * block_.queries + l; }

    /// The columns s_k (ω·u), ω fixed and positive: they satisfy what s does, examples with u = 0
    /// aside, and hardly anything else.
    [[nodiscard]] std::vector<std::vector<IntegerEntry>> folded_states() const;

    /// The columns (ω·s) u_l.
    [[nodiscard]] std::vector<std::vector<IntegerEntry>> folded_queries() const;

private:
    FeatureBlock block_;
    Index first_;
};

}  // namespace attest
