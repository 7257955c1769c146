#pragma once

#include "core/base/shape.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// Consecutive rows of a token: one attribute, one row for each of its values.
struct Block {
    std::string name;
    Index offset = 0;
    Index size = 1;

    /// The row of value i. Throws InvalidInput unless 0 ≤ i < size.
    [[nodiscard]] Index at(Index i) const;
    /// Values first … first+count−1 as a block of their own.
    [[nodiscard]] Block part(Index first, Index count) const;
};

/// The named basis of tokens: which row is which value of which attribute.
class Schema {
public:
    /// Appends a block of `size` rows. Throws InvalidInput on a second block of that name, an empty
    /// one, or a name that is not a word of letters, digits and underscores.
    Block add(std::string name, Index size);

    /// d, the number of rows of a token.
    [[nodiscard]] Index dim() const { return dim_; }

    [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }

    /// Throws InvalidInput if there is none.
    [[nodiscard]] const Block& block(std::string_view name) const;
    /// "K[3]", or "one" for a block of one row.
    [[nodiscard]] std::string row_name(Index row) const;

private:
    std::vector<Block> blocks_;
    Index dim_ = 0;
};

/// One entry of a matrix: row `to`, column `from`.
struct MatrixTerm {
    Index to = 0;
    Index from = 0;
    std::int64_t coefficient = 1;

    friend bool operator==(const MatrixTerm&, const MatrixTerm&) = default;
};

/// One lookup of Algorithm 3 as an attention head. V has terms destination ← value, Q has terms key
/// ← source: the head adds Σ V(destination, value)·S(value, key)·Q(key, source)·z(source) to the
/// next token.
struct ProgramHead {
    std::string name;
    std::vector<MatrixTerm> V;
    std::vector<MatrixTerm> Q;
};

/// An autoregressive MHLA program (Algorithm 3, Lemma F.1): one head a lookup. Nothing in it is
/// rounded; tokens are exact integers.
struct Program {
    std::string name;
    Schema schema;
    std::vector<ProgramHead> heads;
};

/// Terms to[i] ← coefficient·from[i]; both blocks have one size.
[[nodiscard]] std::vector<MatrixTerm> map_block(const Block& to,
                                                const Block& from,
                                                std::int64_t coefficient = 1);

/// Terms to ← coefficient·from[i] for every i: the sum of a block.
[[nodiscard]] std::vector<MatrixTerm> sum_block(Index to,
                                                const Block& from,
                                                std::int64_t coefficient = 1);

/// All terms in one list.
[[nodiscard]] std::vector<MatrixTerm> join_terms(const std::vector<std::vector<MatrixTerm>>& lists);

}  // namespace attest
