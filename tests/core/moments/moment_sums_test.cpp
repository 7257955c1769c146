#include "core/moments/moment_sums.hpp"

#include "core/algebra/residual_ratio.hpp"
#include "core/features/cubic.hpp"
#include "tests/reference/features.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/process_settings.hpp"
#include "tests/support/sources.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest::test {
namespace {

/// Moments of small integers: sums of their products are exact in float and in double.
MomentBatch integer_batch(Index d, Index o, Index N) {
    const auto fill = [N](Index rows, Index step) {
        Matrix A(rows, N);
        for (Index i = 0; i < A.size(); ++i) {
            A.data()[i] = static_cast<double>((step * i + i / rows) % 5 - 2);
        }
        return A;
    };
    return {fill(packed_dim(d), 3), fill(d, 7), fill(o, 2)};
}

MomentBatch normal_batch(Index d, Index o, Index N) {
    const Stream stream = Stream(21).child(d);
    return {normal_matrix(packed_dim(d), N, stream.child("S")) / 3.0,
            normal_matrix(d, N, stream.child("z")) / 7.0,
            normal_matrix(o, N, stream.child("y"))};
}

Matrix lower(const Matrix& A) {
    return A.triangularView<Eigen::Lower>();
}

template <class Scalar>
void expect_explicit_sums(Index d, Index o, Index N, const GramOptions& options) {
    const MomentBatch batch = integer_batch(d, o, N);
    const Matrix H = feature_columns(batch);

    const MomentSumsOf<Scalar> sums = moment_sums<Scalar>(BatchSource(batch, 100), options);

    const MatrixOf<Scalar> expected = lower(H * H.transpose()).template cast<Scalar>();
    EXPECT_EQ(sums.gram.lower_triangle(1), expected)
        << to_string(options.isa) << ", d = " << d << ", N = " << N;
    EXPECT_EQ(sums.cross, Matrix(H * batch.y.transpose()));
    EXPECT_EQ(sums.label_power, batch.y.squaredNorm());
    EXPECT_EQ(sums.num_examples, N);
}

TEST(MomentSums, OneExampleByHand) {
    // d = 1, Z = (1 2): S = 5, z = 2, H = 10; y = 3.
    const MomentBatch batch{
        Matrix::Constant(1, 1, 5.0), Matrix::Constant(1, 1, 2.0), Matrix::Constant(1, 1, 3.0)};

    const MomentSums sums = moment_sums<double>(BatchSource(batch, 1), {});

    EXPECT_EQ(sums.gram.at(0, 0), 100.0);
    EXPECT_EQ(sums.cross(0, 0), 30.0);
    EXPECT_EQ(sums.label_power, 9.0);
}

TEST(MomentSums, EqualExplicitFeaturesOnIntegersAtEverySize) {
    for (const Isa isa : available_isas()) {
        for (const Index d : {1, 2, 3, 4, 5, 6, 7}) {
            expect_explicit_sums<double>(d, 2, 131, {1, isa});
            expect_explicit_sums<float>(d, 1, 131, {1, isa});
        }
    }
    for (const Index d : {8, 9, 12, 16}) {
        expect_explicit_sums<double>(d, d, 37, {});
        expect_explicit_sums<float>(d, 0, 37, {});
    }
}

TEST(MomentSums, EqualExplicitFeaturesForEveryNumberOfExamples) {
    for (const Index N : {1, 2, 127, 128, 129, 4095, 4096, 4097, 5000}) {
        expect_explicit_sums<double>(2, 1, N, {2, Isa::automatic});
    }
}

RC_GTEST_PROP(MomentSums, EqualTheDefinitionOverTheRationals, ()) {
    const Index d = draw_index(1, 3);
    const Dataset data = draw_dataset(d, draw_index(1, 6));
    reference::Rows features;
    for (Index i = 0; i < data.num_sequences(); ++i) {
        reference::Rows Z =
            reference::zeros(static_cast<std::size_t>(d), static_cast<std::size_t>(data.length(i)));
        for (std::size_t j = 0; j < Z.size(); ++j) {
            for (std::size_t t = 0; t < Z[j].size(); ++t) {
                Z[j][t] = data.sequence(i)(static_cast<Index>(j), static_cast<Index>(t));
            }
        }
        features.push_back(reference::reference_cubic_features(Z));
    }
    const reference::Rows expected = reference::reference_second_moment(features);

    const MomentSums sums = moment_sums<double>(DatasetSource(data), {});

    for (std::size_t i = 0; i < expected.size(); ++i) {
        for (std::size_t j = 0; j < expected.size(); ++j) {
            RC_ASSERT(
                reference::Rational(sums.gram.at(static_cast<Index>(i), static_cast<Index>(j))) ==
                expected[i][j] * data.num_sequences());
        }
    }
}

/// The documented bound, entry by entry, against exact sums of the same moments.
template <class Scalar>
void expect_rounding_bound(Isa isa, double unit) {
    const MomentBatch batch = normal_batch(3, 1, 1500);
    const MomentBatchOf<Rational> exact{
        batch.S.cast<Rational>(), batch.u.cast<Rational>(), batch.y.cast<Rational>()};
    const MatrixOf<Rational> H = feature_columns<Rational>(exact);
    const BatchSource source(batch, 256);

    const MomentSumsOf<Scalar> sums = moment_sums<Scalar>(source, {1, isa});

    const Rational mu = Rational(unit) * moment_sums_operations(source.shape());
    const Rational factor = Rational(unit) + mu / (1 - mu) + Rational(unit);
    Index inexact = 0;
    for (Index i = 0; i < H.rows(); ++i) {
        for (Index j = 0; j <= i; ++j) {
            Rational value = 0;
            Rational magnitude = 0;
            for (Index k = 0; k < H.cols(); ++k) {
                const Rational term = H(i, k) * H(j, k);
                value += term;
                magnitude += abs(term);
            }
            const Rational error = abs(Rational(sums.gram.at(i, j)) - value);
            EXPECT_LE(error, factor * magnitude) << to_string(isa) << " at " << i << "," << j;
            inexact += error > 0 ? 1 : 0;
        }
    }
    EXPECT_GT(inexact, 0) << "nothing was rounded: the bound was not tested";
}

TEST(MomentSums, RoundingErrorsStayWithinTheDocumentedBound) {
    for (const Isa isa : available_isas()) {
        expect_rounding_bound<double>(isa, 0x1p-53);
        expect_rounding_bound<float>(isa, 0x1p-24);
    }
}

TEST(MomentSums, BitsDependNeitherOnThreadsNorOnBlocks) {
    const MomentBatch batch = normal_batch(4, 2, 9000);
    const MomentSums expected = moment_sums<double>(BatchSource(batch, 9000), {});
    const MomentSumsOf<float> expected32 = moment_sums<float>(BatchSource(batch, 9000), {});
    for (const int threads : {1, 2, 5}) {
        for (const Index block_size : {100, 4096}) {
            const BatchSource source(batch, block_size);
            const MomentSums sums = moment_sums<double>(source, {threads, Isa::automatic});
            const MomentSumsOf<float> sums32 =
                moment_sums<float>(source, {threads, Isa::automatic});

            EXPECT_EQ(sums.gram.lower_triangle(threads), expected.gram.lower_triangle(1));
            EXPECT_EQ(sums32.gram.lower_triangle(threads), expected32.gram.lower_triangle(1));
            EXPECT_EQ(sums.cross, expected.cross);
            EXPECT_EQ(sums.label_power, expected.label_power);
        }
    }
}

TEST(MomentSums, ADroppedOrDoctoredExampleIsNoticed) {
    MomentBatch batch = integer_batch(3, 1, 40);
    const Matrix all = second_moment_sum(BatchSource(batch, 10), {});
    MomentBatch fewer{batch.S.leftCols(39), batch.u.leftCols(39), batch.y.leftCols(39)};
    EXPECT_NE(second_moment_sum(BatchSource(fewer, 10), {}), all);
    batch.u.col(3).swap(batch.u.col(4));
    EXPECT_NE(second_moment_sum(BatchSource(batch, 10), {}), all);
}

TEST(MomentSums, StructuredMomentsAreTheExplicitOnes) {
    const Dataset data = planted_dataset(normal_parameters(4, 3, 2, Stream(5)), 700, 3, Stream(6));
    const DatasetSource source(data);
    const Moments expected = explicit_moments(source);

    const Moments moments = structured_moments(source, {2, Isa::automatic});

    EXPECT_LT(difference_ratio(expected.Lambda, moments.Lambda), kRatioBound);
    EXPECT_EQ(moments.Lambda, Matrix(moments.Lambda.transpose()));
    EXPECT_LT(difference_ratio(expected.cross, moments.cross), kRatioBound);
    EXPECT_LT(std::abs(expected.label_power - moments.label_power),
              gamma_bound(2100) * expected.label_power);
    EXPECT_EQ(moments.num_examples, 700);
}

TEST(MomentSums, RefuseAnEmptySourceAndWhatDoesNotFit) {
    const BatchSource empty({Matrix(3, 0), Matrix(2, 0), Matrix(1, 0)}, 1);
    EXPECT_REFUSED("moment_sums: the source has no examples", moment_sums<double>(empty, {}));
    const BatchSource one(integer_batch(3, 1, 1), 1);
    const double needed = moment_sums_bytes<double>(one.shape(), {});
    const MemoryLimit limit(static_cast<long>(needed) - 1);
    EXPECT_THROW((void)moment_sums<double>(one, {}), EnvironmentFailure);
}

}  // namespace
}  // namespace attest::test
