#include "core/moments/triangular_factor.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/memory.hpp"
#include "core/features/cubic.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attest {

ScaledFactor scaled_factor(const MomentSource& source) {
    if (const SequenceSource* const data = source.sequences(); data != nullptr) {
        PowerScale scale = power_scale(*data, ScaleBy::one_power);
        TriangularFactor factor = scale.is_identity()
                                      ? triangular_factor(source)
                                      : triangular_factor(*scaled_source(*data, scale));
        return {std::move(factor), std::move(scale)};
    }
    return {triangular_factor(source), {}};
}

namespace {

/// Rows gathered before one factorisation: enough that re-reducing the old R costs at most half of
/// the work.
Index chunk_rows(const SourceShape& shape) {
    const Index columns = shape.psi() + shape.o;
    return std::max<Index>(2 * columns, 512);
}

}  // namespace

double triangular_factor_bytes(const SourceShape& shape) {
    const auto columns = static_cast<double>(shape.psi() + shape.o);
    const auto rows =
        static_cast<double>(std::min(chunk_rows(shape) + 512, shape.num_examples)) + columns;
    // The chunk, its copy stacked below R, and R itself.
    return 8.0 * columns * (2.0 * rows + columns);
}

TriangularFactor triangular_factor(const MomentSource& source) {
    const SourceShape shape = source.shape();
    require(shape.num_examples >= 1, "triangular_factor: the source has no examples");
    require_memory(triangular_factor_bytes(shape),
                   formatted("a triangular factor, psi = {}", shape.psi()),
                   "use a solver that forms nothing of size psi x psi");
    const Index psi = shape.psi();
    const Index capacity = std::min(chunk_rows(shape), shape.num_examples);
    Matrix R(0, psi + shape.o);
    Matrix chunk(capacity, psi + shape.o);
    Index filled = 0;
    double label_power = 0.0;
    for (Index b = 0; b < shape.num_blocks; ++b) {
        const MomentBatch batch = source.block(b);
        label_power += batch.y.squaredNorm();
        const Matrix H = feature_columns(batch, shape.layout);
        require(H.allFinite(),
                "triangular factor: features are beyond the largest double, 1.8e308; divide the "
                "tokens by a power of two");
        for (Index taken = 0; taken < batch.size();) {
            const Index count = std::min(batch.size() - taken, capacity - filled);
            chunk.block(filled, 0, count, psi) = H.middleCols(taken, count).transpose();
            chunk.block(filled, psi, count, shape.o) = batch.y.middleCols(taken, count).transpose();
            taken += count;
            filled += count;
            if (filled == capacity) {
                R = stack_qr(R, chunk);
                filled = 0;
            }
        }
    }
    if (filled > 0) {
        R = stack_qr(R, chunk.topRows(filled));
    }
    const auto N = static_cast<double>(shape.num_examples);
    const Index r = std::min(shape.num_examples, psi);
    const double outside = R.bottomRightCorner(R.rows() - r, shape.o).squaredNorm();
    R /= std::sqrt(N);
    return {R.topLeftCorner(r, psi),
            R.topRightCorner(r, shape.o),
            outside / N,
            label_power / N,
            shape.num_examples};
}

}  // namespace attest
