#pragma once

#include "core/explain/data_facts.hpp"
#include "core/explain/relation.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace attest {

/// What causes are looked up in.
struct CauseEvidence {
    const Dataset& data;
    const DataFacts& facts;
    /// Relations between the entries of S without the query's own token; none where a sequence
    /// consists of its query or the layer is not the paper's.
    std::optional<ShortRelations> context;
};

[[nodiscard]] CauseEvidence cause_evidence(const Dataset& data, const DataFacts& facts);

/// What in the data makes a relation hold; each is checked on the data before it is named.
enum class CauseKind : std::uint8_t {
    zero_coordinate,
    one_hot,          ///< of a one-hot group two are never nonzero together
    never_together,   ///< the same of coordinates that are not one-hot
    signs,            ///< two coordinates of constant size
    equal_size,       ///< two coordinates of equal size in every token
    collinear,        ///< a linear relation between the coordinates of every token
    token_by_token,   ///< a quadratic relation between the coordinates of every token
    orthogonal_rows,  ///< rows of Z, in every example
    equal_rows,       ///< rows of Z of equal length, in every example
    orthogonal_keys,  ///< rows of Z without the query, orthogonal or of equal length
    one_token,        ///< n = 1
    repeated_tokens,  ///< every token of an example is its query, up to sign
    zero_query,       ///< a coordinate of what asks
    collinear_query,  ///< a linear relation between the coordinates of what asks
    fixed_length,     ///< the number of tokens is the same in every example
    layer,            ///< the layer's own: it holds on every input of these lengths
    unnamed,
};
[[nodiscard]] std::string_view to_string(CauseKind kind);

/// Why a relation holds, and what kind of example would break it.
struct Cause {
    CauseKind kind = CauseKind::unnamed;
    std::string because;
    std::string broken_by;
};

/// Of a relation between query features.
[[nodiscard]] Cause cause_of_query(const Relation& relation, const CauseEvidence& evidence);

/// Of a relation between entries of s.
[[nodiscard]] Cause cause_of_state(const Relation& relation, const CauseEvidence& evidence);

/// Of a relation between products that is neither of the two.
[[nodiscard]] Cause cause_of_products(const Relation& relation, const CauseEvidence& evidence);

}  // namespace attest
