#include "core/data/sequence_source.hpp"

#include <algorithm>
#include <iterator>

namespace attest {

SequenceShape sequence_shape(const Dataset& data) {
    return {data.d(), data.o(), data.labels, data.layer, data.layer_input(), data.offsets};
}

Dataset SequencesInMemory::examples(Index first, Index last) const {
    const bool prefixes = data_.labels == LabelKind::per_prefix;
    const Index first_token = prefixes ? first : data_.first_token(first);
    const Index last_token = prefixes ? last : data_.first_token(last);
    const auto begin = std::lower_bound(data_.offsets.begin(), data_.offsets.end(), first_token);
    const auto end = std::lower_bound(begin, data_.offsets.end(), last_token) + 1;
    if (!data_.layer.is_linear()) {
        return subset(data_, begin - data_.offsets.begin(), end - begin - 1);
    }
    Dataset part;
    part.tokens = Matrix(data_.tokens.middleCols(first_token, last_token - first_token));
    part.labels = data_.labels;
    if (data_.labels != LabelKind::none) {
        part.y = data_.y.middleCols(first, last - first);
    }
    std::transform(begin, end, std::back_inserter(part.offsets), [&](Index offset) {
        return offset - first_token;
    });
    if (!data_.query.empty()) {
        part.query.assign(data_.query.begin() + first, data_.query.begin() + last);
    }
    return part;
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
