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

/// Row a·d + l, column `pair`: the coefficient of output a at s_pair z_l.
Matrix by_pair(const Matrix& P, Index d) {
    Matrix M(P.cols() * d, packed_dim(d));
    for (Index a = 0; a < P.cols(); ++a) {
        M.middleRows(a * d, d) = P.col(a).reshaped(d, packed_dim(d));
    }
    return M;
}

Matrix from_pairs(const Matrix& M, Index d) {
    Matrix P(feature_dim(d), M.rows() / d);
    for (Index a = 0; a < P.cols(); ++a) {
        P.col(a) = M.middleRows(a * d, d).reshaped();
    }
    return P;
}

}  // namespace

Matrix FeatureOperator::apply(const Matrix& P) const {
    const SourceShape shape = source_.shape();
    require(P.rows() == feature_dim(shape.d),
            "FeatureOperator: P has {} rows, expected {}",
            P.rows(),
            feature_dim(shape.d));
    const Matrix M = by_pair(P, shape.d);
    Matrix values(P.cols(), shape.num_examples);
    for_each_block(source_, [&](const MomentBatch& batch, Index first) {
        Matrix keys = Matrix::Zero(M.rows(), batch.size());
        add_product(keys, M, batch.S);
        for (Index a = 0; a < P.cols(); ++a) {
            values.row(a).segment(first, batch.size()) =
                keys.middleRows(a * shape.d, shape.d).cwiseProduct(batch.z).colwise().sum();
        }
    });
    return values;
}

Matrix FeatureOperator::apply_transposed(const Matrix& r) const {
    const SourceShape shape = source_.shape();
    require(r.cols() == shape.num_examples,
            "FeatureOperator: r has {} columns, expected {}",
            r.cols(),
            shape.num_examples);
    Matrix M = Matrix::Zero(r.rows() * shape.d, packed_dim(shape.d));
    for_each_block(source_, [&](const MomentBatch& batch, Index first) {
        Matrix weighted(M.rows(), batch.size());
        for (Index a = 0; a < r.rows(); ++a) {
            weighted.middleRows(a * shape.d, shape.d) =
                batch.z * r.row(a).segment(first, batch.size()).asDiagonal();
        }
        add_outer_product(M, weighted, batch.S);
    });
    return from_pairs(M, shape.d);
}

Matrix FeatureOperator::residual(const Matrix& P) const {
    Matrix r = labels();
    r -= apply(P);
    return r;
}

Matrix FeatureOperator::labels() const {
    const SourceShape shape = source_.shape();
    Matrix y(shape.o, shape.num_examples);
    for_each_block(source_, [&](const MomentBatch& batch, Index first) {
        y.middleCols(first, batch.size()) = batch.y;
    });
    return y;
}

double longest_feature(const MomentSource& source) {
    const SourceShape shape = source.shape();
    Matrix power = Matrix::Zero(packed_dim(shape.d), shape.d);
    for_each_block(source, [&](const MomentBatch& batch, Index /*first*/) {
        const Matrix S2 = batch.S.cwiseAbs2();
        const Matrix z2 = batch.z.cwiseAbs2();
        add_outer_product(power, S2, z2);
    });
    return std::sqrt(power.maxCoeff());
}

}  // namespace attest
