#include "core/certify/lifted_solution.hpp"

#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

namespace attest {
namespace {

using Row = std::vector<IntegerEntry>;

/// Rows 3·x(j) − x(j+1) for j < length, and their labels: the null vector is (1, 3, 9, …).
struct Chain {
    std::vector<Row> rows;
    std::vector<Row> labels;
    ColumnClasses classes;

    /// The only nonzero label is 1, of the last row or of the first one.
    Chain(Index length, Index labelled) : classes(length + 1) {
        for (Index j = 0; j < length; ++j) {
            rows.push_back({{j, 3}, {j + 1, -1}});
            labels.push_back(j == labelled ? Row{{0, 1}} : Row{});
            classes.observe(rows.back());
        }
        classes.close();
    }
};

LiftedSolution solve(const Chain& chain, const LiftOptions& options = {}) {
    ExactLearner learner(chain.classes, 1, kDefaultPrime);
    LabelledRows labelled(chain.classes, 1);
    for (std::size_t i = 0; i < chain.rows.size(); ++i) {
        learner.append(chain.rows[i], chain.labels[i]);
        labelled.append(chain.rows[i], chain.labels[i]);
    }
    learner.flush();
    EXPECT_FALSE(learner.minimiser() && learner.null_vectors() &&
                 RowSpan(chain.classes, *learner.null_vectors()).contains(chain.rows.back()))
        << "one prime is enough";
    return lift_solution(labelled, learner.profile(), options);
}

template <class Action>
std::string not_available_message(const Action& action) {
    try {
        action();
    } catch (const NotAvailable& error) {
        return error.what();
    }
    return "nothing was refused";
}

TEST(LiftSolution, FindsFractionsThatNeedSeveralPrimes) {
    // x(j) = 0 for j > 0 and x(0) = 3⁻¹ … : pivots 0 … 36, x(36) = 1/3, x(35) = 1/9 and so on.
    const Chain chain(37, 36);

    const LiftedSolution solution = solve(chain);

    EXPECT_GT(solution.primes, 1);
    EXPECT_EQ(solution.minimiser.denominator, 450283905890997363);  // 3³⁷
    for (std::size_t i = 0; i < chain.rows.size(); ++i) {
        EXPECT_TRUE(fits(solution.minimiser, chain.rows[i], chain.labels[i]));
        EXPECT_TRUE(solution.span.contains(chain.rows[i]));
    }
    EXPECT_FALSE(fits(solution.minimiser, chain.rows[36], {}));
    EXPECT_EQ(solution.span.num_null_vectors(), 1);
}

TEST(LiftSolution, DecidesTheSpanOfLongNullVectors) {
    // 3⁹⁰ takes 143 bits, three digits. The label 1 of row 0 alone has x(0) = 1/3.
    const Chain chain(90, 0);

    const LiftedSolution solution = solve(chain);

    EXPECT_EQ(solution.minimiser.denominator, 3);
    EXPECT_TRUE(solution.span.contains(Row{{0, 9}, {2, -1}}));
    EXPECT_TRUE(solution.span.contains(Row{{60, 27}, {63, -1}}));
    EXPECT_FALSE(solution.span.contains(Row{{60, 27}, {64, -1}}));
    EXPECT_FALSE(solution.span.contains(Row{{89, 3}, {90, 1}}));
    EXPECT_FALSE(solution.span.contains(Row{{0, 1}}));
    EXPECT_FALSE(solution.span.contains(Row{{90, 1}}));
}

TEST(LiftSolution, NamesTheSizeOfAMinimiserThatIsTooLarge) {
    EXPECT_EQ(not_available_message([] { (void)solve(Chain(45, 44)); }),
              "the minimiser is known exactly, but over a common denominator its entries take 72 "
              "bits, at most 62 are executed");
}

TEST(LiftSolution, NamesTheEstimateWhenTheBudgetEnds) {
    const std::string message =
        not_available_message([] { (void)solve(Chain(400, 399), {.budget_seconds = 0.0}); });
    EXPECT_SAYS(message, "null vectors not found with 4 primes; entries may have");
}

TEST(LabelledRows, RefusesARowThatBreaksTheClasses) {
    ColumnClasses classes(2);
    classes.observe(Row{{0, 1}, {1, 1}});
    classes.close();
    LabelledRows rows(classes, 1);
    EXPECT_REFUSED("LabelledRows: the row breaks the classes of columns",
                   rows.append(Row{{0, 1}}, {}));
    EXPECT_REFUSED("LabelledRows: the label has too many outputs",
                   rows.append(Row{{0, 1}, {1, 1}}, Row{{1, 1}}));
}

}  // namespace
}  // namespace attest
