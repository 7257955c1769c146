#include "proofs_check/exact/exact_problem.hpp"

#include "core/base/error.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/cubic.hpp"
#include "core/layers/parse_layer.hpp"
#include "core/rng/sample.hpp"
#include "proofs_check/exact/example_sets.hpp"
#include "proofs_check/exact/population.hpp"
#include "proofs_check/exact/rational_sequence.hpp"
#include "tests/reference/attention.hpp"
#include "tests/reference/features.hpp"
#include "tests/support/heads.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest::test {

namespace {

RC_GTEST_PROP(ExactProblem, FeaturesLabelsAndSecondMomentFollowTheDefinitions, ()) {
    const Index d = draw_index(1, 3);
    const RationalParameters theta = draw_parameters<Rational>(d, draw_index(1, 3), 2);
    std::vector<RationalMatrix> Z;
    reference::Rows features;
    for (Index i = 0; i < 3; ++i) {
        Z.push_back(draw_tokens<Rational>(d));
        features.push_back(reference::reference_cubic_features(to_rows(Z.back())));
    }

    const ExactProblem problem = realisable_problem(Z, theta);

    RC_ASSERT(to_rows(problem.H) == features);
    RC_ASSERT(to_rows(second_moment(problem.H)) == reference::reference_second_moment(features));
    const HeadRows heads = head_rows(theta);
    const reference::Rows Y = reference::reference_attention(
        heads.V, heads.Q, to_rows(Z[1]), static_cast<std::size_t>(theta.o));
    for (Index a = 0; a < theta.o; ++a) {
        RC_ASSERT(problem.Y(1, a) == Y[static_cast<std::size_t>(a)].back());
    }
    RC_ASSERT(risk(problem, coefficients(theta)) == 0);
}

TEST(ExactProblem, LeastSquaresByHand) {
    // Z = 1 and Z = 2 give H = 1 and 8; labels 1 and 10: P = (1 + 80)/65.
    const ExactProblem problem{feature_rows({RationalMatrix{{1}}, RationalMatrix{{2}}}),
                               RationalMatrix{{1}, {10}}};

    const RationalMatrix P = least_squares(problem);

    EXPECT_EQ(P(0, 0), Rational(81, 65));
    EXPECT_EQ(risk(problem, P), Rational(256 + 4, 65 * 65) / 2);
    EXPECT_EQ(leverage(second_moment(problem.H), RationalVector::Ones(1)), Rational(2, 65));
}

TEST(ExactProblem, LeverageOutsideTheRangeIsRefused) {
    const RationalMatrix Lambda = RationalMatrix::Zero(1, 1);

    EXPECT_THROW((void)leverage(Lambda, RationalVector::Ones(1)), BrokenInvariant);
    EXPECT_THROW((void)feature_rows({}), InvalidInput);
}

TEST(Population, OneRowByHand) {
    // d = 1: E[(Σ x²)² z²] for n = 2 normal entries: E[(x² + z²)² z²] = 3 + 2·3 + 15 = 24.
    EXPECT_EQ(population_second_moment(gaussian_moments(), 1, 2)(0, 0), 24);
    EXPECT_EQ(gaussian_moments().kappa(), 2);
    EXPECT_EQ(laplace_moments().variance(), 2);
}

TEST(Population, FormulaEqualsEnumerationAndDecomposition) {
    const std::vector<Atom> atoms{{-1, Rational(1, 4)}, {0, Rational(1, 4)}, {2, Rational(1, 2)}};
    const EntryMoments law = moments_of("atoms", atoms);
    for (Index n = 1; n <= 3; ++n) {
        const RationalMatrix Lambda = population_second_moment(law, 2, n);

        EXPECT_EQ(enumerated_second_moment(atoms, 2, n), Lambda);
        EXPECT_EQ(decomposed_second_moment(law, 2, n), Lambda);
    }
}

TEST(ExampleSets, AreWhatTheirNamesSay) {
    const RationalMatrix six = feature_rows(exact_sequences(unimodular_six()));
    const RationalMatrix five = feature_rows(exact_sequences(deficient_five()));

    EXPECT_EQ(rational_determinant(six), 1);
    EXPECT_EQ(rational_rank(five), 5);
    EXPECT_TRUE((five * RationalVector{{0, 0, 0, 1, -1, 0}}).isZero(Rational(0)));
}

TEST(RationalFeatures, OfThePapersLayerAreTheCubicOnes) {
    for (const Index d : {1, 2, 3}) {
        for (const Index n : {1, 2, 4}) {
            const RationalMatrix Z = random_integers(d, n, 9, Stream(2).child(d).child(n));
            const RationalVector H = rational_features(Layer{}, {.d = d}, rational_sequence(Z));

            EXPECT_EQ(H, cubic_features<Rational>(Z));
            RationalMatrix moved = Z;
            moved(0, n - 1) += 1;
            EXPECT_FALSE(rational_features(Layer{}, {.d = d}, rational_sequence(moved)) == H);
        }
    }
}

/// d = 1, tokens 2 and 3 with φ = (1, 2) and (5, 7): s = 2·(1, 2) + 3·(5, 7) = (17, 25).
TEST(RationalFeatures, OfAMapTakeItsColumns) {
    const RationalMatrix Z{{2, 3}};
    const RationalMatrix phi{{1, 5}, {2, 7}};

    const RationalVector H =
        rational_features(layer_named("mapped"), {.d = 1, .phi = 2}, rational_sequence(Z, phi));

    EXPECT_EQ(H, (RationalVector{{17 * 5, 17 * 7, 25 * 5, 25 * 7}}));
}

TEST(RationalSequence, NeedsAColumnOfPhiForEachToken) {
    EXPECT_THROW((void)rational_sequence(RationalMatrix{{1, 2}}, RationalMatrix{{1}}),
                 InvalidInput);
}

}  // namespace

}  // namespace attest::test
