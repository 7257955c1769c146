#pragma once

// Definition of sequence_moments; include core/data/moment_source.hpp instead.

#include "core/algebra/symmetric_pack.hpp"
#include "core/data/moment_source.hpp"

namespace attest {

template <class Scalar>
MomentBatchOf<Scalar> sequence_moments(const Dataset& data, Index first, Index last) {
    const Index d = data.d();
    const bool prefixes = data.labels == LabelKind::per_prefix;
    const Index first_example = prefixes ? data.first_token(first) : first;
    const Index count = (prefixes ? data.first_token(last) : last) - first_example;
    MomentBatchOf<Scalar> batch{MatrixOf<Scalar>(packed_dim(d), count),
                                MatrixOf<Scalar>(d, count),
                                MatrixOf<Scalar>(data.o(), count)};
    if (data.labels != LabelKind::none) {
        batch.y = data.y.middleCols(first_example, count).template cast<Scalar>();
    }
    Index example = 0;
    for (Index i = first; i < last; ++i) {
        VectorOf<Scalar> s = VectorOf<Scalar>::Zero(packed_dim(d));
        for (Index t = data.first_token(i); t < data.first_token(i + 1); ++t) {
            const VectorOf<Scalar> token = data.tokens.col(t).template cast<Scalar>();
            add_token<Scalar>(s, token);
            if (prefixes) {
                batch.S.col(example) = s;
                batch.z.col(example++) = token;
            }
        }
        if (!prefixes) {
            batch.S.col(example) = s;
            batch.z.col(example++) = data.tokens.col(data.query_token(i)).template cast<Scalar>();
        }
    }
    return batch;
}

}  // namespace attest
