#pragma once

#include "core/data/dataset.hpp"
#include "core/explain/relation_search.hpp"

#include <string>
#include <vector>

namespace attest {

/// A set of coordinates of which no token has two nonzero ones.
struct ExclusiveGroup {
    std::vector<Index> coordinates;
    bool is_one_hot = false;  ///< exactly one of them is 1 in every token, the others 0
};

/// What all tokens and sequences of a data set have in common, by comparing doubles: exact.
struct DataFacts {
    Matrix tokens;                ///< d×V, the distinct ones
    ShortRelations collinear;     ///< linear relations between their coordinates, a basis
    std::vector<Index> zero;      ///< coordinates that are 0 in every token
    std::vector<Index> constant;  ///< that are one number, not 0, in every token
    std::vector<Index> signs;     ///< that are c or −c, both of them, in every token
    std::vector<ExclusiveGroup> exclusive;
    Index distinct_examples = 0;     ///< the labels aside; all where every prefix has one
    bool one_token = false;          ///< every example is a single token
    bool repeats_its_query = false;  ///< every token of an example is its query or minus that
};

/// O(T d² + T d log T). For layers that read no tokens only the number of examples is filled in.
[[nodiscard]] DataFacts data_facts(const Dataset& data);

/// One sentence each, for people.
[[nodiscard]] std::vector<std::string> in_words(const DataFacts& facts);

/// "1, 2 and 4", of coordinates counted from 0.
[[nodiscard]] std::string list_of(const std::vector<Index>& coordinates);

/// One digest a sequence, of all that a layer may read of it: equal for equal inputs, whatever
/// their labels. O(T d).
[[nodiscard]] std::vector<std::string> input_digests(const Dataset& data);

}  // namespace attest
