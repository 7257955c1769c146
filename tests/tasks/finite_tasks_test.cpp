#include "tasks/finite_tasks.hpp"

#include "core/base/text.hpp"
#include "core/certify/least_risk.hpp"
#include "core/layers/parse_layer.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace attest {
namespace {

using Values = std::map<std::string, std::string>;

LeastRisk risk_of(const std::string& task,
                  const Values& parameters,
                  const std::string& layer = "linear") {
    return least_risk(enumerate_task(task, parameters, layer_named(layer)));
}

TEST(FiniteGroup, SatisfiesTheAxiomsAndIsGenerated) {
    for (const std::string name : {"Z2", "Z7", "S2", "S3", "S4"}) {
        const FiniteGroup group = group_named(name);
        std::vector<bool> reached(static_cast<std::size_t>(group.order), false);
        std::vector<Index> waiting{0};
        for (Index a = 0; a < group.order; ++a) {
            EXPECT_EQ(group.product(0, a), a) << name;
            EXPECT_EQ(group.product(a, 0), a) << name;
            for (Index b = 0; b < group.order; ++b) {
                for (const Index c : group.generators) {
                    EXPECT_EQ(group.product(group.product(a, b), c),
                              group.product(a, group.product(b, c)));
                }
            }
        }
        while (!waiting.empty()) {
            const Index a = waiting.back();
            waiting.pop_back();
            if (!reached[static_cast<std::size_t>(a)]) {
                reached[static_cast<std::size_t>(a)] = true;
                for (const Index c : group.generators) {
                    waiting.push_back(group.product(a, c));
                }
            }
        }
        EXPECT_EQ(std::count(reached.begin(), reached.end(), true), group.order) << name;
    }
    EXPECT_EQ(group_named("S5").order, 120);
}

TEST(FiniteTask, EnumeratesEveryInputOnce) {
    const std::vector<std::pair<Values, Index>> words{{{{"group", "S3"}, {"length", "3"}}, 216},
                                                      {{{"group", "Z5"}, {"length", "2"}}, 25}};
    for (const auto& [parameters, count] : words) {
        const Dataset data = enumerate_task("word-problem", parameters, {});
        EXPECT_EQ(data.num_sequences(), count);
        std::set<std::vector<double>> seen;
        for (Index i = 0; i < count; ++i) {
            const Matrix Z = data.sequence(i);
            seen.insert(std::vector<double>(Z.data(), Z.data() + Z.size()));
        }
        EXPECT_EQ(std::ssize(seen), count);
    }
    EXPECT_EQ(enumerate_task("recall", {{"pairs", "3"}}, {}).num_sequences(), 6 * 8 * 3);
    EXPECT_EQ(enumerate_task("last-write", {{"length", "4"}}, {}).num_sequences(), 26);
}

TEST(FiniteTask, RefusesRecallOfMoreInputsThanWords) {
    EXPECT_SAYS(test::invalid_input_message([] {
                    (void)enumerate_task("recall", {{"pairs", "4"}, {"values", "5"}}, {});
                }),
                "recall: 4 pairs of 5 values make 60000 inputs");
}

TEST(FiniteTask, LabelsAWordByItsProduct) {
    // In lexicographic order 1 swaps the last two points and 2 the first two.
    const Dataset data = enumerate_task("word-problem", {{"group", "S3"}, {"length", "2"}}, {});
    const FiniteGroup group = group_named("S3");
    EXPECT_EQ(data.y.col(2 * 6 + 1)(group.product(2, 1)), 1.0);
    EXPECT_NE(group.product(2, 1), group.product(1, 2)) << "S3 does not commute";
    EXPECT_EQ(data.y.colwise().sum(), Vector::Ones(36).transpose());
}

TEST(Expressible, ParityOfTwoBitsIsAndOfThreeIsNotHelped) {
    EXPECT_EQ(risk_of("parity", {{"length", "2"}}).risk, 0);
    EXPECT_EQ(risk_of("parity", {{"length", "3"}}).risk, 1);
    EXPECT_EQ(risk_of("parity", {{"length", "5"}}, "decay=1,1/2").risk, 1);
}

TEST(Expressible, MajorityOfThreeHasLeastRiskOneQuarter) {
    // Given the last bit, a function f of the sum of the others, fitted by a line: f = −1, 1, 1 or
    // −1, −1, 1 with weights 1/4, 1/2, 1/4.
    EXPECT_EQ(risk_of("majority", {{"length", "3"}}).risk, Rational(1, 4));
}

TEST(Expressible, RecallNeedsKeyAndValueInOneTokenOrAShift) {
    EXPECT_EQ(risk_of("recall", {{"form", "joined"}}).risk, 0);
    EXPECT_EQ(risk_of("recall", {{"form", "shifted"}}).risk, 0);
    EXPECT_GT(risk_of("recall", {{"form", "split"}}).risk, 0);
}

TEST(Expressible, ProductsOfTwoElementsAreButOfThreeAreNotUnlessTheOrderIsSeen) {
    for (const std::string group : {"Z3", "S3"}) {
        EXPECT_EQ(risk_of("word-problem", {{"group", group}, {"length", "2"}}).risk, 0);
        const Rational three = risk_of("word-problem", {{"group", group}, {"length", "3"}}).risk;
        EXPECT_GT(three, 0);
        EXPECT_LT(three, 1);
    }
}

TEST(FiniteTask, RefusesWhatItCannotEnumerate) {
    const auto message = [](const std::string& task, const Values& parameters) {
        return test::invalid_input_message([&] { (void)enumerate_task(task, parameters, {}); });
    };
    EXPECT_SAYS(message("word-problem", {{"group", "S3"}, {"length", "9"}}),
                "the words of 9 letters out of 6 are more than 20000");
    EXPECT_SAYS(message("parity", {{"length", "15"}}), "task parity: length: got '15'");
    EXPECT_THROW((void)enumerate_task("parities", {}, {}), UnknownName);
    EXPECT_THROW((void)enumerate_task("parity", {{"group", "Z2"}}, {}), UnknownName);
    EXPECT_THROW((void)group_named("S6"), UnknownName);
    EXPECT_THROW((void)group_named(""), UnknownName);
    const std::map<std::string, std::string> beside_tokens{{"cross", "x"},
                                                           {"mapped", "phi"},
                                                           {"gates", "gates"},
                                                           {"gates=vector", "gates"},
                                                           {"moments", "s and u"}};
    for (const auto& [name, more] : beside_tokens) {
        const Layer layer = layer_named(name);
        EXPECT_EQ(
            test::invalid_input_message([&] { (void)enumerate_task("parity", {}, layer); }),
            formatted("task parity: its inputs are tokens, and the layer {} reads {}; label inputs "
                      "of yours, and attest certify --expressible",
                      name,
                      more));
    }
}

}  // namespace
}  // namespace attest
