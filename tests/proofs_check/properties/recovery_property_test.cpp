// Equivalence of empirical risk minimisers under a full-rank certificate, recovery of d² heads, and
// the population and machine-step properties, with shrinking to minimal failures.
#include "core/certify/rank/exact_rank.hpp"
#include "core/features/coefficients.hpp"
#include "core/features/embedded.hpp"
#include "core/heads/split_heads.hpp"
#include "core/model/forward.hpp"
#include "core/solve/solvers.hpp"
#include "proofs_check/exact/other_routes.hpp"
#include "proofs_check/exact/population.hpp"
#include "proofs_check/exact/turing_block.hpp"
#include "tests/proofs_check/properties/falsifiable.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest::test {
namespace {

/// Labels of the heads on an integer data set: exact in double.
Dataset labelled(Dataset data, const Parameters& theta) {
    data.labels = LabelKind::per_sequence;
    data.y.resize(theta.o, data.num_sequences());
    for (Index i = 0; i < data.num_sequences(); ++i) {
        const Matrix Z = data.sequence(i);
        data.y.col(i) = attend<double>(theta, Z, Z.col(Z.cols() - 1));
    }
    return data;
}

RC_GTEST_PROP(ErmEquivalence, EveryRouteGivesTheTruthUnderAFullRankCertificate, ()) {
    const Index d = draw_index(1, 2);
    const RationalParameters truth =
        draw_parameters<Rational>(d, draw_index(1, 2), draw_index(0, 5));
    const Dataset raw = draw_dataset(d, feature_dim(d) + draw_index(0, 4));
    RC_PRE(certify_rank(raw).verdict == RankVerdict::full_rank);
    const std::vector<RationalMatrix> Z = exact_sequences(raw);
    const ExactProblem data = realisable_problem(Z, truth);
    const RationalMatrix P = coefficients(truth);

    RC_ASSERT(least_squares(data) == P);
    RC_ASSERT(kernel_minimiser(Z, data.Y) == P);
    if (truth.num_heads() > 0) {
        RC_ASSERT(coefficients(scrambled_heads(truth, Stream(3))) == P);
    }
}

RC_GTEST_PROP(ErmEquivalence, SolversAgreeWithTheExactMinimiserUpToConditioning, ()) {
    const Index d = draw_index(1, 3);
    const Parameters truth = draw_parameters(d, draw_index(1, 2), 2);
    const Dataset raw = draw_dataset(d, 3 * feature_dim(d));
    RC_PRE(certify_rank(raw).verdict == RankVerdict::full_rank);
    const Dataset data = labelled(raw, truth);
    const DatasetSource source(data);
    const Matrix P = coefficients(truth);
    for (const std::string_view name : {"tsqr", "svd"}) {
        const LeastSquaresFit fit = fit_least_squares(source, name, {});
        RC_ASSERT(fit.status == SolveStatus::unique);
        // Backward stability: relative error ≤ c·ψ·ε·cond(H) on consistent data, c = 30.
        const double bound = 30.0 * static_cast<double>(feature_dim(d)) *
                             std::numeric_limits<double>::epsilon() / fit.rcond;
        RC_ASSERT((fit.P - P).norm() <= bound * P.norm());
    }
}

TEST(ErmEquivalence, FailsOneBelowFullRank) {
    EXPECT_TRUE(falsifiable("one example less than psi", [] {
        const RationalParameters truth = draw_parameters<Rational>(2, 2, 2);
        const Dataset raw = draw_dataset(2, feature_dim(2) - 1);
        const ExactProblem data = realisable_problem(exact_sequences(raw), truth);
        RC_ASSERT(kernel_minimiser(exact_sequences(raw), data.Y) == coefficients(truth));
    }));
}

RC_GTEST_PROP(HeadRecovery, AtMostDSquaredHeadsComputeTheTruth, ()) {
    const Index d = draw_index(1, 3);
    const Index o = draw_index(1, 3);
    const RationalParameters truth = draw_parameters<Rational>(d, o, draw_index(0, 10));
    const RationalMatrix P = coefficients(truth);
    const RationalMatrix W = symmetric_gauge<Rational>(P, d);

    const RationalParameters exact = rank_heads(W, d);
    const HeadSplit split = split_heads(P.cast<double>(), d);

    RC_ASSERT(exact.num_heads() <= std::min(o * d, d * d));
    RC_ASSERT(coefficients(exact) == P);
    RC_ASSERT(split.heads.num_heads() <= exact.num_heads());
    const Matrix rounded = P.cast<double>();
    const double bound =
        20.0 * static_cast<double>(d * d) * std::numeric_limits<double>::epsilon() * rounded.norm();
    RC_ASSERT((coefficients(split.heads) - rounded).norm() <= bound);
}

TEST(HeadRecovery, FailsWithAHeadLess) {
    EXPECT_TRUE(falsifiable("the last head dropped", [] {
        const RationalMatrix P = coefficients(draw_parameters<Rational>(2, 2, 2));
        RationalParameters heads = rank_heads(symmetric_gauge<Rational>(P, 2), 2);
        if (!heads.heads.empty()) {
            heads.heads.pop_back();
        }
        RC_ASSERT(coefficients(heads) == P);
    }));
}

RC_GTEST_PROP(Property12, FoldedSingularVectorsPredictWhatTheirTensorDoes, ()) {
    const Index d = draw_index(1, 3);
    const Matrix W = draw_integers(d * d, d * d);
    const Matrix Z = draw_integers(d, 3);
    const HeadSplit split = split_tensor(W, d, d * d);
    const Matrix X = embedded_features<double>(Z);
    const Vector y = attend<double>(split.heads, Z, Z.col(2));
    const double bound = 20.0 * static_cast<double>(d * d) *
                         std::numeric_limits<double>::epsilon() / 2.0 * W.norm() * X.norm();
    double squared = 0.0;
    for (Index a = 0; a < d; ++a) {
        const double direct = W.middleRows(a * d, d).cwiseProduct(X).sum();
        squared += (direct - y(a)) * (direct - y(a));
    }

    RC_ASSERT(std::sqrt(squared) <= bound);
}

TEST(Property12, NoticesATransposedFold) {
    EXPECT_TRUE(falsifiable("Q folded column by column", [] {
        const Matrix W = draw_integers(4, 4);
        HeadSplit split = split_tensor(W, 2, 4);
        for (Head& head : split.heads.heads) {
            head.Q.transposeInPlace();
        }
        const Matrix error = head_tensor(split.heads) - W;
        RC_ASSERT(error.norm() <= 1.0);
    }));
}

std::vector<Atom> draw_atoms() {
    const Rational first(draw_index(1, 3), 8);
    const Rational second(draw_index(1, 3), 8);
    return {{Rational(draw_index(-3, -1)), first},
            {Rational(0), second},
            {Rational(draw_index(1, 3)), 1 - first - second}};
}

RC_GTEST_PROP(Property16, PopulationSecondMomentDecomposes, ()) {
    const std::vector<Atom> atoms = draw_atoms();
    const EntryMoments law = moments_of("drawn", atoms);
    const Index n = draw_index(1, 3);

    RC_ASSERT(population_second_moment(law, 2, n) == decomposed_second_moment(law, 2, n));
    RC_ASSERT(population_second_moment(law, 2, 1) == enumerated_second_moment(atoms, 2, 1));
    RC_ASSERT(definiteness(population_second_moment(law, 2, n + 1)).positive(6));
}

TEST(Property16, NoticesAWrongNumberOfOtherTokens) {
    EXPECT_TRUE(falsifiable("n in place of n - 1", [] {
        const EntryMoments law = moments_of("drawn", draw_atoms());
        RC_ASSERT(population_second_moment(law, 2, 2) == decomposed_second_moment(law, 2, 3));
    }));
}

TableTransition draw_transition() {
    return {draw_index(0, 1),
            draw_index(0, 1),
            draw_index(0, 1) == 0 ? TableMove::left : TableMove::right};
}

/// Whether the table's next tape is the machine's, on a drawn tape.
bool table_follows_machine(const TableRepairs& repairs) {
    const StateRow row{draw_transition(), draw_transition()};
    std::vector<TapeToken> tape;
    const Index cells = draw_index(3, 6);
    for (Index i = 0; i < cells; ++i) {
        tape.push_back({draw_index(0, 1), std::nullopt});
    }

    const auto last = static_cast<Index>(tape.size()) - 1;
    // The head starts inside: at the edges half of the moves leave the tape.
    tape[static_cast<std::size_t>(draw_index(1, last - 1))].state = 0;
    const std::optional<std::vector<TapeToken>> next = machine_step(row, tape);
    RC_PRE(next.has_value());
    bool same = true;
    for (std::size_t i = 0; i < tape.size(); ++i) {
        const TapeToken left = i == 0 ? TapeToken{} : tape[i - 1];
        const TapeToken right = i + 1 == tape.size() ? TapeToken{} : tape[i + 1];
        same = same && table_step(repairs, row, left, tape[i], right) == (*next)[i];
    }
    return same;
}

RC_GTEST_PROP(Property17, RepairedTableTakesTheMachinesSteps, ()) {
    RC_ASSERT(table_follows_machine({true, true, true}));
}

TEST(Property17, NoticesEachMissingRepair) {
    EXPECT_TRUE(falsifiable("the row's own letter", [] {
        RC_ASSERT(table_follows_machine({false, true, true}));
    }));
    EXPECT_TRUE(falsifiable("L tested twice", [] {
        RC_ASSERT(table_follows_machine({true, false, true}));
    }));
    EXPECT_TRUE(falsifiable("no branch for far cells", [] {
        RC_ASSERT(table_follows_machine({true, true, false}));
    }));
}

}  // namespace
}  // namespace attest::test
