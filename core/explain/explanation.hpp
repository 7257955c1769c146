#pragma once

#include "core/certify/rank/exact_rank.hpp"
#include "core/certify/rank/structural_rank.hpp"
#include "core/explain/cause.hpp"

namespace attest {

/// What a relation is about.
enum class RelationScope : std::uint8_t {
    query,    ///< entries of u alone: it holds times every entry of s
    state,    ///< entries of s alone: it holds times every entry of u
    product,  ///< products s_p u_l
};
[[nodiscard]] std::string_view to_string(RelationScope scope);

/// Relations that differ by a permutation of coordinates and have the same kind of cause.
struct RelationClass {
    RelationScope scope = RelationScope::product;
    Relation example;   ///< the first of them
    Index members = 0;  ///< how many there are
    std::vector<IntegerVector>
        vectors;  ///< independent null vectors that they stand for, ψ entries
    std::vector<Coordinate> coordinates;  ///< of all of them
    Cause cause;                          ///< of the first
    bool is_structural = false;  ///< the layer's own: they hold on every input of these lengths
};

/// Why data leave something open: relations between features that hold in every example.
struct Explanation {
    Index num_examples = 0;
    Index distinct_examples = 0;
    Index psi = 0;
    Index nullity = 0;               ///< ψ − rank; an upper bound where the rank is not proved
    Index listed = 0;                ///< independent null vectors in the classes
    std::vector<std::string> facts;  ///< about the data, checked
    std::vector<RelationClass> classes;

    /// At least so many relations that any data of as few distinct examples have.
    [[nodiscard]] Index by_counting() const { return std::max<Index>(psi - distinct_examples, 0); }

    [[nodiscard]] Index not_listed() const { return nullity - listed; }
};

/// Every null vector in the classes annihilates every example over Z, and all of them are
/// independent. First relations of u and of s alone, then of the products of what they leave
/// independent. Where there are fewer distinct examples than such products, only short ones: the
/// others are of a generic kind. `rank` is certify_rank(data), `structure` of the data's kinds of
/// inputs or absent. Throws InvalidInput for NaN and infinities.
[[nodiscard]] Explanation explain(const Dataset& data,
                                  const ExactRank& rank,
                                  const std::optional<StructuralRank>& structure);

}  // namespace attest
