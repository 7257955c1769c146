#include "core/moments/whitened_source.hpp"

#include "core/base/text.hpp"
#include "core/moments/whitening.hpp"

#include <algorithm>
#include <utility>

namespace attest {

namespace {

constexpr Index kBlockExamples = 256;

}  // namespace

WhitenedSource::WhitenedSource(const Dataset& data, Matrix L) : data_(data), L_(std::move(L)) {
    require(L_.rows() == data.d() && L_.cols() == data.d(),
            "WhitenedSource: got L {}x{}, expected {}x{}",
            L_.rows(),
            L_.cols(),
            data.d(),
            data.d());
    if (data.labels != LabelKind::per_prefix) {
        return;
    }
    // Each block begins where the one before ends, so its last pack(S~) is what the next one needs.
    const SourceShape all = shape();
    carried_ = Matrix::Zero(packed_dim(data.d()), all.num_blocks);
    for (Index b = 0; b + 1 < all.num_blocks; ++b) {
        carried_.col(b + 1) = block(b).S.rightCols(1);
    }
}

SourceShape WhitenedSource::shape() const {
    const Index count = data_.num_examples();
    return {data_.d(), data_.o(), count, (count + kBlockExamples - 1) / kBlockExamples};
}

Dataset WhitenedSource::slice(Index first, Index last) const {
    const bool prefixes = data_.labels == LabelKind::per_prefix;
    const Index first_token = prefixes ? first : data_.first_token(first);
    const Index last_token = prefixes ? last : data_.first_token(last);
    Dataset part;
    part.tokens =
        whiten_tokens<double>(L_, data_.tokens.middleCols(first_token, last_token - first_token));
    part.labels = data_.labels;
    if (data_.labels != LabelKind::none) {
        part.y = data_.y.middleCols(first, last - first);
    }
    const auto begin = std::lower_bound(data_.offsets.begin(), data_.offsets.end(), first_token);
    const auto end = std::lower_bound(begin, data_.offsets.end(), last_token) + 1;
    std::transform(begin, end, std::back_inserter(part.offsets), [&](Index offset) {
        return offset - first_token;
    });
    if (!data_.query.empty()) {
        part.query.assign(data_.query.begin() + first, data_.query.begin() + last);
    }
    return part;
}

MomentBatch WhitenedSource::block(Index b) const {
    const SourceShape all = shape();
    require(b >= 0 && b < all.num_blocks,
            "WhitenedSource: got block {}, expected 0 to {}",
            b,
            all.num_blocks - 1);
    const Index first = b * kBlockExamples;
    const Index last = std::min(first + kBlockExamples, all.num_examples);
    const Dataset part = slice(first, last);
    return data_.labels == LabelKind::per_prefix
               ? prefix_moments<double>(part, carried_.col(b), 0, last - first)
               : sequence_moments<double>(part, 0, last - first);
}

}  // namespace attest
