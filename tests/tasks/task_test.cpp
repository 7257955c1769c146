#include "tasks/task.hpp"

#include "core/base/bitwise.hpp"
#include "tasks/registry.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

namespace attest::test {
namespace {

std::unique_ptr<Task> ragged_prefixes() {
    return make_task(
        "random-linear-attention", {{"n", "1..40"}, {"labels", "per_prefix"}, {"d", "3"}}, 5);
}

TEST(TaskSource, GivesTheMomentsOfTheMaterialisedData) {
    for (const std::unique_ptr<Task>& task :
         {ragged_prefixes(), make_task("associative-memory", {{"mixture", "0.5"}}, 5)}) {
        const Dataset data = materialise(*task, 3, 600, 1);
        const TaskSource source(*task, 3, 600);

        const MomentBatch expected = collect(DatasetSource(data));
        const MomentBatch streamed = collect(source);
        EXPECT_GT(source.shape().num_blocks, 2);
        EXPECT_EQ(streamed.S, expected.S);
        EXPECT_EQ(streamed.u, expected.u);
        EXPECT_EQ(streamed.y, expected.y);
    }
}

TEST(TaskSource, BlocksAreOfBoundedSizeAndRepeatable) {
    const std::unique_ptr<Task> task = ragged_prefixes();
    const TaskSource source(*task, 0, 100);

    for (Index b = source.shape().num_blocks - 1; b >= 0; --b) {
        const MomentBatch batch = source.block(b);
        EXPECT_LE(batch.size(), 256);
        EXPECT_EQ(source.block(b).S, batch.S);
    }
}

TEST(TaskSource, DataWithoutLabelsHaveNoOutputs) {
    const std::unique_ptr<Task> task = make_task("iid-entries", {}, 5);
    const TaskSource source(*task, 0, 10);

    EXPECT_EQ(source.shape().o, 0);
    EXPECT_EQ(source.shape().num_examples, 10);
    EXPECT_EQ(source.block(0).y.rows(), 0);
    EXPECT_EQ(source.block(0).size(), 10);
}

TEST(TaskSource, RefusesBlocksOutOfRange) {
    const std::unique_ptr<Task> task = make_task("iid-entries", {}, 5);
    const TaskSource source(*task, 0, 10);

    EXPECT_REFUSED("task source: got block 1", source.block(1));
    EXPECT_REFUSED("task source: got block -1", source.block(-1));
}

TEST(Materialise, WritesTruthAndMeta) {
    const std::unique_ptr<Task> task =
        make_task("iid-entries", {{"heads", "2"}, {"law", "laplace"}}, 5);

    const Dataset data = materialise(*task, 7, 3, 1);

    EXPECT_EQ(data.truth.heads->num_heads(), 2);
    const nlohmann::json meta = nlohmann::json::parse(data.meta);
    EXPECT_EQ(meta.at("task"), "iid-entries");
    EXPECT_EQ(meta.at("parameters").at("law"), "laplace");
    EXPECT_EQ(meta.at("stream"), "5/iid-entries");
    EXPECT_EQ(meta.at("first"), 7);
    EXPECT_EQ(meta.at("count"), 3);
    EXPECT_EQ(meta.at("realisable"), true);
    EXPECT_EQ(meta.at("bitwise"), true);
}

TEST(Materialise, RefusesEmptyAndNegativeRanges) {
    const std::unique_ptr<Task> task = make_task("iid-entries", {}, 5);

    EXPECT_REFUSED("task iid-entries: got 0 sequences from 0", materialise(*task, 0, 0, 1));
    EXPECT_REFUSED("task iid-entries: got 5 sequences from -1", materialise(*task, -1, 5, 1));
}

TEST(Materialise, RefusesMoreThanMemoryHolds) {
    const std::unique_ptr<Task> task =
        make_task("iid-entries", {{"n", "1000000"}, {"d", "256"}}, 5);

    EXPECT_THROW((void)materialise(*task, 0, 1000000, 1), EnvironmentFailure);
}

/// Announces one shape and draws another.
class Liar final : public Task {
public:
    explicit Liar(Index rows) : rows_(rows) {}

    [[nodiscard]] TaskTraits traits() const override {
        TaskTraits traits;
        traits.d = 2;
        traits.o = 1;
        traits.max_length = 3;
        return traits;
    }

    [[nodiscard]] TaskDescription description() const override { return {"liar", {}, "0"}; }

    [[nodiscard]] Index length(Index /*i*/) const override { return 3; }

    [[nodiscard]] Sequence draw(Index /*i*/) const override {
        return {Matrix::Zero(rows_, 3), Matrix::Zero(rows_, 1)};
    }

    [[nodiscard]] GroundTruth truth() const override { return {}; }

private:
    Index rows_;
};

TEST(Materialise, CatchesATaskThatBreaksItsPromise) {
    EXPECT_THROW((void)materialise(Liar(1), 0, 1, 1), BrokenInvariant);
    EXPECT_THROW((void)materialise(Liar(2), 0, 1, 1), BrokenInvariant);
}

enum class Colour { red, green };
constexpr Choices<Colour, 2> kColours{{{Colour::red, "red"}, {Colour::green, "green"}}};

ParameterReader reader(std::map<std::string, std::string> given) {
    return {
        "demo",
        {{"d", "4", "size"}, {"x", "0.5", "number"}, {"n", "16", "length"}, {"colour", "red", ""}},
        std::move(given)};
}

template <class Action>
std::string unknown_name(const Action& action) {
    try {
        action();
    } catch (const UnknownName& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(ParameterReader, GivesDefaultsForWhatIsMissing) {
    const ParameterReader r = reader({{"d", "7"}});

    EXPECT_EQ(r.integer("d", 1, 10), 7);
    EXPECT_TRUE(bitwise_equal(r.real("x", 0.0, 1.0), 0.5));
    EXPECT_EQ(r.lengths("n").shortest, 16);
    EXPECT_EQ(r.lengths("n").longest, 16);
    EXPECT_EQ(r.choice("colour", kColours), Colour::red);
}

TEST(ParameterReader, ReadsRanges) {
    const LengthRange range = reader({{"n", "4..32"}}).lengths("n");

    EXPECT_EQ(range.shortest, 4);
    EXPECT_EQ(range.longest, 32);
    EXPECT_EQ(to_string(range), "4..32");
    EXPECT_EQ(to_string(LengthRange{5, 5}), "5");
}

TEST(ParameterReader, RefusesUnknownNamesAndNamesTheNearest) {
    EXPECT_EQ(unknown_name([] {
                  return reader({{"dd", "1"}});
              }),
              "parameter of demo: got 'dd', expected one of d, x, n, colour; nearest: d");
    EXPECT_EQ(unknown_name([] {
                  return reader({{"colour", "grean"}}).choice("colour", kColours);
              }),
              "task demo: colour: got 'grean', expected one of red, green; nearest: green");
}

TEST(ParameterReader, RefusesIntegersThatDoNotParseOrAreOutOfRange) {
    for (const char* text :
         {"", "x", "1.5", "7 ", " 7", "+7", "0x7", "99999999999999999999", "11", "0"}) {
        EXPECT_EQ(
            invalid_input_message([&] {
                return reader({{"d", text}}).integer("d", 1, 10);
            }),
            "task demo: d: got '" + std::string(text) + "', expected an integer from 1 to 10");
    }
}

TEST(ParameterReader, RefusesNumbersThatDoNotParseOrAreOutOfRange) {
    for (const char* text : {"", "half", "0.5x", "nan", "inf", "-inf", "1e999", "-0.1", "1.5"}) {
        EXPECT_EQ(invalid_input_message([&] {
                      return reader({{"x", text}}).real("x", 0.0, 1.0);
                  }),
                  "task demo: x: got '" + std::string(text) + "', expected a number from 0 to 1");
    }
}

TEST(ParameterReader, RefusesLengthsThatAreNone) {
    for (const char* text : {"", "0", "5..4", "1..", "..3", "1...3", "-1", "1..2..3", "99999999"}) {
        EXPECT_EQ(
            invalid_input_message([&] {
                return reader({{"n", text}}).lengths("n");
            }),
            "task demo: n: got '" + std::string(text) + "', expected a length such as 16 or 4..32");
    }
}

TEST(ParameterReader, AnUnlistedNameIsAMistakeOfOurs) {
    EXPECT_THROW((void)reader({}).text("y"), BrokenInvariant);
}

TEST(Choices, NamesAndValuesCorrespond) {
    EXPECT_EQ(name_of(kColours, Colour::green), "green");
    EXPECT_EQ(choice_named("c", "green", kColours), Colour::green);
    EXPECT_THROW((void)name_of(kColours, static_cast<Colour>(9)), BrokenInvariant);
}

RC_GTEST_PROP(ParameterReader, ReadsBackEveryInteger, (Index value)) {
    const ParameterReader r = reader({{"d", std::to_string(value)}});

    RC_ASSERT(r.integer("d", value, value) == value);
}

/// Notes which sequences are drawn of a task.
class WatchedTask final : public Task {
public:
    explicit WatchedTask(std::unique_ptr<Task> task) : task_(std::move(task)) {}

    [[nodiscard]] TaskTraits traits() const override { return task_->traits(); }

    [[nodiscard]] TaskDescription description() const override { return task_->description(); }

    [[nodiscard]] Index length(Index i) const override { return task_->length(i); }

    [[nodiscard]] GroundTruth truth() const override { return task_->truth(); }

    [[nodiscard]] Sequence draw(Index i) const override {
        drawn.push_back(i);
        return task_->draw(i);
    }

    mutable std::vector<Index> drawn;

private:
    std::unique_ptr<Task> task_;
};

TEST(DrawingSeconds, AreOfAFewDrawsFromTheWholeRangeHoweverManyAreAsked) {
    constexpr Index kFirst = 10;
    for (const Index count : {kTrialDraws, Index{1000}, Index{1} << 40}) {
        const WatchedTask task(ragged_prefixes());

        EXPECT_GE(drawing_seconds(task, kFirst, count, 1), 0.0);

        ASSERT_FALSE(task.drawn.empty());
        EXPECT_LE(std::ssize(task.drawn), kTrialDraws);
        EXPECT_GE(task.drawn.front(), kFirst);
        EXPECT_LT(task.drawn.back(), kFirst + count);
        EXPECT_TRUE(std::is_sorted(task.drawn.begin(), task.drawn.end()));
    }
}

TEST(DrawingSeconds, OfFewSequencesCostNoDraw) {
    const WatchedTask task(ragged_prefixes());
    EXPECT_EQ(drawing_seconds(task, 0, kTrialDraws - 1, 1), 0.0);
    EXPECT_TRUE(task.drawn.empty());
}

}  // namespace

}  // namespace attest::test
