#include "core/data/sequence_source.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace attest {

namespace {

/// First token of the examples first … last−1, and the first one after them.
std::pair<Index, Index> tokens_of(const Dataset& data, Index first, Index last) {
    if (data.labels == LabelKind::per_prefix) {
        return {first, last};
    }
    return {data.first_token(first), data.first_token(last)};
}

}  // namespace

SequenceShape sequence_shape(const Dataset& data) {
    return {data.d(), data.o(), data.labels, data.layer, data.layer_input(), data.offsets};
}

Dataset run_of_examples(const Dataset& data,
                        Index first,
                        Index last,
                        const std::function<Matrix(Index first_token, Index count)>& tokens) {
    const auto [first_token, last_token] = tokens_of(data, first, last);
    const auto begin = std::lower_bound(data.offsets.begin(), data.offsets.end(), first_token);
    const auto end = std::lower_bound(begin, data.offsets.end(), last_token) + 1;
    Dataset part;
    part.tokens = tokens(first_token, last_token - first_token);
    part.labels = data.labels;
    part.layer = data.layer;
    if (data.labels != LabelKind::none) {
        part.y = data.y.middleCols(first, last - first);
    }
    std::transform(
        begin, end, std::back_inserter(part.offsets), [from = first_token](Index offset) {
            return offset - from;
        });
    if (!data.query.empty()) {
        part.query.assign(data.query.begin() + first, data.query.begin() + last);
    }
    return part;
}

Dataset SequencesInMemory::examples(Index first, Index last) const {
    if (!data_.layer.is_linear()) {
        const auto [first_token, last_token] = tokens_of(data_, first, last);
        const auto begin =
            std::lower_bound(data_.offsets.begin(), data_.offsets.end(), first_token);
        const auto end = std::lower_bound(begin, data_.offsets.end(), last_token);
        return subset(data_, begin - data_.offsets.begin(), end - begin);
    }
    return run_of_examples(data_, first, last, [&](Index first_token, Index count) {
        return Matrix(data_.tokens.middleCols(first_token, count));
    });
}

void ChangedSequences::for_each_part(const std::function<void(const Dataset&)>& visit) const {
    source_.for_each_part([&](const Dataset& part) {
        Dataset changed = part;
        change_(changed);
        visit(changed);
    });
}

Dataset ChangedSequences::examples(Index first, Index last) const {
    Dataset part = source_.examples(first, last);
    change_(part);
    return part;
}

std::string ChangedSequences::digest() const {
    return attest::digest(examples(0, shape().num_examples()));
}

}  // namespace attest
