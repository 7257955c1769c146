#include "core/certify/probe_design.hpp"

#include "core/algebra/lapack.hpp"
#include "core/base/interrupt.hpp"
#include "core/certify/least_risk.hpp"
#include "core/certify/rank/structural_rank.hpp"
#include "core/layers/parse_layer.hpp"
#include "tests/reference/elimination.hpp"
#include "tests/reference/least_squares.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/layer_examples.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace attest {
namespace {

/// Integer coefficients of either sign.
MatrixOf<Rational> planted_coefficients(Index psi, Index o) {
    MatrixOf<Rational> P(psi, o);
    for (Index j = 0; j < psi; ++j) {
        for (Index a = 0; a < o; ++a) {
            P(j, a) = (j * j * 7 + a * 11 + j) % 19 - 9;
        }
    }
    return P;
}

/// The queries with the answers of a layer of these coefficients.
Dataset answered(Dataset queries, const MatrixOf<Rational>& P) {
    const MatrixOf<Rational> y = test::features_by_definition(queries) * P;
    queries.labels = LabelKind::per_sequence;
    queries.y.resize(P.cols(), y.rows());
    for (Index i = 0; i < y.rows(); ++i) {
        for (Index a = 0; a < P.cols(); ++a) {
            queries.y(a, i) = y(i, a).convert_to<double>();
        }
    }
    return queries;
}

TEST(TeachingQueries, AreUnimodularForEveryDimensionUpToEight) {
    for (Index d = 1; d <= 8; ++d) {
        const ProbeDesign design = probe_design({}, d, 0);
        EXPECT_EQ(design.queries.num_sequences(), feature_dim(d));
        EXPECT_EQ(design.divisors,
                  std::vector<Integer>(static_cast<std::size_t>(feature_dim(d)), Integer(1)))
            << d;
        EXPECT_TRUE(
            (design.queries.tokens.view().array() * (1.0 - design.queries.tokens.view().array()) ==
             0.0)
                .all())
            << "entries are 0 and 1";
    }
}

TEST(TeachingQueries, HaveAnInverseOfIntegersByElimination) {
    const MatrixOf<Rational> features = test::features_by_definition(teaching_queries(3));
    reference::Rows H = reference::zeros(18, 18);
    for (std::size_t i = 0; i < 18; ++i) {
        for (std::size_t j = 0; j < 18; ++j) {
            H[i][j] = features(static_cast<Index>(i), static_cast<Index>(j));
        }
    }
    EXPECT_EQ(reference::reference_rank(H), 18U);
    reference::Rows identity = reference::zeros(18, 18);
    for (std::size_t i = 0; i < 18; ++i) {
        identity[i][i] = 1;
    }
    const reference::Rows inverse =
        reference::reference_minimum_norm(H, identity, reference::Row(18, Rational(1)));
    for (const reference::Row& row : inverse) {
        for (const Rational& entry : row) {
            EXPECT_EQ(denominator(entry), 1);
        }
    }
}

TEST(TeachingQueries, RecoverIntegerLayersBitByBit) {
    for (const Index d : {1, 2, 3, 5, 8}) {
        const MatrixOf<Rational> P = planted_coefficients(feature_dim(d), 2);
        const LeastRisk found = least_risk(answered(teaching_queries(d), P));
        EXPECT_EQ(found.risk, 0);
        EXPECT_EQ(found.P, P) << d;
    }
}

/// Gates, feature maps, keys and moments come with the data; nobody can choose them by choosing
/// tokens.
bool inputs_are_ours(const std::string& layer) {
    return layer.find("gates") == std::string::npos && layer.find("mapped") == std::string::npos &&
           layer.find("delta") == std::string::npos && layer != "moments";
}

TEST(ProbeDesign, DeterminesEveryLayerWhoseInputsAreOursToChoose) {
    for (const std::string& text : test::layer_texts()) {
        if (!inputs_are_ours(text)) {
            continue;
        }
        for (const Index d : {1, 2, 3}) {
            const ProbeDesign design = probe_design(layer_named(text), d, d);
            const auto structure = structural_rank(
                design.queries.layer, design.queries.layer_input(), input_kinds(design.queries));
            EXPECT_EQ(certify_rank(design.queries).rank_lower, design.rank) << text;
            EXPECT_EQ(design.queries.num_sequences(), design.rank) << text << ": none too many";
            ASSERT_TRUE(structure) << text;
            EXPECT_GE(design.rank, structure->rank) << text;
            if (!design.divisors.empty()) {
                EXPECT_EQ(std::ssize(design.divisors), design.rank) << text;
            }
        }
    }
}

TEST(ProbeDesign, AnswersDetermineTheFunctionOfOtherLayersOnFreshInputs) {
    for (const std::string layer : {"decay=1,1/2", "affine", "cross", "lags=2", "degree=0..2"}) {
        const ProbeDesign design = probe_design(layer_named(layer), 2, 2);
        const MatrixOf<Rational> P = planted_coefficients(design.psi, 1);
        const LeastRisk found = least_risk(answered(design.queries, P));
        ASSERT_EQ(found.risk, 0) << layer;
        const Dataset fresh = test::layer_data({.layer = layer, .n = {1, 5}, .count = 20});
        const MatrixOf<Rational> H = test::features_by_definition(fresh);
        EXPECT_EQ(MatrixOf<Rational>(H * found.P), MatrixOf<Rational>(H * P)) << layer;
    }
}

TEST(ProbeDesign, RefusesByNameWhatIsNotOursToChoose) {
    const std::vector<std::pair<std::string, std::string>> refused{
        {"gates", "gates of a black box"},
        {"mapped", "phi is a function"},
        {"delta", "keys and strengths"},
        {"moments", "s and u are your own"},
        {"degree=5", "for the layer degree=5"}};
    for (const auto& [layer, reason] : refused) {
        try {
            (void)probe_design(layer_named(layer), 2, 2);
            ADD_FAILURE() << layer;
        } catch (const NotAvailable& error) {
            EXPECT_SAYS(std::string(error.what()), reason) << error.what();
        }
    }
}

TEST(NoiseFactor, IsTheTraceOfTheInverse) {
    // d = 1: the only query has the feature 1, so the error is the noise itself.
    EXPECT_DOUBLE_EQ(noise_factor(teaching_queries(1), 1), 1.0);
    const std::vector<Index> fewer{0, 1, 2};
    EXPECT_TRUE(std::isinf(noise_factor(select_sequences(teaching_queries(2), fewer), 6)));
}

TEST(QuieterQueries, AreNeverWorseThanTheDefaultAndStayOfFullRank) {
    for (Index d = 1; d <= 4; ++d) {
        const Dataset start = teaching_queries(d);
        const QuieterQueries found = quieter_queries(start, two_token_candidates(d));
        EXPECT_LE(found.factor, noise_factor(start, start.num_sequences())) << d;
        EXPECT_DOUBLE_EQ(found.factor, noise_factor(found.queries, start.num_sequences()));
        EXPECT_EQ(found.queries.num_sequences(), start.num_sequences());
        EXPECT_EQ(certify_rank(found.queries).verdict, RankVerdict::full_rank);
        if (d > 1) {
            EXPECT_LT(found.factor, 0.5 * noise_factor(start, start.num_sequences())) << d;
        }
    }
}

TEST(NoiseFactor, OfADeficientLayerIsTheTraceOfThePseudoInverse) {
    // One token alone: S_11 z_2 and S_12 z_1 are the same. Sums of singular values' inverse
    // squares, by the SVD.
    const ProbeDesign design = probe_design(layer_named("window=1"), 2, 0);
    ASSERT_LT(design.rank, design.psi);
    const Matrix H = test::features_by_definition(design.queries).unaryExpr([](const Rational& x) {
        return x.convert_to<double>();
    });
    const Vector sigma = singular_values(H);
    double trace = 0.0;
    for (Index k = 0; k < design.rank; ++k) {
        trace += 1.0 / (sigma(k) * sigma(k));
    }
    // Condition number squared times a few hundred roundings.
    const double condition = sigma(0) / sigma(design.rank - 1);
    EXPECT_NEAR(noise_factor(design.queries, design.rank),
                trace,
                300.0 * condition * condition * std::numeric_limits<double>::epsilon() * trace);
    const std::vector<Index> two{0, 1};
    EXPECT_REFUSED("noise_factor: got 2 queries",
                   noise_factor(select_sequences(design.queries, two), 1));
}

TEST(ProbeDesign, StopsWhenAsked) {
    const Dataset start = teaching_queries(3);
    const Dataset candidates = two_token_candidates(3);
    StopToken token;
    token.request();
    const StopScope scope(&token);
    EXPECT_THROW((void)quieter_queries(start, candidates), Interrupted);
    EXPECT_THROW((void)probe_design(Layer(), 3, 3), Interrupted);
}

TEST(QuieterQueries, RefuseWhatTakesTooLongBeforeTheyTakeAny) {
    const Dataset start = teaching_queries(12);
    EXPECT_THROW((void)quieter_queries(start, two_token_candidates(12)), NotAvailable);
}

TEST(QuieterQueries, OfOtherLayersStayOfTheStructuralRankAndLoseNoise) {
    for (const std::string layer : {"decay=1,1/2", "affine", "cross", "lags=2", "degree=0..2"}) {
        const ProbeDesign design = probe_design(layer_named(layer), 2, 2);
        const double before = noise_factor(design.queries, design.rank);
        const QuieterQueries found =
            quieter_queries(design.queries, probe_candidates(layer_named(layer), 2, 2));
        EXPECT_LT(found.factor, 0.5 * before) << layer;
        EXPECT_EQ(certify_rank(found.queries).rank_lower, design.rank) << layer;
        EXPECT_EQ(found.queries.num_sequences(), design.rank) << layer;
    }
}

TEST(QuieterQueries, RefuseByNameWhatTakesTooLong) {
    const ProbeDesign design = probe_design(layer_named("decay=1,1/2"), 6, 0);
    try {
        (void)quieter_queries(design.queries, probe_candidates(layer_named("decay=1,1/2"), 6, 0));
        ADD_FAILURE();
    } catch (const NotAvailable& error) {
        EXPECT_SAYS(std::string(error.what()), "layer decay=1,1/2 take too long") << error.what();
    }
}

TEST(ProbeDesign, LeavesOutDivisorsOfLongNumbers) {
    const ProbeDesign design = probe_design(layer_named("rotary=1,1/100:4"), 2, 0);
    EXPECT_EQ(design.rank, design.queries.num_sequences());
    EXPECT_TRUE(design.divisors.empty());
}

TEST(QuieterQueries, ReturnTheStartWhereNothingIsGained) {
    const Dataset start = teaching_queries(2);
    const QuieterQueries none = quieter_queries(start, start);
    EXPECT_EQ(none.exchanged, 0);
    EXPECT_EQ(none.queries.tokens.view(), start.tokens.view());
}

}  // namespace
}  // namespace attest
