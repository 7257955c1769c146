#include "core/moments/whitening.hpp"

#include "core/algebra/residual_ratio.hpp"
#include "core/base/bitwise.hpp"
#include "core/exact/scalars.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/cubic.hpp"
#include "tests/support/arbitrary_dataset.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest {
namespace {

/// Powers of two on the diagonal, small integers below: whitening small dyadic numbers is exact.
Matrix dyadic_factor(Index d) {
    Matrix L = Matrix::Zero(d, d);
    for (Index j = 0; j < d; ++j) {
        L.row(j).head(j).setConstant(static_cast<double>(j + 1));
        L(j, j) = j % 2 == 0 ? 2.0 : 0.5;
    }
    return L;
}

/// The same moments from a whitened copy of the whole data set.
MomentBatch whitened_at_once(Dataset data, const Matrix& L) {
    data.tokens = whiten_tokens<double>(L, data.tokens.view());
    return collect(DatasetSource(data));
}

RC_GTEST_PROP(WhitenedSource, HoldsTheMomentsOfTheWhitenedDataSet, ()) {
    const Dataset data = test::arbitrary_dataset();
    const Matrix L = dyadic_factor(data.d());
    const MomentBatch expected = whitened_at_once(data, L);

    const MomentBatch batch = collect(WhitenedSource(SequencesInMemory(data), L));

    RC_ASSERT(batch.S == expected.S);
    RC_ASSERT(batch.u == expected.u);
    RC_ASSERT(batch.y == expected.y);
}

TEST(WhitenedSource, CarriesPrefixesAcrossBlocks) {
    Dataset data;
    data.labels = LabelKind::per_prefix;
    data.tokens = test::normal_matrix(3, 900, Stream(41));
    data.y = test::normal_matrix(2, 900, Stream(42));
    // Sequences that span blocks of 256, end at a block's end, and lie within one.
    data.offsets = {0, 10, 512, 513, 900};
    const Matrix L = dyadic_factor(3);
    const MomentBatch expected = whitened_at_once(data, L);

    const SequencesInMemory sequences(data);
    const WhitenedSource source(sequences, L);

    EXPECT_EQ(source.shape().num_blocks, 4);
    const MomentBatch batch = collect(source);
    EXPECT_EQ(batch.S, expected.S);
    EXPECT_EQ(batch.u, expected.u);
    EXPECT_EQ(batch.y, expected.y);
    EXPECT_EQ(source.block(2).S, expected.S.middleCols(512, 256)) << "blocks in any order";
}

TEST(WhitenedSource, AnotherFactorIsNoticed) {
    const Dataset data =
        test::planted_dataset(test::normal_parameters(2, 1, 1, Stream(1)), 300, 2, Stream(2));
    EXPECT_NE(collect(WhitenedSource(SequencesInMemory(data), dyadic_factor(2))).S,
              collect(WhitenedSource(SequencesInMemory(data), Matrix::Identity(2, 2))).S);
    EXPECT_EQ(collect(WhitenedSource(SequencesInMemory(data), Matrix::Identity(2, 2))).S,
              collect(DatasetSource(data)).S);
}

TEST(WhitenedSource, RefusesAFactorOfAnotherSizeAndBlocksOutOfRange) {
    const Dataset data =
        test::planted_dataset(test::normal_parameters(2, 1, 1, Stream(1)), 3, 2, Stream(2));
    const SequencesInMemory sequences(data);
    EXPECT_REFUSED("WhitenedSource: got L 3x3", WhitenedSource(sequences, Matrix::Identity(3, 3)));
    const WhitenedSource source(sequences, Matrix::Identity(2, 2));
    EXPECT_REFUSED("SlicedSource: got block 1", source.block(1));
}

using Exact = MatrixOf<Rational>;

/// Lower triangular with a nonzero diagonal.
Exact draw_factor(Index d) {
    Exact L = test::draw_integers<Rational>(d, d).triangularView<Eigen::Lower>();
    for (Index j = 0; j < d; ++j) {
        L(j, j) = Rational(test::draw_index(1, 5)) / 2;
    }
    return L;
}

Exact output(const Exact& P, const Exact& Z) {
    return P.transpose() * cubic_features<Rational>(Z);
}

/// d×T tokens whose last coordinate is the first plus `gap` times noise.
Dataset nearly_dependent(Index d, Index T, double gap) {
    Dataset data;
    data.tokens = test::normal_matrix(d, T, Stream(31));
    data.tokens.own().row(d - 1) = data.tokens.view().row(0) + gap * data.tokens.view().row(d - 1);
    data.offsets = {0, T};
    return data;
}

TEST(Whitening, OneCoordinateByHand) {
    // Tokens 3 and 4: L = √(25/2). With L = 2: z~ = z/2, H~ = H/8, so P~ = 8 P.
    Dataset data;
    data.tokens = (Matrix(1, 2) << 3.0, 4.0).finished();
    data.offsets = {0, 2};
    EXPECT_LT(difference_ratio(Matrix::Constant(1, 1, std::sqrt(12.5)), token_whitening(data).L),
              kRatioBound);

    const Exact P = Exact::Constant(1, 1, Rational(5));
    const Exact L = Exact::Constant(1, 1, Rational(2));
    EXPECT_EQ(substitute_tokens<Rational>(P, L)(0, 0), 40);
    EXPECT_EQ(unwhiten_coefficients<Rational>(P, L)(0, 0), Rational(5) / 8);
}

RC_GTEST_PROP(Whitening, WhitenedCoefficientsPredictTheSame, ()) {
    const Index d = test::draw_index(1, 3);
    const Exact L = draw_factor(d);
    const Exact Z = test::draw_tokens<Rational>(d);
    const Exact P = test::draw_integers<Rational>(feature_dim(d), 2);

    const Exact whitened = substitute_tokens<Rational>(P, L);

    RC_ASSERT(output(whitened, whiten_tokens<Rational>(L, Z)) == output(P, Z));
}

RC_GTEST_PROP(Whitening, UnwhiteningUndoesWhiteningExactly, ()) {
    const Index d = test::draw_index(1, 3);
    const Exact L = draw_factor(d);
    const Exact P = test::draw_integers<Rational>(feature_dim(d), 2);

    RC_ASSERT(unwhiten_coefficients<Rational>(substitute_tokens<Rational>(P, L), L) == P);
    RC_ASSERT(substitute_tokens<Rational>(unwhiten_coefficients<Rational>(P, L), L) == P);
}

RC_GTEST_PROP(Whitening, HeadsTransformAsDocumented, ()) {
    const Index d = test::draw_index(1, 3);
    const Exact L = draw_factor(d);
    const ParametersOf<Rational> theta = test::draw_parameters<Rational>(d, 2, 2);
    ParametersOf<Rational> whitened = theta;
    for (HeadOf<Rational>& head : whitened.heads) {
        head = {head.V * L, L.transpose() * head.Q * L};
    }

    RC_ASSERT(substitute_tokens<Rational>(coefficients<Rational>(theta), L) ==
              coefficients<Rational>(whitened));
}

TEST(Whitening, TheTransposedFactorIsNoticed) {
    Exact L = Exact::Identity(2, 2);
    L(1, 0) = 3;
    const Exact Z = (Exact(2, 2) << 1, 2, 0, 1).finished();
    const Exact P = Exact::Constant(6, 1, Rational(1));
    const Exact transposed = substitute_tokens<Rational>(P, L.transpose());
    EXPECT_NE(output(transposed, whiten_tokens<Rational>(L, Z)), output(P, Z));
}

TEST(Whitening, WhitenedTokensHaveUnitSecondMoment) {
    for (const Index d : {1, 2, 5, 8}) {
        // More than one block of 4096 tokens.
        const Dataset data = nearly_dependent(d, 5000, 1.0);

        const Whitening whitening = token_whitening(data);

        const Matrix Z = whiten_tokens<double>(whitening.L, data.tokens.view());
        EXPECT_LT(difference_ratio(Matrix::Identity(d, d), Z * Z.transpose() / 5000.0),
                  kRatioBound);
        EXPECT_TRUE((whitening.L.diagonal().array() > 0.0).all());
        EXPECT_EQ(whitening.L, Matrix(whitening.L.triangularView<Eigen::Lower>()));
        EXPECT_GT(whitening.rcond, 0.0);
    }
}

TEST(Whitening, FactorsTokensWhoseSecondMomentIsNumericallySingular) {
    // The condition is about 2e10; that of the second moment is its square, past 1/ε.
    const Dataset data = nearly_dependent(4, 600, 0x1p-34);

    const Whitening whitening = token_whitening(data);

    const Matrix second = data.tokens.view() * data.tokens.view().transpose() / 600.0;
    EXPECT_LT(difference_ratio(second, whitening.L * whitening.L.transpose()), kRatioBound);
    // The last coordinate outside the others is 2⁻³⁴ times a token of second moment near 1.
    EXPECT_GT(whitening.L(3, 3), 0x1p-35);
    EXPECT_LT(whitening.L(3, 3), 0x1p-33);
}

TEST(Whitening, UnitsOfACoordinateAreNoDependence) {
    Dataset data = nearly_dependent(3, 100, 1.0);
    data.tokens.own().row(1) *= 0x1p-200;
    EXPECT_GT(token_whitening(data).rcond, 0x1p-20);
}

TEST(Whitening, LeavesDependentTokensAlone) {
    for (const Index T : {2, 50}) {
        const Whitening whitening = token_whitening(nearly_dependent(3, T, 0.0));
        EXPECT_EQ(whitening.rcond, 0.0);
        EXPECT_EQ(whitening.L, Matrix(Matrix::Identity(3, 3)));
    }
    Dataset zero = nearly_dependent(2, 9, 1.0);
    zero.tokens.own().row(0).setZero();
    EXPECT_EQ(token_whitening(zero).rcond, 0.0);
    EXPECT_REFUSED("token_whitening: the data set has no tokens", token_whitening(Dataset{}));
}

}  // namespace

}  // namespace attest
