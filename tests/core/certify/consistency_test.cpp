#include "core/certify/consistency.hpp"

#include "core/features/cubic.hpp"
#include "core/model/forward.hpp"
#include "tests/reference/elimination.hpp"
#include "tests/reference/features.hpp"
#include "tests/support/audit_data.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest::test {
namespace {

/// Labels of Definition 2.1 for small integers: exact in double.
Dataset draw_realisable() {
    const Index d = draw_index(1, 3);
    const Parameters theta = draw_parameters(d, draw_index(1, 2), 2);
    const Dataset data = draw_dataset(d, draw_index(1, 24));
    Matrix y(theta.o, data.num_sequences());
    for (Index i = 0; i < data.num_sequences(); ++i) {
        const Matrix Z = data.sequence(i);
        y.col(i) = attend<double>(theta, Z, Z.col(Z.cols() - 1));
    }
    return with_labels(data, y);
}

/// rank[H | y] = rank H, by rational elimination.
bool is_consistent(const Dataset& data) {
    reference::Rows features;
    reference::Rows joint;
    for (Index i = 0; i < data.num_sequences(); ++i) {
        const Matrix Z = data.sequence(i);
        features.push_back(reference::reference_cubic_features(to_rows(Z)));
        joint.push_back(features.back());
        for (Index a = 0; a < data.o(); ++a) {
            joint.back().push_back(Rational(data.y(a, i)));
        }
    }
    return reference::reference_rank(features) == reference::reference_rank(joint);
}

void assert_fits(const ConsistencyReport& report, const Dataset& data) {
    for (Index i = 0; i < data.num_sequences(); ++i) {
        const MatrixOf<Rational> Z = data.sequence(i).cast<Rational>();
        const VectorOf<Rational> y = data.y.col(i).cast<Rational>();
        RC_ASSERT(VectorOf<Rational>(report.solution->transpose() * cubic_features<Rational>(Z)) ==
                  y);
    }
}

TEST(ConsistentLabels, FindsThePlantedCoefficientByHand) {
    // d = 1, y = z³/2: p = 1/2.
    const Dataset data =
        with_labels(sequences({Matrix{{1}}, Matrix{{2}}, Matrix{{3}}}), Matrix{{0.5, 4, 13.5}});

    const ConsistencyReport report = consistent_labels(data, certify_rank(data));

    EXPECT_EQ(report.verdict, LabelConsistency::consistent);
    ASSERT_TRUE(report.solution.has_value());
    EXPECT_EQ((*report.solution)(0, 0), Rational(1, 2));
    EXPECT_EQ(report.reason, "a rational P was verified on every example");
}

TEST(ConsistentLabels, NamesAnExampleThatContradictsTheOthers) {
    const Dataset data =
        with_labels(sequences({Matrix{{1}}, Matrix{{2}}, Matrix{{3}}}), Matrix{{0.5, 4, 13}});

    const ConsistencyReport report = consistent_labels(data, certify_rank(data));

    EXPECT_EQ(report.verdict, LabelConsistency::inconsistent);
    EXPECT_EQ(report.example, 2);
    EXPECT_EQ(report.reason, "example 2 contradicts 1 others: rank [H | y] exceeds rank H = 1");
    EXPECT_FALSE(report.solution.has_value());
}

RC_GTEST_PROP(ConsistentLabels, FitsRealisableLabelsExactly, ()) {
    const Dataset data = draw_realisable();

    const ConsistencyReport report = consistent_labels(data, certify_rank(data));

    RC_ASSERT(report.verdict == LabelConsistency::consistent);
    if (report.solution) {
        assert_fits(report, data);
    }
}

RC_GTEST_PROP(ConsistentLabels, AgreesWithRationalRanksWhenALabelIsChanged, ()) {
    Dataset data = draw_realisable();
    data.y(0, draw_index(0, data.num_sequences() - 1)) += 1.0;

    const ConsistencyReport report = consistent_labels(data, certify_rank(data));

    RC_ASSERT(report.verdict == (is_consistent(data) ? LabelConsistency::consistent
                                                     : LabelConsistency::inconsistent));
}

TEST(ConsistentLabels, AcceptsAnyLabelsOfIndependentExamples) {
    const Dataset data = with_labels(unimodular_six(), Matrix{{0.1, 0.2, 0.3, 0.4, 0.5, 0.6}});

    const ConsistencyReport report = consistent_labels(data, certify_rank(data));

    EXPECT_EQ(report.verdict, LabelConsistency::consistent);
    EXPECT_EQ(report.reason, "the N rows are independent: any labels are fitted");
}

TEST(ConsistentLabels, SeesTheRoundingOfLabelsComputedInDouble) {
    Dataset data = planted_dataset(
        normal_parameters(2, 1, 1, Stream(3).child("theta")), 20, 5, Stream(3).child("data"));
    const ExactRank rank = certify_rank(data);
    EXPECT_EQ(consistent_labels(data, rank).verdict, LabelConsistency::consistent);

    data.y(0, 19) = std::nextafter(data.y(0, 19), 1e300);
    const ConsistencyReport report = consistent_labels(data, rank);

    EXPECT_EQ(report.verdict, LabelConsistency::inconsistent);
    EXPECT_EQ(report.example, 19);
}

TEST(ConsistentLabels, IsUndecidedWhenTheRankIsNotProved) {
    const Matrix Z{{1, 2}, {3, 4}};
    const Dataset data = with_labels(sequences({Z, Z}), Matrix{{1, 2}});
    const ExactRank rank = certify_rank(data, {.null_vectors = NullVectors::none});

    const ConsistencyReport report = consistent_labels(data, rank);

    EXPECT_EQ(report.verdict, LabelConsistency::undecided);
    EXPECT_EQ(report.example, 1);
    EXPECT_EQ(report.reason,
              "inconsistent modulo 2305843009213693951, but the rank over Q is only known to be at "
              "least 1");
}

TEST(ConsistentLabels, RefusesADataSetWithoutLabels) {
    const Dataset data = deficient_five();

    EXPECT_REFUSED("consistent_labels: the data set has no labels",
                   consistent_labels(data, certify_rank(data)));
}

TEST(LabelConsistency, HasItsNames) {
    EXPECT_EQ(to_string(LabelConsistency::consistent), "consistent");
    EXPECT_EQ(to_string(LabelConsistency::inconsistent), "inconsistent");
    EXPECT_EQ(to_string(LabelConsistency::undecided), "undecided");
}

}  // namespace
}  // namespace attest::test
