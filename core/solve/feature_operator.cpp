#include "core/solve/feature_operator.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/moments/stored_source.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

namespace {

/// visit(batch, first example) for every block, without a copy where the source stores them.
template <class Visit>
void for_each_block(const MomentSource& source, const Visit& visit) {
    const auto* const stored = dynamic_cast<const StoredSource*>(&source);
    Index first = 0;
    for (Index b = 0; b < source.shape().num_blocks; ++b) {
        if (stored != nullptr) {
            visit(stored->stored_block(b), first);
            first += stored->stored_block(b).size();
        } else {
            const MomentBatch batch = source.block(b);
            visit(batch, first);
            first += batch.size();
        }
    }
}

}  // namespace

Matrix by_state(const Matrix& P, const FeatureLayout& layout) {
    const Index m = layout.m();
    Matrix M(P.cols() * m, layout.q());
    for (Index a = 0; a < P.cols(); ++a) {
        M.middleRows(a * m, m) = layout.by_factors(P.col(a));
    }
    return M;
}

Matrix from_state(const Matrix& M, const FeatureLayout& layout) {
    const Index m = layout.m();
    Matrix P(layout.psi(), M.rows() / m);
    for (Index a = 0; a < P.cols(); ++a) {
        P.col(a) = layout.from_factors(M.middleRows(a * m, m));
    }
    return P;
}

Matrix batch_values(const Matrix& M, const MomentBatch& batch) {
    const Index m = batch.u.rows();
    Matrix keys = Matrix::Zero(M.rows(), batch.size());
    add_product(keys, M, batch.S);
    Matrix values(M.rows() / m, batch.size());
    for (Index a = 0; a < values.rows(); ++a) {
        values.row(a) = keys.middleRows(a * m, m).cwiseProduct(batch.u).colwise().sum();
    }
    return values;
}

void add_batch_gradient(Matrix& M, const MomentBatch& batch, const Matrix& r) {
    const Index m = batch.u.rows();
    Matrix weighted(M.rows(), batch.size());
    for (Index a = 0; a < r.rows(); ++a) {
        weighted.middleRows(a * m, m) = batch.u * r.row(a).asDiagonal();
    }
    add_outer_product(M, weighted, batch.S);
}

void add_batch_power(Matrix& power, const MomentBatch& batch) {
    const Matrix S2 = batch.S.cwiseAbs2();
    const Matrix u2 = batch.u.cwiseAbs2();
    add_outer_product(power, S2, u2);
}

Matrix FeatureMap::residual(const Matrix& P) const {
    Matrix r = labels();
    r -= apply(P);
    return r;
}

Matrix FeatureOperator::apply(const Matrix& P) const {
    const SourceShape shape = source_.shape();
    require(P.rows() == shape.psi(),
            "FeatureOperator: P has {} rows, expected {}",
            P.rows(),
            shape.psi());
    const Matrix M = by_state(P, shape.layout);
    Matrix values(P.cols(), shape.num_examples);
    for_each_block(source_, [&](const MomentBatch& batch, Index first) {
        values.middleCols(first, batch.size()) = batch_values(M, batch);
    });
    return values;
}

Matrix FeatureOperator::apply_transposed(const Matrix& r) const {
    const SourceShape shape = source_.shape();
    require(r.cols() == shape.num_examples,
            "FeatureOperator: r has {} columns, expected {}",
            r.cols(),
            shape.num_examples);
    Matrix M = Matrix::Zero(r.rows() * shape.m(), shape.q());
    for_each_block(source_, [&](const MomentBatch& batch, Index first) {
        add_batch_gradient(M, batch, r.middleCols(first, batch.size()));
    });
    return from_state(M, shape.layout);
}

Matrix FeatureOperator::labels() const {
    const SourceShape shape = source_.shape();
    Matrix y(shape.o, shape.num_examples);
    for_each_block(source_, [&](const MomentBatch& batch, Index first) {
        y.middleCols(first, batch.size()) = batch.y;
    });
    return y;
}

double FeatureOperator::longest_feature() const {
    const SourceShape all = shape();
    Matrix power = Matrix::Zero(all.q(), all.m());
    for_each_block(
        source_, [&](const MomentBatch& batch, Index /*first*/) { add_batch_power(power, batch); });
    return std::sqrt(power.maxCoeff());
}

}  // namespace attest
