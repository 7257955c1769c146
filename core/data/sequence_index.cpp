#include "core/data/sequence_index.hpp"

#include "core/base/text.hpp"
#include "core/data/npz_checks.hpp"

namespace attest {

std::vector<Index> read_offsets(const NpzReader& file, const DatasetLayout& layout) {
    std::vector<Index> offsets;
    if (layout.form != SequenceForm::ragged) {
        for (Index i = 0; i <= layout.num_sequences; ++i) {
            offsets.push_back(i * layout.length);
        }
        return offsets;
    }
    offsets = read_integers(file, "offsets");
    if (offsets.front() != 0) {
        refuse(file,
               "offsets",
               formatted("starts with {}", offsets.front()),
               "0",
               "put the position of the first token in front");
    }
    for (std::size_t i = 1; i < offsets.size(); ++i) {
        if (offsets[i] <= offsets[i - 1]) {
            refuse(file,
                   formatted("offsets[{}]", i),
                   formatted("is {} after {}", offsets[i], offsets[i - 1]),
                   "a larger number",
                   "remove the empty sequence");
        }
    }
    if (offsets.back() != layout.num_tokens) {
        refuse(file,
               "offsets",
               formatted("ends with {}", offsets.back()),
               formatted("the number of tokens {}", layout.num_tokens),
               "append the end of the last sequence");
    }
    return offsets;
}

std::vector<Index> read_query(const NpzReader& file, const std::vector<Index>& offsets) {
    if (!file.contains("query")) {
        return {};
    }
    std::vector<Index> query = read_integers(file, "query");
    for (std::size_t i = 0; i < query.size(); ++i) {
        const Index length = offsets[i + 1] - offsets[i];
        if (query[i] < 0 || query[i] >= length) {
            refuse(file,
                   formatted("query[{}]", i),
                   formatted("is {}", query[i]),
                   formatted("0 to {}", length - 1),
                   "count the columns of that sequence from 0");
        }
    }
    return query;
}

}  // namespace attest
