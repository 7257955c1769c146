#include "core/softmax/saturated_rows.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/error.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace attest {

namespace {

constexpr double kWide = 0.1;

/// The token of the sequence whose value is nearest to the label of column `row`.
Index nearest_value(const Matrix& values, const Matrix& labels, Index first, Index row, Index k) {
    Index nearest = 0;
    double distance = std::numeric_limits<double>::infinity();
    for (Index j = 0; j < k; ++j) {
        const double to_value = (labels.col(row) - values.col(first + j)).squaredNorm();
        if (to_value < distance) {
            distance = to_value;
            nearest = j;
        }
    }
    return nearest;
}

double distance_to_others(const Matrix& values, Index first, Index j, Index k) {
    double least = std::numeric_limits<double>::infinity();
    for (Index l = 0; l < k; ++l) {
        if (l != j) {
            least = std::min(least, (values.col(first + j) - values.col(first + l)).norm());
        }
    }
    return least;
}

/// Calls visit(block, row, first, j) for every row whose label is the value of token j = first + …,
/// within `residual` of the distance to the nearest other value.
template <class Visit>
void for_each_saturated(const SoftmaxSource& source,
                        const Matrix& W,
                        double residual,
                        const Visit& visit) {
    const Index k = source.k;
    for_each_block(source, [&](const SoftmaxExamples& block, Index) {
        const Matrix values = W.transpose() * block.X;
        for (Index row = 0; row < block.X.cols(); ++row) {
            const Index first = row - row % k;
            const Index j = nearest_value(values, block.Y, first, row, k);
            const double distance = (block.Y.col(row) - values.col(first + j)).norm();
            if (distance <= residual * distance_to_others(values, first, j, k)) {
                visit(block, row, first, j);
            }
        }
    });
}

void check_shapes(const SoftmaxSource& source, const Matrix& W, const SaturatedOptions& options) {
    require(source.k >= 2 && W.rows() == source.d && W.cols() == source.d && options.most >= 1,
            "saturated_rows: expected at least 2 tokens, a d×d W and room for one inequality");
}

}  // namespace

SaturatedRows saturated_rows(const SoftmaxSource& source,
                             const Matrix& W,
                             const SaturatedOptions& options) {
    check_shapes(source, W, options);
    const Index d = source.d;
    SaturatedRows found;
    std::vector<double> entries;
    const auto keep = [&](const auto& token, const auto& difference) {
        const double length = token.norm() * difference.norm();
        if (!(length > 0.0) || found.count++ >= options.most) {
            return;
        }
        for (Index u = 0; u < d; ++u) {
            for (Index v = 0; v < d; ++v) {
                entries.push_back(token(u) * difference(v) / length);
            }
        }
    };
    for_each_saturated(source,
                       W,
                       options.residual,
                       [&](const SoftmaxExamples& block, Index row, Index first, Index j) {
                           for (Index l = 0; l < source.k; ++l) {
                               if (l != j) {
                                   keep(block.X.col(row),
                                        block.X.col(first + j) - block.X.col(first + l));
                               }
                           }
                       });
    found.v = Eigen::Map<const Matrix>(
        entries.data(), d * d, static_cast<Index>(entries.size()) / (d * d));
    return found;
}

Matrix refine_by_saturation(const SoftmaxSource& source,
                            const Matrix& W,
                            const SaturatedOptions& options) {
    check_shapes(source, W, options);
    Matrix refined = W;
    for (const double residual :
         {kWide, kWide, options.residual, options.residual, options.residual}) {
        Matrix gram = Matrix::Zero(source.d, source.d);
        Matrix cross = Matrix::Zero(source.d, source.d);
        for_each_saturated(source,
                           refined,
                           residual,
                           [&](const SoftmaxExamples& block, Index row, Index first, Index j) {
                               const auto token = block.X.col(first + j);
                               gram += token * token.transpose();
                               cross += token * block.Y.col(row).transpose();
                           });
        const CholeskyFactor factor = cholesky(gram);
        if (!factor.positive) {
            break;  // the rows do not span R^d
        }
        refined = cholesky_solve(factor, cross);
    }
    return refined;
}

}  // namespace attest
