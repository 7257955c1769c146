#include "core/certify/witness.hpp"

#include "core/data/sources/moments.hpp"
#include "core/exact/dyadic.hpp"
#include "core/features/predict.hpp"
#include "core/heads/split_heads.hpp"
#include "core/moments/triangular_factor.hpp"
#include "core/solve/orthogonal.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

Dataset labelled(Index d, Index N, Index n, std::uint64_t seed = 101) {
    const Stream stream = Stream(seed).child(d).child(n);
    return test::planted_dataset(
        test::normal_parameters(d, 2, 1, stream.child("theta")), N, n, stream.child("data"));
}

Matrix minimiser(const Dataset& data) {
    return fit_svd(triangular_factor(DatasetSource(data)), data.d(), {}).P;
}

/// v·H(Z_i) over the rationals, one entry an example.
std::vector<Rational> products(const IntegerVector& v, const Dataset& data) {
    const auto batch = sequence_moments<Rational>(data, 0, data.num_sequences());
    std::vector<Rational> result;
    for (Index i = 0; i < batch.size(); ++i) {
        Rational sum = 0;
        for (Index k = 0; k < v.size(); ++k) {
            sum += Rational(v(k)) * batch.S(k / data.d(), i) * batch.u(k % data.d(), i);
        }
        result.push_back(sum);
    }
    return result;
}

TEST(Witness, HasTheSameTrainingPredictionsExactlyAndDisagreesOnItsInput) {
    for (const Index d : {2, 3}) {
        const Dataset data = labelled(d, 3 * feature_dim(d), 1);

        const Witness witness = make_witness(data, certify_rank(data), minimiser(data), nullptr);

        for (const Rational& product : products(witness.null_vector, data)) {
            EXPECT_EQ(product, 0);
        }
        const Rational change = products(witness.null_vector, witness.input).at(0);
        EXPECT_NE(change, 0);
        EXPECT_EQ(Rational(change * witness.scale).convert_to<double>(), witness.difference);
    }
}

TEST(Witness, RunsAsHeads) {
    const Dataset data = labelled(2, 20, 1);
    const Witness witness = make_witness(data, certify_rank(data), minimiser(data), nullptr);
    const DatasetSource source(data);
    const DatasetSource input(witness.input);

    const Matrix at_a = predict(witness.P[0], input);
    const Matrix at_b = predict(witness.P[1], input);

    // The files hold nearest doubles: ψ roundings of the size of |P|·|H| in either product, as many
    // in the entries of either P.
    constexpr double kRoundings = 4.0 * 6.0;
    const double size = witness.P[1].norm() * feature_columns(input.block(0)).norm();
    EXPECT_LT(std::abs(at_b(0, 0) - at_a(0, 0) - witness.difference), kRoundings * 0x1p-53 * size);
    // Twenty labels, each missed by such roundings; the witness may be larger than the labels.
    constexpr double kGrowth = 40.0;
    EXPECT_LT(empirical_risk(witness.P[1], source).relative,
              std::pow(kGrowth * kRoundings * 0x1p-53, 2.0));
    EXPECT_GE(split_heads(witness.P[1], 2).heads.num_heads(), 1);
}

TEST(Witness, TakesTheQueryThatIsAsked) {
    const Dataset data = labelled(2, 20, 1);
    const Dataset query = subset(labelled(2, 3, 2, 103), 1, 1);

    const Witness witness = make_witness(data, certify_rank(data), minimiser(data), &query);

    EXPECT_EQ(witness.input.tokens.view(), query.tokens.view());
    EXPECT_GT(std::abs(witness.difference), 0.0);
}

TEST(Witness, IsRefusedWhereTheDataDetermineTheAnswer) {
    const Dataset full = labelled(2, 30, 3);
    EXPECT_THROW((void)make_witness(full, certify_rank(full), minimiser(full), nullptr),
                 InvalidInput);

    const Dataset single = labelled(2, 20, 1);
    const Dataset inside = subset(labelled(2, 3, 1, 104), 0, 1);
    EXPECT_THROW((void)make_witness(single, certify_rank(single), minimiser(single), &inside),
                 InvalidInput);
}

TEST(NullVectorText, NamesFeaturesByTokenEntries) {
    IntegerVector v = IntegerVector::Zero(18);
    v(pack_index(3, 0, 1) * 3 + 2) = 1;
    v(pack_index(3, 0, 2) * 3 + 1) = -1;
    EXPECT_EQ(describe_combination(v, 3), "S_12 z_3 - S_13 z_2");
    v(pack_index(3, 2, 2) * 3 + 0) = 4;
    EXPECT_EQ(describe_combination(v, 3, 2), "S_12 z_3 - S_13 z_2 + 1 more terms");
}

}  // namespace
}  // namespace attest
