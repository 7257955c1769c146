#include "core/data/strided_sequences.hpp"

#include "core/base/error.hpp"
#include "core/base/stop_scope.hpp"
#include "core/data/canonical_hash.hpp"
#include "core/data/dataset_check.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace attest {

namespace {

/// Of a part: four megabytes, or one sequence.
constexpr Index kPartNumbers = Index{1} << 19;

}  // namespace

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
    return {tokens_.d, rest_.o(), rest_.labels, rest_.layer, {tokens_.d}, rest_.offsets};
}

void StridedSequences::for_each_part(const std::function<void(const Dataset&)>& visit) const {
    const Index all = tokens_.num_sequences;
    for (Index first = 0; first < all; first += sequences_of_part()) {
        const Index last = std::min(all, first + sequences_of_part());
        visit(examples(rest_.first_example(first), rest_.first_example(last)));
    }
}

Dataset StridedSequences::examples(Index first, Index last) const {
    const auto tokens = [&](Index first_token, Index count) {
        return tokens_.copied(first_token, count);
    };
    return run_of_examples(rest_, first, last, tokens);
}

std::string StridedSequences::digest() const {
    CanonicalHash hash(shape(), rest_.query, false);
    hash.add(rest_.y);
    const Index step = sequences_of_part() * tokens_.length;
    for (Index first = 0; first < tokens_.num_tokens(); first += step) {
        hash.add(tokens_.copied(first, std::min(step, tokens_.num_tokens() - first)));
    }
    return hash.hex();
}

}  // namespace attest
