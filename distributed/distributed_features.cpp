#include "distributed/distributed_features.hpp"

#include "core/algebra/lapack.hpp"
#include "distributed/tree_sum.hpp"

#include <cmath>

namespace attest {

template <class Leaf>
Matrix DistributedFeatures::sum(Index rows, Index cols, const Leaf& leaf) const {
    Index first = 0;
    return tree_sum(ranks_, data_.partition, rows, cols, [&](Index b) {
        const MomentBatch& batch = moments_[static_cast<std::size_t>(b - data_.first_own)];
        Matrix value = leaf(batch, first);
        first += batch.size();
        return value;
    });
}

Matrix DistributedFeatures::apply(const Matrix& P) const {
    const SourceShape all = shape();
    require(P.rows() == all.psi(),
            "DistributedFeatures: P has {} rows, expected {}",
            P.rows(),
            all.psi());
    const Matrix M = by_state(P, all.layout);
    Matrix values(P.cols(), data_.own_examples);
    Index first = 0;
    for (const MomentBatch& batch : moments_) {
        values.middleCols(first, batch.size()) = batch_values(M, batch);
        first += batch.size();
    }
    return values;
}

Matrix DistributedFeatures::apply_transposed(const Matrix& r) const {
    const SourceShape all = shape();
    require(r.cols() == data_.own_examples,
            "DistributedFeatures: r has {} columns, expected {}",
            r.cols(),
            data_.own_examples);
    const Index rows = r.rows() * all.m();
    return from_state(sum(rows,
                          all.q(),
                          [&](const MomentBatch& batch, Index first) {
                              Matrix M = Matrix::Zero(rows, all.q());
                              add_batch_gradient(M, batch, r.middleCols(first, batch.size()));
                              return M;
                          }),
                      all.layout);
}

Matrix DistributedFeatures::labels() const {
    Matrix y(data_.table.o, data_.own_examples);
    Index first = 0;
    for (const MomentBatch& batch : moments_) {
        y.middleCols(first, batch.size()) = batch.y;
        first += batch.size();
    }
    return y;
}

Vector DistributedFeatures::square_sums(const Matrix& values) const {
    return sum(values.rows(), 1, [&](const MomentBatch& batch, Index first) {
        // A copy, so that where the block lies in the share does not decide how Eigen adds.
        const Matrix part = values.middleCols(first, batch.size());
        return Matrix(part.rowwise().squaredNorm());
    });
}

double DistributedFeatures::squared_norm(const Matrix& values) const {
    return square_sums(values).sum();
}

double DistributedFeatures::longest_feature() const {
    const SourceShape all = shape();
    const Matrix power = sum(all.q(), all.m(), [&](const MomentBatch& batch, Index /*first*/) {
        Matrix part = Matrix::Zero(all.q(), all.m());
        add_batch_power(part, batch);
        return part;
    });
    return std::sqrt(power.maxCoeff());
}

Matrix DistributedFeatures::state_moment() const {
    const Index q = shape().q();
    return sum(q, q, [&](const MomentBatch& batch, Index /*first*/) {
        Matrix part = Matrix::Zero(q, q);
        add_syrk(part, batch.S);
        return part;
    });
}

Matrix DistributedFeatures::query_moment() const {
    const Index m = shape().m();
    return sum(m, m, [&](const MomentBatch& batch, Index /*first*/) {
        Matrix part = Matrix::Zero(m, m);
        add_syrk(part, batch.u);
        return part;
    });
}

}  // namespace attest
