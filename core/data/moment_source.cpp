#include "core/data/moment_source.hpp"

#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"

#include <algorithm>

namespace attest {

namespace {

constexpr Index kBlockExamples = 256;

}  // namespace

template MomentBatch sequence_moments<double>(const Dataset&, Index, Index);
template MomentBatch prefix_moments<double>(const Dataset&, Vector, Index, Index);

DatasetSource::DatasetSource(const Dataset& data) : data_(data) {
    if (data.labels != LabelKind::per_prefix) {
        return;
    }
    carried_.resize(packed_dim(data.d()), shape().num_blocks);
    Vector s(packed_dim(data.d()));
    for (Index i = 0; i < data.num_sequences(); ++i) {
        s.setZero();
        for (Index t = data.first_token(i); t < data.first_token(i + 1); ++t) {
            if (t % kBlockExamples == 0) {
                carried_.col(t / kBlockExamples) = s;
            }
            add_token<double>(s, data.tokens.col(t));
        }
    }
}

SourceShape DatasetSource::shape() const {
    const Index count = data_.num_examples();
    return {data_.d(), data_.o(), count, (count + kBlockExamples - 1) / kBlockExamples};
}

MomentBatch DatasetSource::block(Index b) const {
    const SourceShape all = shape();
    require(b >= 0 && b < all.num_blocks,
            "DatasetSource: got block {}, expected 0 to {}",
            b,
            all.num_blocks - 1);
    const Index first = b * kBlockExamples;
    const Index last = std::min(first + kBlockExamples, all.num_examples);
    return data_.labels == LabelKind::per_prefix
               ? prefix_moments<double>(data_, carried_.col(b), first, last)
               : sequence_moments<double>(data_, first, last);
}

MomentBatch collect(const MomentSource& source) {
    const SourceShape shape = source.shape();
    const double entries = static_cast<double>(packed_dim(shape.d) + shape.d + shape.o) *
                           static_cast<double>(shape.num_examples);
    require_memory(8.0 * entries, "collect", "go through the blocks one by one");
    MomentBatch all{Matrix(packed_dim(shape.d), shape.num_examples),
                    Matrix(shape.d, shape.num_examples),
                    Matrix(shape.o, shape.num_examples)};
    Index at = 0;
    for (Index b = 0; b < shape.num_blocks; ++b) {
        const MomentBatch batch = source.block(b);
        all.S.middleCols(at, batch.size()) = batch.S;
        all.z.middleCols(at, batch.size()) = batch.z;
        all.y.middleCols(at, batch.size()) = batch.y;
        at += batch.size();
    }
    return all;
}

}  // namespace attest
