#include "record/summary.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "tests/record/fixture.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest::record_test {

namespace {

TEST(Summary, OfThreeNumbersAsByHand) {
    // mean 2, s² = (1 + 4 + 9)/2 = 7, standard error √(7/3)
    const Summary summary = summarise({5.0, 0.0, 1.0});

    EXPECT_EQ(summary.count, 3);
    EXPECT_TRUE(bitwise_equal(summary.mean, 2.0));
    EXPECT_TRUE(bitwise_equal(summary.standard_error, std::sqrt(7.0 / 3.0)));
    EXPECT_TRUE(bitwise_equal(summary.median, 1.0));
    EXPECT_TRUE(bitwise_equal(summary.min, 0.0));
    EXPECT_TRUE(bitwise_equal(summary.max, 5.0));
}

TEST(Summary, MedianOfAnEvenNumberIsBetweenTheMiddleTwo) {
    EXPECT_TRUE(bitwise_equal(summarise({4.0, 1.0, 3.0, 100.0}).median, 3.5));
    const double huge = std::numeric_limits<double>::max();
    EXPECT_TRUE(bitwise_equal(summarise({huge, huge}).median, huge));
}

TEST(Summary, OneNumberHasNoErrorAndNoNumberNoCount) {
    EXPECT_TRUE(bitwise_equal(summarise({3.0}).standard_error, 0.0));
    EXPECT_EQ(summarise({}).count, 0);
}

RC_GTEST_PROP(Summary, OfSmallIntegersMatchesTheTextbookFormula, ()) {
    // Σ(x − mean)²/(n−1) = (n Σx² − (Σx)²)/(n(n−1)), with every sum exact in integers.
    const auto whole =
        *rc::gen::suchThat(rc::gen::container<std::vector<int>>(rc::gen::inRange(-1000, 1000)),
                           [](const std::vector<int>& values) { return values.size() >= 2; });
    std::vector<double> values(whole.begin(), whole.end());
    std::int64_t sum = 0;
    std::int64_t squares = 0;
    for (const int value : whole) {
        sum += value;
        squares += std::int64_t{value} * value;
    }
    const auto n = static_cast<std::int64_t>(whole.size());
    const double exact_mean = static_cast<double>(sum) / static_cast<double>(n);
    const double exact_square =
        static_cast<double>(n * squares - sum * sum) / static_cast<double>(n * n * (n - 1));

    const Summary summary = summarise(values);

    RC_ASSERT(bitwise_equal(summary.mean + 0.0, exact_mean + 0.0));
    // Every deviation is off by at most u·1000, so their squares' sum by 2nu·1000·2000; 30 covers
    // the rest.
    const double unit = std::numeric_limits<double>::epsilon() * 4e6 / static_cast<double>(n - 1);
    const double error = std::abs(summary.standard_error * summary.standard_error - exact_square);
    RC_ASSERT(error / unit < 30.0);
}

RC_GTEST_PROP(Summary, DoesNotDependOnTheOrder, (std::vector<int> whole)) {
    std::vector<double> values(whole.begin(), whole.end());
    const Summary first = summarise(values);

    std::reverse(values.begin(), values.end());
    const Summary second = summarise(values);

    RC_ASSERT(bitwise_equal(first.mean, second.mean));
    RC_ASSERT(bitwise_equal(first.standard_error, second.standard_error));
}

TEST(Summary, RejectsWhatIsNotFinite) {
    EXPECT_REFUSED("summarise: got inf", summarise({1.0, std::numeric_limits<double>::infinity()}));
}

Row row(const std::string& learner, double mixture, Index repetition, double distance) {
    Row made = sample_row(repetition);
    made.key.learner = learner;
    made.key.parameters["mixture"] = mixture;
    made.metrics["distance"].value = distance;
    return made;
}

TEST(GroupRows, GroupsBySeveralFieldsInOrderOfFirstAppearance) {
    const std::vector<Row> rows{row("ridge", 1.0, 0, 1.0),
                                row("ridge", 0.5, 0, 10.0),
                                row("qr", 1.0, 0, 7.0),
                                row("ridge", 1.0, 1, 3.0)};

    const std::vector<RowGroup> groups = group_rows(rows, {"learner", "mixture"}, "distance");

    ASSERT_EQ(groups.size(), 3U);
    EXPECT_EQ(to_string(groups[0].keys[0]), "ridge");
    EXPECT_EQ(to_string(groups[0].keys[1]), "1");
    EXPECT_EQ(groups[0].summary.count, 2);
    EXPECT_TRUE(bitwise_equal(groups[0].summary.mean, 2.0));
    EXPECT_EQ(to_string(groups[1].keys[1]), "0.5");
    EXPECT_EQ(to_string(groups[2].keys[0]), "qr");
}

TEST(GroupRows, CountsWhatIsMissingInsteadOfHidingIt) {
    std::vector<Row> rows(4, row("ridge", 1.0, 0, 1.0));
    rows[1].status = RowStatus::failed;
    rows[2].metrics.erase("distance");
    rows[3].metrics["distance"].value = std::numeric_limits<double>::infinity();

    const std::vector<RowGroup> groups = group_rows(rows, {"learner"}, "distance");

    ASSERT_EQ(groups.size(), 1U);
    EXPECT_EQ(groups[0].summary.count, 1);
    EXPECT_EQ(groups[0].missing, 3);
}

TEST(Field, FindsFixedFieldsThenTaskThenLearnerParameters) {
    Row one = sample_row(3);
    one.key.learner_parameters["d"] = std::int64_t{99};
    const auto text = [&](const char* name) { return to_string(*field(one, name)); };

    EXPECT_EQ(text("id"), "demo");
    EXPECT_EQ(text("task"), "associative_memory");
    EXPECT_EQ(text("learner"), "ridge");
    EXPECT_EQ(text("seed"), "1");
    EXPECT_EQ(text("stream"), "1/demo");
    EXPECT_EQ(text("repetition"), "3");
    EXPECT_EQ(text("precision"), "double");
    EXPECT_EQ(text("status"), "ok");
    EXPECT_EQ(text("d"), "4");
    EXPECT_EQ(text("penalty"), "0.1");
    EXPECT_FALSE(field(one, "absent").has_value());
}

TEST(SelectRows, KeepsTheRowsThatMatch) {
    const std::vector<Row> rows{row("ridge", 1.0, 0, 1.0), row("qr", 0.5, 0, 2.0)};

    EXPECT_EQ(select_rows(rows, "mixture", "0.5").at(0).key.learner, "qr");
    EXPECT_TRUE(select_rows(rows, "absent", "").empty());
}

}  // namespace

}  // namespace attest::record_test
