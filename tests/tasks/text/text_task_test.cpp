#include "tasks/text/text_task.hpp"

#include "core/data/dataset_file.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

namespace attest::test {
namespace {

/// Three documents in a small language, so that a split exists.
class TextTaskTest : public testing::Test {
protected:
    TextTaskTest() {
        for (const char* name : {"one", "two", "three"}) {
            std::ofstream out(folder_.file(name));
            for (int i = 0; i < 40; ++i) {
                out << (i % 3 == 0   ? "the cat sat . "
                        : i % 5 == 0 ? "a dog ran ! "
                                     : "the dog sat . ");
            }
        }
        options_.corpus = {folder_.path(), TextUnit::word, "file"};
        options_.vocabulary = 8;
        options_.d = 3;
        options_.n = 3;
        options_.outputs = 2;
    }

    TemporaryFolder folder_;
    TextOptions options_;
};

TEST_F(TextTaskTest, WindowsAreTheTokensBeforeTheirLabel) {
    options_.representation = Representation::one_hot;
    options_.labels = TextLabels::one_hot;
    options_.d = 8;
    options_.in_order = true;
    const TextTask task = text_task(options_);
    const Dataset data = window_dataset(task, ordered_windows(task, TextPart::train));
    const std::vector<std::int32_t>& words = task.text.documents[0].words;
    for (Index i = 0; i < data.num_sequences(); ++i) {
        for (Index t = 0; t < 3; ++t) {
            EXPECT_EQ(data.sequence(i).col(t),
                      task.embedding.col(words[static_cast<std::size_t>(i + t)]));
        }
        EXPECT_EQ(data.y.col(i),
                  Matrix::Identity(8, 8).col(words[static_cast<std::size_t>(i + 3)]));
    }
}

TEST_F(TextTaskTest, ExtraCoordinatesAreOneAndThePlace) {
    options_.extra = ExtraCoordinates::both;
    const TextTask task = text_task(options_);
    const Dataset data = window_dataset(task, ordered_windows(task, TextPart::train));
    const Matrix expected{{1.0, 1.0, 1.0}, {0.25, 0.5, 0.75}};
    EXPECT_EQ(Matrix(data.sequence(5).bottomRows(2)), expected);
}

TEST_F(TextTaskTest, LabelsHaveMeanZeroOverTrainingTokens) {
    const TextTask task = text_task(options_);
    Vector sum = Vector::Zero(2);
    for (Index i = 0; i < task.text.size(); ++i) {
        sum += static_cast<double>(task.text.counts[static_cast<std::size_t>(i)]) *
               task.targets.col(i);
    }
    // A mean of T numbers of size 1 or so, each term rounded: T² ulps are far more than it can be.
    const auto tokens = static_cast<double>(task.text.documents[0].words.size());
    EXPECT_LT(sum.cwiseAbs().maxCoeff(), tokens * tokens * 0x1p-52);
}

TEST_F(TextTaskTest, TheSameOptionsGiveTheSameData) {
    const auto make = [&] {
        const TextTask task = text_task(options_);
        return window_dataset(task, ordered_windows(task, TextPart::test));
    };
    const std::string first = digest(make());
    EXPECT_EQ(digest(make()), first);
    options_.seed = 1;
    EXPECT_NE(digest(make()), first);
}

TEST_F(TextTaskTest, MetaHoldsTheVocabularyAndSurvivesAFile) {
    const TextTask task = text_task(options_);
    const std::string path = folder_.file("data.npz");
    write_dataset(path, window_dataset(task, ordered_windows(task, TextPart::train)));
    const nlohmann::json meta = nlohmann::json::parse(read_dataset(path).meta);
    EXPECT_EQ(meta.at("vocabulary").get<std::vector<std::string>>(), task.text.vocabulary);
    // The three documents are one text: every 8-gram of the test part occurs in training.
    EXPECT_EQ(meta.at("shared_8grams").get<double>(), 1.0);
}

TEST_F(TextTaskTest, RefusesATokenWithoutRoomForAWord) {
    options_.d = 2;
    options_.extra = ExtraCoordinates::both;
    EXPECT_REFUSED("text: got d = 2 with 2 extra coordinates", text_task(options_));
}

TEST(TextTaskOfLicences, TheBuiltInSplitSharesFewerThanTwoPercentOfTestEightGrams) {
    if (!std::filesystem::is_directory(kCommonLicenses)) {
        GTEST_SKIP() << kCommonLicenses << " is absent";
    }
    const TextTask task = text_task({});
    EXPECT_EQ(task.split, "families of licences");
    EXPECT_LT(task.shared_8grams, 0.02);
    // Its files taken one by one leak: licences quote one another.
    TextOptions by_file;
    by_file.corpus.split = "file";
    EXPECT_GT(text_task(by_file).shared_8grams, 0.02);
}

}  // namespace
}  // namespace attest::test
