#include "core/moments/moment_sums.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/memory.hpp"
#include "core/features/cubic.hpp"
#include "core/moments/stored_source.hpp"

#include <type_traits>
#include <utility>

namespace attest {

Moments explicit_moments(const MomentSource& source) {
    const SourceShape shape = source.shape();
    require(shape.num_examples >= 1, "explicit_moments: the source has no examples");
    const Index psi = shape.psi();
    const auto columns = static_cast<double>(psi);
    require_memory(8.0 * columns * (columns + 512.0),
                   formatted("the second moment, psi = {}", psi),
                   "use a solver that forms nothing of size psi x psi");
    Moments moments{Matrix::Zero(psi, psi), Matrix::Zero(psi, shape.o), 0.0, shape.num_examples};
    for (Index b = 0; b < shape.num_blocks; ++b) {
        const MomentBatch batch = source.block(b);
        const Matrix H = feature_columns(batch, shape.layout);
        add_syrk(moments.Lambda, H);
        moments.cross.noalias() += H * batch.y.transpose();
        moments.label_power += batch.y.squaredNorm();
    }
    const auto N = static_cast<double>(shape.num_examples);
    moments.Lambda.triangularView<Eigen::StrictlyUpper>() = moments.Lambda.transpose();
    moments.Lambda /= N;
    moments.cross /= N;
    moments.label_power /= N;
    return moments;
}

namespace {

/// s (and nothing else) as rows, u_l y_a as columns, l fastest: the distinct entries of Σ H yᵀ.
ProductSumOf<double> empty_cross(const SourceShape& shape, Isa isa) {
    const Index q = shape.q();
    std::vector<ProductPair> columns;
    for (Index a = 0; a < shape.o; ++a) {
        const std::vector<ProductPair> scaled = scaled_entries(shape.m() + a, shape.m());
        columns.insert(columns.end(), scaled.begin(), scaled.end());
    }
    return {scaled_entries(q, q), columns, isa};
}

Matrix unpack_cross(const ProductSumOf<double>& sum, const SourceShape& shape) {
    Matrix C(shape.psi(), shape.o);
    for (Index i = 0; i < shape.psi(); ++i) {
        const auto [p, l] = shape.layout.factors(i);
        for (Index a = 0; a < shape.o; ++a) {
            C(i, a) = sum.row(p)[(a * shape.m() + l) * sum.row_stride()];
        }
    }
    return C;
}

double label_power(const MomentWindow& window, const SourceShape& shape) {
    return window.right.block(shape.m(), 0, shape.o, window.count).squaredNorm();
}

/// Adds a window to the Gram, in single precision through a rounded copy.
template <class Scalar>
class GramStep {
public:
    explicit GramStep(ProductSumOf<Scalar>& sum) : sum_(sum) {}

    void add(const MomentWindow& window, int threads) {
        if constexpr (std::is_same_v<Scalar, double>) {
            sum_.add(window.left, window.right, window.count, threads);
        } else {
            left_ = window.left.cast<Scalar>();
            right_ = window.right.cast<Scalar>();
            sum_.add(left_, right_, window.count, threads);
        }
    }

private:
    ProductSumOf<Scalar>& sum_;
    MatrixOf<Scalar> left_;
    MatrixOf<Scalar> right_;
};

}  // namespace

template <class Scalar>
MomentSumsOf<Scalar> moment_sums(const MomentSource& source, const GramOptions& options) {
    const SourceShape shape = source.shape();
    require(shape.num_examples >= 1, "moment_sums: the source has no examples");
    require_memory(moment_sums_bytes<Scalar>(shape, options),
                   formatted("the structured second moment, psi = {}", shape.psi()),
                   "use a solver that forms nothing of size psi x psi");
    const Index q = shape.q();
    const std::vector<ProductPair> rows =
        triangle_pairs_by_register(q, gram_path<Scalar>(options.isa).lanes);
    ProductSumOf<Scalar> gram(rows, triangle_pairs(shape.m()), options.isa);
    ProductSumOf<double> cross = empty_cross(shape, options.isa);
    GramStep<Scalar> step(gram);
    double power = 0.0;
    for_each_window(source,
                    std::max(gram.padding(), cross.padding()),
                    options.threads,
                    [&](const MomentWindow& window) {
                        step.add(window, options.threads);
                        cross.add(window.left, window.right, window.count, options.threads);
                        power += label_power(window, shape);
                    });
    gram.finish();
    cross.finish();
    return {StructuredGramOf<Scalar>(shape.layout, std::move(gram), positions_of_triangle(q, rows)),
            unpack_cross(cross, shape),
            power,
            shape.num_examples};
}

template <class Scalar>
double moment_sums_bytes(const SourceShape& shape, const GramOptions& options) {
    const auto q = static_cast<double>(shape.q());
    const auto m = static_cast<double>(shape.m());
    const auto outputs = static_cast<double>(shape.m() * shape.o);
    const auto window = static_cast<double>(
        std::min(moment_window_capacity(shape.q()), std::max<Index>(shape.num_examples, 1)));
    constexpr double kPadding = 32.0;          // at most, of both panels
    const double pairs = m * (m + 1.0) / 2.0;  // of query entries
    const double example = (8.0 + sizeof(Scalar)) * (q + pairs + outputs + kPadding);
    const double block = 48.0 * sizeof(Scalar) * (128.0 + pairs);
    return sizeof(Scalar) * q * (q + 1.0) * pairs + 16.0 * q * outputs + window * example +
           options.threads * (block + 256.0 * 8.0 * pairs);
}

Index moment_sums_operations(const SourceShape& shape) {
    // Four more for the rounding of s and u to single precision.
    const Index window = std::min(moment_window_capacity(shape.q()), shape.num_examples);
    return ProductSumOf<double>::operations(window) + 4;
}

Matrix second_moment_sum(const MomentSource& source, const GramOptions& options) {
    return moment_sums<double>(source, options).gram.lower_triangle(options.threads);
}

Moments structured_moments(const MomentSource& source, const GramOptions& options) {
    MomentSums sums = moment_sums<double>(source, options);
    const auto N = static_cast<double>(sums.num_examples);
    Moments moments{sums.gram.lower_triangle(options.threads) / N,
                    sums.cross / N,
                    sums.label_power / N,
                    sums.num_examples};
    moments.Lambda.triangularView<Eigen::StrictlyUpper>() = moments.Lambda.transpose();
    return moments;
}

template MomentSumsOf<double> moment_sums<double>(const MomentSource&, const GramOptions&);
template MomentSumsOf<float> moment_sums<float>(const MomentSource&, const GramOptions&);
template double moment_sums_bytes<double>(const SourceShape&, const GramOptions&);
template double moment_sums_bytes<float>(const SourceShape&, const GramOptions&);

}  // namespace attest
