#include "core/audit/witness_audit.hpp"

#include "core/features/predict.hpp"
#include "tests/core/audit/audit_examples.hpp"
#include "tests/support/counted_source.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

TEST(WitnessAudit, WithoutLabelsStandsBesideTheZeroFunction) {
    // z = 0 alone: no p is refuted, and nothing of the data needs to be factored.
    const Dataset data = test::scalars(Matrix{{0, 0}});
    const test::CountedSource source(data);
    const ExactRank rank = certify_rank(data, {NullVectors::all, {}});

    const WitnessAudit found = audit_witness(FactoredSource(source), rank, nullptr);

    EXPECT_EQ(found.models[0].P, Matrix::Zero(1, 1));
    EXPECT_NE(found.models[1].P(0, 0), 0.0);
    EXPECT_EQ(found.models[1].heads.num_heads(), 1);
    EXPECT_EQ(source.passes(), 0);
}

TEST(WitnessAudit, DisagreesOnTheFirstQuery) {
    const Dataset data = test::planted(40, 1);
    const Dataset queries = test::planted(2, 3, 8);
    const DatasetSource source(data);
    const ExactRank rank = certify_rank(data, {NullVectors::all, {}});

    const WitnessAudit found = audit_witness(FactoredSource(source), rank, &queries);

    ASSERT_EQ(found.witness.input.tokens.cols(), 3);
    EXPECT_EQ(found.witness.input.tokens.view(), queries.tokens.view().leftCols(3));
    const DatasetSource input(found.witness.input);
    EXPECT_NE(predict(found.models[0].P, input)(0, 0), predict(found.models[1].P, input)(0, 0));
}

}  // namespace
}  // namespace attest
