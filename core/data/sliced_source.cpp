#include "core/data/sliced_source.hpp"

#include "core/base/error.hpp"
#include "core/base/progress_scope.hpp"
#include "core/base/stop_scope.hpp"
#include "core/base/text.hpp"

#include <algorithm>

namespace attest {

namespace {

/// Of the tokens read together, a megabyte: they stay in the cache while their moments are formed.
constexpr Index kRunNumbers = Index{1} << 17;

}  // namespace

SlicedSource::SlicedSource(const SequenceSource& data)
    : data_(data), all_(data.shape()), layout_(all_.layout()) {
    const bool prefixes = all_.labels == LabelKind::per_prefix;
    if (prefixes && !all_.layer.is_linear()) {
        for (const Index sequence : sequence_blocks(all_.offsets)) {
            starts_.push_back(all_.offsets[static_cast<std::size_t>(sequence)]);
        }
        return;
    }
    for (Index first = 0; first < all_.num_examples(); first += kMomentBlock) {
        starts_.push_back(first);
    }
    starts_.push_back(all_.num_examples());
    if (prefixes) {
        // Each block begins where the one before ends, so its last pack(S) is what the next needs.
        const Index blocks = shape().num_blocks;
        carried_ = Matrix::Zero(packed_dim(all_.d), blocks);
        for (Index b = 0; b + 1 < blocks; ++b) {
            carried_.col(b + 1) = block(b).S.rightCols(1);
        }
    }
}

SourceShape SlicedSource::shape() const {
    return {layout_, all_.o, all_.num_examples(), std::ssize(starts_) - 1};
}

MomentBatch SlicedSource::block(Index b) const {
    throw_if_stopped("SlicedSource");  // every pass over data comes by here
    const Index blocks = shape().num_blocks;
    require(b >= 0 && b < blocks, "SlicedSource: got block {}, expected 0 to {}", b, blocks - 1);
    note_progress("data", b + 1, blocks);
    const Index first = starts_[static_cast<std::size_t>(b)];
    const Index last = starts_[static_cast<std::size_t>(b) + 1];
    MomentBatch batch{Matrix(layout_.q(), last - first),
                      Matrix(layout_.m(), last - first),
                      Matrix(all_.o, last - first)};
    for (Index at = first; at < last;) {
        const Index next = end_of_run(at, last);
        const Dataset part = data_.examples(at, next);
        const MomentBatch run = carried_.size() > 0
                                    ? prefix_moments<double>(part, carried_.col(b), 0, last - first)
                                    : sequence_moments<double>(part, 0, part.num_sequences());
        batch.S.middleCols(at - first, next - at) = run.S;
        batch.u.middleCols(at - first, next - at) = run.u;
        batch.y.middleCols(at - first, next - at) = run.y;
        at = next;
    }
    return batch;
}

/// Examples of a block are read a few together, since long sequences are many numbers; prefixes
/// need what comes before them, and are one token each.
Index SlicedSource::end_of_run(Index first, Index last) const {
    if (all_.labels == LabelKind::per_prefix) {
        return last;
    }
    const Index tokens = std::max<Index>(1, kRunNumbers / std::max<Index>(1, all_.d));
    const auto begin = all_.offsets.begin() + first;
    const auto after = std::upper_bound(begin, all_.offsets.begin() + last + 1, *begin + tokens);
    return first + std::max<Index>(1, after - begin - 1);
}

}  // namespace attest
