#include "report/joint_figures.hpp"

#include "report/catalogue.hpp"
#include "tests/report/sample_results.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace attest::test {
namespace {

const std::filesystem::path kQuick = ATTEST_RESULTS "/quick";

/// A folder with the committed rows of these experiments.
class RowsOf : public TemporaryFolder {
public:
    explicit RowsOf(const std::vector<std::string>& ids) {
        for (const std::string& id : ids) {
            std::filesystem::copy_file(kQuick / (id + ".jsonl"), path() / (id + ".jsonl"));
        }
    }
};

TEST(JointFigures, NeedTheRowsOfAllTheirExperiments) {
    for (const JointFigure& joint : joint_figures()) {
        const RowsOf folder(joint.ids);
        const ResultSet all = read_results(folder.path());
        const std::vector<DrawnJointFigure> drawn = joint_figures_of(all);
        ASSERT_EQ(drawn.size(), 1U) << joint.name;
        EXPECT_EQ(drawn.front().named.name, joint.name);
        EXPECT_EQ(drawn.front().entries.size(), joint.ids.size());
        for (const std::string& id : joint.ids) {
            ResultSet fewer = all;
            std::erase_if(fewer.entries, [&](const ResultEntry& entry) { return entry.id == id; });
            EXPECT_TRUE(joint_figures_of(fewer).empty()) << joint.name << " without " << id;
            ResultSet elsewhere = all;
            for (ResultEntry& entry : elsewhere.entries) {
                if (entry.id == id) {
                    entry.path = "other/" + id + ".jsonl";
                }
            }
            EXPECT_TRUE(joint_figures_of(elsewhere).empty()) << "rows of two runs are not joined";
        }
    }
}

TEST(JointFigures, AreWrittenWithTablesAndFigures) {
    const RowsOf folder(joint_figures().front().ids);
    const auto files = rewrite_derived(read_results(folder.path()));
    const auto own = folder.path() / "figures" / (joint_figures().front().name + ".svg");
    EXPECT_NE(std::find(files.begin(), files.end(), own), files.end());
}

TEST(TextFigure, HasAPanelForEachExperimentAndALineForEachRepresentation) {
    const RowsOf folder(joint_figures().front().ids);
    const ResultSet results = read_results(folder.path());
    const Figure figure = joint_figures_of(results).front().named.figure;
    ASSERT_EQ(figure.panels.size(), 3U);
    EXPECT_EQ(figure.panels[0].series.size(), 4U);
    EXPECT_EQ(figure.panels[1].guides.size(), 2U);
    // Seven dense or sparse words, one of them three times with extra coordinates, and characters.
    EXPECT_EQ(figure.panels[2].notes.size(), 8U);
    const auto says = [&](const std::string& words) {
        return std::any_of(figure.panels[2].notes.begin(),
                           figure.panels[2].notes.end(),
                           [&](const Note& note) { return note.text == words; });
    };
    EXPECT_TRUE(says("ppmi: full rank"));
    EXPECT_TRUE(says("characters: squares of 41 characters span 41 of 136"));
}

}  // namespace
}  // namespace attest::test
