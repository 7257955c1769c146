#include "bench/sweep/toml_table.hpp"

#include "bench/sweep/sweep.hpp"
#include "core/base/error.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

namespace attest::test {
namespace {

using Strings = std::vector<std::string>;

constexpr const char* kData =
    "name = 'n'\n[data]\ntask = 'random-linear-attention'\nsequences = 9\n";

std::string refusal_of(const std::string& text) {
    return error_message<Error>([&] { (void)sweep_from_text(text, "f.toml"); });
}

TEST(ReadSweep, TakesTheWholeGrid) {
    const SweepPlan plan = sweep_from_text(
        "name = 'grid'\nsummary = 'why'\nseeds = [4, 7]\n"
        "[data]\ntask = 'iid-entries'\nsequences = [10, '2 psi']\nheld_out = 5\nn = 6\nd = [2, 3]\n"
        "[learn]\nridge = [0, 0.1]\n[certify]\n"
        "[figure]\nx = 'd'\ny = 'rank'\nby = 'sequences'\nlog = 'y'\n",
        "f.toml");
    EXPECT_EQ(plan.name, "grid");
    EXPECT_EQ(plan.seeds, (std::vector<std::uint64_t>{4, 7}));
    EXPECT_EQ(plan.task, "iid-entries");
    EXPECT_EQ(plan.held_out, 5);
    ASSERT_EQ(plan.parameters.size(), 2U);
    EXPECT_EQ(plan.parameters[1].values, (Strings{"2", "3"}));
    EXPECT_EQ(plan.varied(plan.learn), (Strings{"d", "sequences", "ridge"}));
    EXPECT_EQ(plan.varied(plan.certify), (Strings{"d", "sequences"}));
    ASSERT_TRUE(plan.figure.has_value());
    EXPECT_EQ(plan.figure->metrics, Strings{"rank"});
    EXPECT_EQ(plan.figure->x_scale, Scale::linear);
    EXPECT_EQ(plan.figure->y_scale, Scale::log10);
}

TEST(ReadSweep, CountsSeedsFromZero) {
    const std::string text = std::string("seeds = 3\n") + kData + "[learn]\n";
    EXPECT_EQ(sweep_from_text(text, "f.toml").seeds, (std::vector<std::uint64_t>{0, 1, 2}));
    EXPECT_SAYS(refusal_of(std::string("seeds = 0\n") + kData + "[learn]\n"), "f.toml:1: seeds");
}

TEST(ReadSweep, RefusesInOneLineThatNamesTheKey) {
    EXPECT_SAYS(refusal_of(std::string(kData) + "[learn]\nsovler = 'auto'\n"), "nearest: solver");
    EXPECT_SAYS(refusal_of(kData), "neither [learn] nor [certify]");
    EXPECT_SAYS(refusal_of("name = 'No Name'\n"), "snake_case");
    EXPECT_SAYS(refusal_of("name = 'n'\n"), "[data]");
    EXPECT_SAYS(refusal_of(std::string(kData) + "[learn]\n[figure]\ny = 'rnak'\n"),
                "nearest: rank");
    EXPECT_SAYS(refusal_of(std::string(kData) + "[learn]\n[figure]\ny = 'rank'\nx = 'w'\n"),
                "figure");
}

TEST(ReadSweep, RefusesAxesThatCannotBeZipped) {
    const auto zipped = [](const std::string& axes) {
        return refusal_of(std::string("name = 'n'\n[data]\ntask = 'iid-entries'\nd = [2, 3]\n"
                                      "n = [4, 5, 6]\nsequences = [7, 8]\n") +
                          axes + "[certify]\n");
    };
    EXPECT_EQ(zipped("zip = ['d', 'sequences']\n"), "nothing was thrown");
    EXPECT_NE(zipped("zip = ['d', 'n']\n").find("lists of one length, got 2 and 3 values"),
              std::string::npos);
    EXPECT_NE(zipped("zip = ['d', 'sequence']\n").find("nearest: sequences"), std::string::npos);
    EXPECT_NE(zipped("zip = 'd'\n").find("two axes or more"), std::string::npos);
    EXPECT_NE(zipped("zip = ['d', 'd']\n").find("each axis once"), std::string::npos);
}

TEST(ReadSweep, RefusesSettingsThatWouldBeOneCase) {
    const auto refused = [](const std::string& seeds, const std::string& data) {
        return refusal_of("name = 'n'\nseeds = " + seeds + "\n[data]\ntask = 't'\n" + data +
                          "\n[learn]\n");
    };
    EXPECT_SAYS(refused("[1, 1]", "sequences = 9"), "f.toml:2: seeds: expected different values");
    EXPECT_SAYS(refused("1", "sequences = 9\nridge = ['0.1', '1e-1']"),
                "f.toml:6: [data] ridge: expected different values");
    EXPECT_SAYS(refused("1", "sequences = 9\nd = [2, 2]\nn = [3, 3]\nzip = ['d', 'n']"),
                "[data] zip: expected different values");
}

TEST(ReadSweep, LeavesTheNameOfClaimsRowsAlone) {
    EXPECT_SAYS(refusal_of("name = 'claims'\n[data]\ntask = 't'\nsequences = 9\n[learn]\n"),
                "f.toml:1: name: expected another name");
}

TEST(ReadSweep, RefusesMoreCasesThanAnybodyWaitsFor) {
    std::string many = "x = [0";
    for (int i = 1; i < 400; ++i) {
        many += ", " + std::to_string(i);
    }
    many += "]\n";
    const std::string text =
        "name = 'n'\nseeds = 400\n[data]\ntask = 't'\nsequences = 9\n" + many + "[learn]\n";
    EXPECT_SAYS(refusal_of(text), "160000 cases, expected at most 100000");
}

TEST(SequencesOf, CountsOrMultipliesPsi) {
    EXPECT_EQ(sequences_of("400", 7), 400);
    EXPECT_EQ(sequences_of("2 psi", 7), 14);
    EXPECT_EQ(sequences_of("0.5 psi", 7), 4) << "rounded up";
    for (const char* words :
         {"0", "-3", "2.5", "2psi", "psi", " psi", "-1 psi", "nan psi", "1e99 psi"}) {
        EXPECT_REFUSED("2 psi", sequences_of(words, 7)) << words;
    }
}

using Strings = std::vector<std::string>;

TomlTable table_of(const std::string& text) {
    return TomlTable::parse(text, "f.toml");
}

TEST(TomlTable, GivesValuesAsTheCommandLineTakesThem) {
    const TomlTable table = table_of("a = 3\nb = 0.5\nc = 'x'\nd = true\ne = [1, 1e-3, '2 psi']\n");
    EXPECT_EQ(table.word("a"), "3");
    EXPECT_EQ(table.word("b"), "0.5");
    EXPECT_EQ(table.word("c"), "x");
    EXPECT_EQ(table.word("d"), "true");
    EXPECT_EQ(table.words("e"), (Strings{"1", "0.001", "2 psi"}));
    EXPECT_EQ(table.words("a"), Strings{"3"});
    EXPECT_EQ(table.word("z", "other"), "other");
    EXPECT_TRUE(table.is_list("e"));
    EXPECT_FALSE(table.is_list("a"));
}

TEST(TomlTable, KeepsTheOrderOfTheFile) {
    EXPECT_EQ(table_of("z = 1\na = 2\nm = 3\n").keys(), (Strings{"z", "a", "m"}));
}

TEST(TomlTable, NamesTheLineOfWhatIsWrong) {
    const TomlTable table = table_of("a = [1, 2]\n\n[learn]\nb = [[1]]\nc = []\nd = nan\n");
    const TomlTable learn = table.table("learn");
    EXPECT_REFUSED("f.toml:1: a: expected one value", table.word("a"));
    EXPECT_REFUSED(
        "f.toml:4: [learn] b: expected a text, a finite number, true or false, or a list of them",
        learn.words("b"));
    EXPECT_REFUSED("f.toml:5: [learn] c: expected at least one value", learn.words("c"));
    EXPECT_REFUSED("f.toml:6:", learn.words("d"));
    EXPECT_REFUSED("it is missing", learn.words("e"));
    EXPECT_REFUSED("a table, [a]", table.table("a"));
    EXPECT_FAILS(UnknownName, "f.toml:6: [learn] d", learn.know({"b", "c"}));
}

TEST(TomlTable, RefusesWhatIsNoToml) {
    EXPECT_REFUSED("f.toml:2:", table_of("a = 1\nb = = 2\n"));
}

}  // namespace

}  // namespace attest::test
