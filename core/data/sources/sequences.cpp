#include "core/data/sources/sequences.hpp"

#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/data/canonical_hash.hpp"
#include "core/data/dataset.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

namespace attest {

namespace {

/// First token of the examples first … last−1, and the first one after them.
std::pair<Index, Index> tokens_of(const SequenceShape& all, Index first, Index last) {
    if (all.labels == LabelKind::per_prefix) {
        return {first, last};
    }
    return {all.first_token(first), all.first_token(last)};
}

/// The examples that end among the tokens first … last−1: the first, and the first one after them.
std::pair<Index, Index> examples_ending(const SequenceShape& all, Index first, Index last) {
    if (all.labels == LabelKind::per_prefix) {
        return {first, last};
    }
    const auto ended_by = [&](Index token) {
        return std::upper_bound(all.offsets.begin(), all.offsets.end(), token) -
               all.offsets.begin() - 1;
    };
    return {ended_by(first), ended_by(last)};
}

Matrix labels_of(const Dataset& data, Index first, Index count) {
    return data.labels == LabelKind::none ? Matrix(0, count)
                                          : Matrix(data.y.middleCols(first, count));
}

/// Of a part: four megabytes, or one sequence.
constexpr Index kPartNumbers = Index{1} << 19;

}  // namespace

SequenceShape sequence_shape(const Dataset& data) {
    return {
        data.d(), data.o(), data.labels, data.layer, data.layer_input(), data.offsets, data.query};
}

Dataset run_of_examples(const SequenceSource& data, Index first, Index last) {
    const SequenceShape all = data.shape();
    const auto [first_token, last_token] = tokens_of(all, first, last);
    const auto begin = std::lower_bound(all.offsets.begin(), all.offsets.end(), first_token);
    const auto end = std::lower_bound(begin, all.offsets.end(), last_token) + 1;
    Dataset part;
    part.tokens = data.tokens(first_token, last_token - first_token);
    part.labels = all.labels;
    part.layer = all.layer;
    if (all.labels != LabelKind::none) {
        part.y = data.labels(first, last - first);
    }
    std::transform(
        begin, end, std::back_inserter(part.offsets), [from = first_token](Index offset) {
            return offset - from;
        });
    if (!all.query.empty()) {
        part.query.assign(all.query.begin() + first, all.query.begin() + last);
    }
    return part;
}

void for_each_run(const SequenceSource& data,
                  Index first,
                  Index last,
                  const std::function<void(const TokenRun& run)>& visit) {
    const SequenceShape all = data.shape();
    const Dataset* const whole = data.whole();
    const Index step = whole != nullptr
                           ? last - first
                           : std::max<Index>(1, kRunNumbers / std::max<Index>(1, all.d));
    for (Index at = first; at < last; at += step) {
        throw_if_stopped("for_each_run");
        const Index next = std::min(last, at + step);
        const auto [begin, end] = examples_ending(all, at, next);
        const Matrix labels = data.labels(begin, end - begin);
        if (whole != nullptr) {
            visit({at, begin, whole->tokens.middleCols(at, next - at), labels});
        } else {
            const Matrix tokens = data.tokens(at, next - at);
            visit({at, begin, tokens, labels});
        }
    }
}

Matrix SequencesInMemory::labels(Index first, Index count) const {
    return labels_of(data_, first, count);
}

Dataset SequencesInMemory::examples(Index first, Index last) const {
    if (!data_.layer.is_linear()) {
        const auto [first_token, last_token] = tokens_of(shape(), first, last);
        const auto begin =
            std::lower_bound(data_.offsets.begin(), data_.offsets.end(), first_token);
        const auto end = std::lower_bound(begin, data_.offsets.end(), last_token);
        return subset(data_, begin - data_.offsets.begin(), end - begin);
    }
    return run_of_examples(*this, first, last);
}

Matrix ChangedSequences::tokens(Index first, Index count) const {
    Dataset part;
    part.tokens = source_.tokens(first, count);
    change_(part);
    return std::move(part.tokens.own());
}

Matrix ChangedSequences::labels(Index first, Index count) const {
    Dataset part;
    part.tokens = Matrix(shape().d, 0);
    part.y = source_.labels(first, count);
    change_(part);
    return std::move(part.y);
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

Matrix StridedTokens::copied(Index first_token, Index count) const {
    Matrix tokens(d, count);
    for (Index to = 0; to < count;) {
        const Index at = (first_token + to) % length;
        const Index run = std::min(count - to, length - at);
        const std::byte* const from = first + (first_token + to) / length * sequence + at * token;
        for (Index j = 0; j < d; ++j) {
            for (Index t = 0; t < run; ++t) {
                std::memcpy(&tokens(j, to + t), from + j * entry + t * token, sizeof(double));
            }
        }
        to += run;
    }
    return tokens;
}

StridedSequences::StridedSequences(StridedTokens tokens, const Dataset& rest)
    : tokens_(std::move(tokens)), rest_(rest) {
    require(rest.columns.empty(),
            "StridedSequences: got columns beside the tokens, expected a layer without");
    check_but_tokens(rest, tokens_.d, tokens_.num_tokens());
    Index before = 0;
    for_each_part([&](const Dataset& part) {
        throw_if_stopped("StridedSequences");
        check_tokens(part, before);
        before += part.num_sequences();
    });
}

Index StridedSequences::sequences_of_part() const {
    return std::max<Index>(1, kPartNumbers / (tokens_.d * tokens_.length));
}

SequenceShape StridedSequences::shape() const {
    return {
        tokens_.d, rest_.o(), rest_.labels, rest_.layer, {tokens_.d}, rest_.offsets, rest_.query};
}

Matrix StridedSequences::labels(Index first, Index count) const {
    return labels_of(rest_, first, count);
}

void StridedSequences::for_each_part(const std::function<void(const Dataset&)>& visit) const {
    const Index all = tokens_.num_sequences;
    for (Index first = 0; first < all; first += sequences_of_part()) {
        const Index last = std::min(all, first + sequences_of_part());
        visit(examples(rest_.first_example(first), rest_.first_example(last)));
    }
}

Dataset StridedSequences::examples(Index first, Index last) const {
    return run_of_examples(*this, first, last);
}

std::string StridedSequences::digest() const {
    CanonicalHash hash(shape(), HashedColumns::none);
    hash.add(rest_.y);
    const Index step = sequences_of_part() * tokens_.length;
    for (Index first = 0; first < tokens_.num_tokens(); first += step) {
        hash.add(tokens_.copied(first, std::min(step, tokens_.num_tokens() - first)));
    }
    return hash.hex();
}

}  // namespace attest
