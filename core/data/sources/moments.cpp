#include "core/data/sources/moments.hpp"

#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/memory.hpp"
#include "core/base/progress_scope.hpp"
#include "core/base/text.hpp"

#include <algorithm>

namespace attest {

std::vector<Index> sequence_blocks(std::span<const Index> offsets) {
    const Index count = std::ssize(offsets) - 1;
    std::vector<Index> starts{0};
    const auto token = [&](Index i) { return offsets[static_cast<std::size_t>(i)]; };
    for (Index i = 1; i < count; ++i) {
        if (token(i) - token(starts.back()) >= kMomentBlock) {
            starts.push_back(i);
        }
    }
    starts.push_back(count);
    return starts;
}

template MomentBatch sequence_moments<double>(const Dataset&, Index, Index);
template MomentBatch prefix_moments<double>(const Dataset&, Vector, Index, Index);

DatasetSource::DatasetSource(const Dataset& data)
    : data_(data), sequences_(data), layout_(data.layout()) {
    if (data.labels != LabelKind::per_prefix) {
        return;
    }
    if (!data.layer.is_linear()) {
        starts_ = sequence_blocks(data.offsets);
        return;
    }
    carried_.resize(packed_dim(data.d()), shape().num_blocks);
    Vector s(packed_dim(data.d()));
    for (Index i = 0; i < data.num_sequences(); ++i) {
        s.setZero();
        for (Index t = data.first_token(i); t < data.first_token(i + 1); ++t) {
            if (t % kMomentBlock == 0) {
                carried_.col(t / kMomentBlock) = s;
            }
            add_token<double>(s, data.tokens.col(t));
        }
    }
}

SourceShape DatasetSource::shape() const {
    const Index count = data_.num_examples();
    const Index blocks =
        starts_.empty() ? (count + kMomentBlock - 1) / kMomentBlock : std::ssize(starts_) - 1;
    return {layout_, data_.o(), count, blocks};
}

namespace {

/// Products of gates, or of what keys forget, may leave the range of doubles where no number of the
/// data does.
void require_finite_states(const MomentBatch& batch, const Layer& layer, Index first_example) {
    if (layer.gates == GateForm::none && layer.form != TokenForm::delta) {
        return;
    }
    const std::string name = to_string(layer);
    for (Index i = 0; i < batch.size(); ++i) {
        require(batch.S.col(i).allFinite(),
                "data: the state of example {} is beyond the range of doubles in the layer {}; "
                "scale keys, strengths or gates, or take shorter sequences",
                first_example + i,
                name);
    }
}

}  // namespace

MomentBatch DatasetSource::block(Index b) const {
    throw_if_stopped("DatasetSource");  // every pass over data comes by here
    const SourceShape all = shape();
    require(b >= 0 && b < all.num_blocks,
            "DatasetSource: got block {}, expected 0 to {}",
            b,
            all.num_blocks - 1);
    note_progress("data", b + 1, all.num_blocks);
    if (!starts_.empty()) {
        const auto at = static_cast<std::size_t>(b);
        MomentBatch batch = sequence_moments<double>(data_, starts_[at], starts_[at + 1]);
        require_finite_states(batch, data_.layer, data_.first_example(starts_[at]));
        return batch;
    }
    const Index first = b * kMomentBlock;
    const Index last = std::min(first + kMomentBlock, all.num_examples);
    MomentBatch batch = data_.labels == LabelKind::per_prefix
                            ? prefix_moments<double>(data_, carried_.col(b), first, last)
                            : sequence_moments<double>(data_, first, last);
    require_finite_states(batch, data_.layer, first);
    return batch;
}

MomentBatch collect(const MomentSource& source) {
    const SourceShape shape = source.shape();
    const double entries = static_cast<double>(shape.q() + shape.m() + shape.o) *
                           static_cast<double>(shape.num_examples);
    require_memory(8.0 * entries, "collect", "go through the blocks one by one");
    MomentBatch all{Matrix(shape.q(), shape.num_examples),
                    Matrix(shape.m(), shape.num_examples),
                    Matrix(shape.o, shape.num_examples)};
    Index at = 0;
    for (Index b = 0; b < shape.num_blocks; ++b) {
        const MomentBatch batch = source.block(b);
        all.S.middleCols(at, batch.size()) = batch.S;
        all.u.middleCols(at, batch.size()) = batch.u;
        all.y.middleCols(at, batch.size()) = batch.y;
        at += batch.size();
    }
    return all;
}

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
        const MomentBatch run = moments_of(b, at, next);
        batch.S.middleCols(at - first, next - at) = run.S;
        batch.u.middleCols(at - first, next - at) = run.u;
        batch.y.middleCols(at - first, next - at) = run.y;
        at = next;
    }
    require_finite_states(batch, all_.layer, first);
    return batch;
}

/// Of the run first … last−1 of block b.
MomentBatch SlicedSource::moments_of(Index b, Index first, Index last) const {
    if (carried_.size() > 0) {
        return prefix_moments<double>(
            data_.examples(first, last), carried_.col(b), 0, last - first);
    }
    const bool is_cut = all_.layer.is_linear() && last == first + 1 &&
                        (all_.first_token(last) - all_.first_token(first)) * all_.d > kRunNumbers;
    if (is_cut) {
        return moments_of_runs<double>(data_, all_, first);
    }
    const Dataset part = data_.examples(first, last);
    return sequence_moments<double>(part, 0, part.num_sequences());
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
