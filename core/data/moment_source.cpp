#include "core/data/moment_source.hpp"

#include "core/base/error.hpp"

namespace attest {

namespace {

constexpr Index kBlockExamples = 256;

}  // namespace

template MomentBatch sequence_moments<double>(const Dataset&, Index, Index);

DatasetSource::DatasetSource(const Dataset& data) : data_(data) {
    Index filled = kBlockExamples;
    for (Index i = 0; i < data.num_sequences(); ++i) {
        if (filled >= kBlockExamples) {
            starts_.push_back(i);
            filled = 0;
        }
        filled += data.labels == LabelKind::per_prefix ? data.length(i) : 1;
    }
    starts_.push_back(data.num_sequences());
}

SourceShape DatasetSource::shape() const {
    return {data_.d(), data_.o(), data_.num_examples(), static_cast<Index>(starts_.size()) - 1};
}

std::pair<Index, Index> DatasetSource::sequences(Index b) const {
    const auto at = static_cast<std::size_t>(b);
    require(b >= 0 && at + 1 < starts_.size(), "DatasetSource: block is out of range");
    return {starts_[at], starts_[at + 1]};
}

MomentBatch DatasetSource::block(Index b) const {
    const auto [first, last] = sequences(b);
    return sequence_moments<double>(data_, first, last);
}

MomentBatch collect(const MomentSource& source) {
    const SourceShape shape = source.shape();
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
