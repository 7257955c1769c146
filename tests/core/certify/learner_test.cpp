#include "core/certify/learner.hpp"

#include "tests/reference/elimination.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace attest {
namespace {

using Row = std::vector<IntegerEntry>;

/// Training data with columns that repeat, and labels of a planted map with denominator 2.
struct Problem {
    std::vector<Row> rows;
    std::vector<Row> labels;
    Index columns = 0;
};

Problem arbitrary_problem() {
    Problem problem;
    problem.columns = *rc::gen::inRange<Index>(1, 8);
    const Index count = *rc::gen::inRange<Index>(1, 12);
    std::vector<std::int64_t> planted;
    for (Index j = 0; j < problem.columns; ++j) {
        planted.push_back(*rc::gen::inRange<std::int64_t>(-3, 4));
    }
    for (Index i = 0; i < count; ++i) {
        Row row;
        std::int64_t y = 0;
        for (Index j = 0; j < problem.columns; ++j) {
            // Even entries keep the labels of halves whole; few values make columns repeat.
            const std::int64_t value = 2 * *rc::gen::inRange<std::int64_t>(-1, 2);
            if (value != 0) {
                row.push_back({j, value});
            }
            y += value * planted[static_cast<std::size_t>(j)] / 2;
        }
        problem.rows.push_back(row);
        problem.labels.push_back(Row{{0, y}, {1, -y}});
    }
    return problem;
}

ColumnClasses classes_of(const Problem& problem) {
    ColumnClasses classes(problem.columns);
    for (const Row& row : problem.rows) {
        classes.observe(row);
    }
    classes.close();
    return classes;
}

reference::Rows dense(const Problem& problem) {
    reference::Rows A =
        reference::zeros(problem.rows.size(), static_cast<std::size_t>(problem.columns));
    for (std::size_t i = 0; i < problem.rows.size(); ++i) {
        for (const IntegerEntry& entry : problem.rows[i]) {
            A[i][static_cast<std::size_t>(entry.column)] = entry.value;
        }
    }
    return A;
}

RC_GTEST_PROP(ExactLearner, FitsEveryRowAndFindsTheRankAndTheNullSpace, ()) {
    const Problem problem = arbitrary_problem();
    const ColumnClasses classes = classes_of(problem);
    RC_PRE(classes.num_classes() > 0);
    ExactLearner learner(classes, 2);
    for (std::size_t i = 0; i < problem.rows.size(); ++i) {
        learner.append(problem.rows[i], problem.labels[i]);
    }
    learner.flush();

    const auto rank = static_cast<Index>(reference::reference_rank(dense(problem)));
    RC_ASSERT(learner.rank() == rank);
    RC_ASSERT(learner.num_inconsistent() == 0);
    const std::optional<ExactMinimiser> minimiser = learner.minimiser();
    const std::optional<IntegerMap> null_vectors = learner.null_vectors();
    RC_ASSERT(minimiser.has_value() && null_vectors.has_value());
    RC_ASSERT(null_vectors->num_outputs() == classes.num_classes() - rank);
    for (std::size_t i = 0; i < problem.rows.size(); ++i) {
        RC_ASSERT(fits(*minimiser, problem.rows[i], problem.labels[i]));
        RC_ASSERT(learner.judge(problem.rows[i], problem.labels[i]) == RowJudgement::fitted);
        RC_ASSERT(learner.predicts(problem.rows[i], problem.labels[i]));
        for (const std::int64_t product : null_vectors->apply(*classes.project(problem.rows[i]))) {
            RC_ASSERT(product == 0);
        }
    }
}

RC_GTEST_PROP(ExactLearner, ARowIsInsideExactlyWhenItDoesNotRaiseTheRank, ()) {
    Problem problem = arbitrary_problem();
    Problem longer = problem;
    const Problem other = arbitrary_problem();
    Row row;
    for (const IntegerEntry& entry : other.rows.front()) {
        if (entry.column < problem.columns) {
            row.push_back(entry);
        }
    }
    longer.rows.push_back(row);
    const ColumnClasses classes = classes_of(problem);
    RC_PRE(classes.num_classes() > 0);
    ExactLearner learner(classes, 0);
    for (const Row& known : problem.rows) {
        learner.append(known, {});
    }
    learner.flush();

    const bool inside =
        reference::reference_rank(dense(longer)) == reference::reference_rank(dense(problem));
    RC_ASSERT((learner.judge(row, {}) == RowJudgement::fitted) == inside);
}

TEST(ExactLearner, CountsALabelThatContradictsTheOthers) {
    Problem problem{{Row{{0, 1}}, Row{{1, 1}}, Row{{0, 1}, {1, 1}}}, {}, 2};
    const ColumnClasses classes = classes_of(problem);
    ExactLearner learner(classes, 1);
    learner.append(problem.rows[0], Row{{0, 2}});
    learner.append(problem.rows[1], Row{{0, 3}});
    learner.append(problem.rows[2], Row{{0, 6}});
    learner.flush();

    EXPECT_EQ(learner.num_inconsistent(), 1);
    EXPECT_EQ(learner.judge(problem.rows[2], Row{{0, 6}}), RowJudgement::refuted);
    EXPECT_EQ(learner.judge(problem.rows[2], Row{{0, 5}}), RowJudgement::fitted);
}

TEST(ExactLearner, RefusesATrainingRowThatTheClassesHaveNotSeen) {
    Problem problem{{Row{{0, 1}, {1, 1}}}, {}, 2};
    const ColumnClasses classes = classes_of(problem);
    ExactLearner learner(classes, 1);

    EXPECT_REFUSED("ExactLearner: the row breaks the classes of columns",
                   learner.append(Row{{0, 1}}, {}));
}

TEST(ExactLearner, ALargeFractionNeedsALargerPrime) {
    Problem problem{{Row{{0, 5003}}}, {}, 1};
    const ColumnClasses classes = classes_of(problem);
    for (const std::uint64_t prime : {kFloatPrime, kDefaultPrime}) {
        ExactLearner learner(classes, 1, prime);
        learner.append(problem.rows[0], Row{{0, 5009}});
        learner.flush();
        const std::optional<ExactMinimiser> found = learner.minimiser();
        const bool right = found && fits(*found, problem.rows[0], Row{{0, 5009}});
        EXPECT_EQ(right, prime == kDefaultPrime);
    }
}

}  // namespace
}  // namespace attest
