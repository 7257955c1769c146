#include "tasks/associative_memory.hpp"

#include "core/base/bitwise.hpp"
#include "core/features/cubic.hpp"
#include "core/model/forward.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest {
namespace {

using test::invalid_input_message;

AssociativeMemory memory(const AssociativeMemoryOptions& options) {
    return {options, Stream(1)};
}

TEST(AssociativeMemory, PrintedLabelMissesTheQuerysAttentionToItself) {
    const Matrix Z = Matrix::Ones(2, 2);  // d = 1: k = q = 1, v = ζ = 1

    const Vector z = Z.col(1);
    const Vector attention = attend<double>(memory_parameters(1), Z, z);
    const Vector printed = printed_memory_label(Z);

    EXPECT_TRUE(bitwise_equal(attention(0), 0.0));
    EXPECT_TRUE(bitwise_equal(attention(1), 2.0));
    EXPECT_TRUE(bitwise_equal(printed(0), 0.0));
    EXPECT_TRUE(bitwise_equal(printed(1), 1.0));
}

RC_GTEST_PROP(AssociativeMemory, AttentionAddsTheQuerysSquareTimesZeta, (std::uint64_t seed)) {
    AssociativeMemoryOptions options;
    options.mixture = 1.0;
    options.orthogonal = OrthogonalKind::signed_permutation;
    const Sequence attention = AssociativeMemory(options, Stream(seed)).draw(0);
    options.labels = MemoryLabels::printed;
    const Sequence printed = AssociativeMemory(options, Stream(seed)).draw(0);

    // |q|² = 1 and all entries are multiples of 2⁻¹⁰: nothing rounds.
    RC_ASSERT(printed.Z == attention.Z);
    RC_ASSERT(Vector(attention.y - printed.y).tail(4) == attention.Z.col(4).tail(4));
    // An orthogonal memory returns the value of the chosen key.
    bool found = false;
    for (Index j = 0; j < 4; ++j) {
        found = found || (attention.Z.col(j).head(4) == attention.Z.col(4).head(4) &&
                          attention.Z.col(j).tail(4) == printed.y.col(0).tail(4));
    }
    RC_ASSERT(found);
}

RC_GTEST_PROP(AssociativeMemory, QueryIsOneOfTheKeys, (std::uint64_t seed)) {
    AssociativeMemoryOptions options;
    options.mixture = 0.5;
    const Matrix Z = AssociativeMemory(options, Stream(seed)).draw(3).Z;

    bool found = false;
    for (Index j = 0; j < 4; ++j) {
        found = found || Z.col(j).head(4) == Z.col(4).head(4);
    }
    RC_ASSERT(found);
}

TEST(AssociativeMemory, RationalKeysAreOrthogonalExactlyAlsoAsDoubles) {
    AssociativeMemoryOptions options;
    options.mixture = 1.0;
    for (const Index d : {1, 3, 4, 6}) {
        options.d = d;
        const AssociativeMemory task = memory(options);
        const MatrixOf<Rational> I = MatrixOf<Rational>::Identity(d, d);
        for (Index i = 0; i < 5; ++i) {
            const MatrixOf<Rational> Z = task.draw_exact(i);
            const MatrixOf<Rational> K = Z.topLeftCorner(d, d);
            const MatrixOf<Rational> X = Z.bottomLeftCorner(d, d);
            EXPECT_EQ(MatrixOf<Rational>(K.transpose() * K), I);
            EXPECT_EQ(MatrixOf<Rational>(X.transpose() * X), I);

            const MatrixOf<Rational> drawn = task.draw(i).Z.cast<Rational>();
            Index k = 0;
            while (Z.data()[k] == 0) {
                ++k;
            }
            const Rational factor = drawn.data()[k] / Z.data()[k];
            EXPECT_EQ(drawn, MatrixOf<Rational>(Z * factor)) << "one factor for all";
            EXPECT_TRUE(factor >= 1 && factor < 2);
        }
    }
}

TEST(AssociativeMemory, LabelsOfRationalKeysAreTheLayersExactly) {
    AssociativeMemoryOptions options;
    options.d = 3;
    options.mixture = 1.0;
    const AssociativeMemory task = memory(options);
    const Parameters theta = memory_parameters(3);
    const ParametersOf<Rational> exact{
        6, 6, {{theta.heads[0].V.cast<Rational>(), theta.heads[0].Q.cast<Rational>()}}};

    for (Index i = 0; i < 20; ++i) {
        const Sequence drawn = task.draw(i);
        const MatrixOf<Rational> Z = drawn.Z.cast<Rational>();
        const VectorOf<Rational> z = Z.col(3);

        EXPECT_EQ(VectorOf<Rational>(drawn.y.col(0).cast<Rational>()),
                  attend<Rational>(exact, Z, z));
    }
}

TEST(AssociativeMemory, RationalKeysAreRefusedWhereDoublesCannotHoldThem) {
    AssociativeMemoryOptions options;
    options.d = 12;
    EXPECT_NO_THROW(memory(options)) << "no sequence is unitary";
    options.mixture = 0.5;
    EXPECT_EQ(invalid_input_message([&] { memory(options); }),
              "task associative-memory: got d = 12, expected at most 11 for rational keys, whose "
              "entries have to fit in doubles; orthogonal = haar takes any d, but is rounded, and "
              "only a numerical rank sees it as orthogonal");
    options.d = 11;
    for (Index i = 0; i < 20; ++i) {
        EXPECT_NO_THROW((void)memory(options).draw(i));
    }
}

TEST(AssociativeMemory, HaarKeysHaveNoRationalForm) {
    AssociativeMemoryOptions options;
    options.num_gaussian = 1;
    options.orthogonal = OrthogonalKind::haar;

    EXPECT_EQ(memory(options).draw_exact(0), memory(options).draw(0).Z.cast<Rational>());
    try {
        (void)memory(options).draw_exact(1);
        FAIL() << "nothing was thrown";
    } catch (const NotAvailable& error) {
        EXPECT_STREQ(error.what(),
                     "associative-memory: sequence 1 has Haar keys, which have no rational form; "
                     "use rational or signed_permutation");
    }
}

TEST(AssociativeMemory, FirstSequencesAreGaussianWhenTheirNumberIsGiven) {
    AssociativeMemoryOptions options;
    options.num_gaussian = 3;
    options.mixture = 0.0;
    const AssociativeMemory task = memory(options);

    for (Index i = 0; i < 20; ++i) {
        EXPECT_EQ(task.unitary(i), i >= 3) << i;
    }
}

TEST(AssociativeMemory, LargerMixturesOnlyTurnSequencesUnitary) {
    AssociativeMemoryOptions options;
    options.mixture = 0.3;
    const AssociativeMemory few = memory(options);
    options.mixture = 0.7;
    const AssociativeMemory many = memory(options);

    Index turned = 0;
    for (Index i = 0; i < 200; ++i) {
        EXPECT_LE(few.unitary(i), many.unitary(i));
        turned += few.unitary(i) == many.unitary(i) ? 0 : 1;
        if (few.unitary(i) == many.unitary(i)) {
            EXPECT_EQ(few.draw(i).Z, many.draw(i).Z);
        }
    }
    EXPECT_GT(turned, 0);
}

TEST(AssociativeMemory, MixturesZeroAndOneAreCertain) {
    AssociativeMemoryOptions options;
    options.mixture = 0.0;
    const AssociativeMemory none = memory(options);
    options.mixture = 1.0;
    const AssociativeMemory all = memory(options);

    for (Index i = 0; i < 100; ++i) {
        EXPECT_FALSE(none.unitary(i));
        EXPECT_TRUE(all.unitary(i));
    }
}

TEST(AssociativeMemory, RandomTeacherIsAsLargeAsThePapers) {
    AssociativeMemoryOptions options;
    options.teacher = MemoryTeacher::random;
    const Head head = memory(options).truth().heads->heads[0];

    // √4 up to the rounding of 64 entries to multiples of 2⁻²⁰.
    EXPECT_LT(std::abs(head.V.norm() - 2.0), 8.0 * 0x1p-21 + 0x1p-40);
    EXPECT_LT(std::abs(head.Q.norm() - 2.0), 8.0 * 0x1p-21 + 0x1p-40);
}

TEST(AssociativeMemory, ZetaCanBeZero) {
    AssociativeMemoryOptions options;
    options.zeta = QueryValue::zero;
    options.labels = MemoryLabels::printed;

    EXPECT_EQ(memory(options).draw(0).Z.col(4).tail(4), Vector::Zero(4));
    EXPECT_TRUE(memory(options).traits().realisable);  // without ζ equation 14 is MHLA_Θ(Z)
}

Index rank_of(MatrixOf<Rational> A) {
    Index rank = 0;
    for (Index col = 0; col < A.cols() && rank < A.rows(); ++col) {
        Index pivot = rank;
        while (pivot < A.rows() && A(pivot, col) == 0) {
            ++pivot;
        }
        if (pivot == A.rows()) {
            continue;
        }
        A.row(pivot).swap(A.row(rank));
        for (Index i = rank + 1; i < A.rows(); ++i) {
            const Rational factor = A(i, col) / A(rank, col);
            for (Index j = col; j < A.cols() && factor != 0; ++j) {
                A(i, j) -= factor * A(rank, j);
            }
        }
        ++rank;
    }
    return rank;
}

// Unitary data leave a nullity of 2d(d² − 1)/3, and each Gaussian sequence lowers it by one.
TEST(AssociativeMemory, NullityFallsByOneWithEveryGaussianSequence) {
    AssociativeMemoryOptions options;
    options.d = 2;
    for (const Index gaussian : {0, 1, 3, 4}) {
        options.num_gaussian = gaussian;
        const AssociativeMemory task = memory(options);
        MatrixOf<Rational> H(60, feature_dim(4));
        for (Index i = 0; i < H.rows(); ++i) {
            H.row(i) = cubic_features<Rational>(task.draw(i).Z.cast<Rational>()).transpose();
        }

        EXPECT_EQ(rank_of(H), feature_dim(4) - (4 - gaussian)) << gaussian;
    }
}

TEST(AssociativeMemory, RefusesOptionsOutOfRange) {
    AssociativeMemoryOptions options;
    options.mixture = 1.5;
    EXPECT_EQ(invalid_input_message([&] { memory(options); }),
              "task associative-memory: got mixture 1.5, expected 0 to 1");
    options = {};
    options.d = 0;
    EXPECT_EQ(invalid_input_message([&] { memory(options); }),
              "task associative-memory: got d = 0, expected at least 1");
    options = {};
    options.num_gaussian = -1;
    EXPECT_EQ(invalid_input_message([&] { memory(options); }),
              "task associative-memory: got a negative num_gaussian, expected at least 0");
    options = {};
    EXPECT_EQ(invalid_input_message([&] { (void)memory(options).draw(-1); }),
              "task associative-memory: got sequence -1, expected at least 0");
    EXPECT_EQ(invalid_input_message([] { return printed_memory_label(Matrix(3, 2)); }),
              "printed_memory_label: Z is 3x2, expected 2d x d+1");
}

}  // namespace
}  // namespace attest
