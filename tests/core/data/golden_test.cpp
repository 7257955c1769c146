// Files written by NumPy (tests/golden/npz/write_with_numpy.py) against the formulas of that
// program.

#include "core/base/error.hpp"
#include "core/data/dataset_file.hpp"
#include "core/data/model_file.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace attest {

namespace {

const std::string kFolder = std::string(ATTEST_TEST_FILES) + "/golden/npz/";

// Z[i, j, t] = (i + 1)·100 + (j + 1)·10 + t − 50 for 3 sequences, d = 2, n = 4, as columns.
Matrix golden_tokens() {
    Matrix tokens(2, 12);
    for (Index i = 0; i < 3; ++i) {
        for (Index t = 0; t < 4; ++t) {
            for (Index j = 0; j < 2; ++j) {
                tokens(j, 4 * i + t) = static_cast<double>((i + 1) * 100 + (j + 1) * 10 + t - 50);
            }
        }
    }
    return tokens;
}

// y[i, a] = i − a/2 for o outputs.
Matrix golden_labels(Index o) {
    Matrix y(o, 3);
    for (Index i = 0; i < 3; ++i) {
        for (Index a = 0; a < o; ++a) {
            y(a, i) = static_cast<double>(i) - static_cast<double>(a) / 2.0;
        }
    }
    return y;
}

// 0, 1/4, 2/4, … in the order of (N, n, o).
Matrix golden_prefix_labels(Index count) {
    Matrix y(2, count);
    for (Index k = 0; k < y.size(); ++k) {
        y.data()[k] = static_cast<double>(k) / 4.0;
    }
    return y;
}

// The first 1, 3, 2 tokens of the three sequences.
Matrix golden_ragged_tokens() {
    const Matrix all = golden_tokens();
    Matrix tokens(2, 6);
    tokens << all.leftCols(1), all.middleCols(4, 3), all.middleCols(8, 2);
    return tokens;
}

class GoldenFile : public testing::TestWithParam<const char*> {};

TEST_P(GoldenFile, HoldsTheSameDataSetInEveryEncoding) {
    const Dataset data = read_dataset(kFolder + GetParam());

    check(data);
    EXPECT_EQ(data.tokens.view(), golden_tokens());
    EXPECT_EQ(data.offsets, (std::vector<Index>{0, 4, 8, 12}));
    EXPECT_EQ(data.labels, LabelKind::per_sequence);
    EXPECT_EQ(data.y, golden_labels(2));
    EXPECT_TRUE(data.query.empty());
}

INSTANTIATE_TEST_SUITE_P(Encodings,
                         GoldenFile,
                         testing::Values("plain.npz",
                                         "compressed.npz",
                                         "fortran.npz",
                                         "big_endian.npz",
                                         "float32.npz",
                                         "int16.npz",
                                         "uint64.npz",
                                         "tokens.npz",
                                         "transposed_view.npz",
                                         "truth.npz",
                                         "version2.npz",
                                         "streamed.npz",
                                         "zip64.npz"));

TEST(GoldenDataset, ReadsOneOutputWithoutAnAxisForIt) {
    EXPECT_EQ(read_dataset(kFolder + "one_output.npz").y, golden_labels(1));
}

TEST(GoldenDataset, ReadsLabelsOfEveryPrefix) {
    const Dataset data = read_dataset(kFolder + "prefix.npz");

    EXPECT_EQ(data.labels, LabelKind::per_prefix);
    EXPECT_EQ(data.tokens.view(), golden_tokens());
    EXPECT_EQ(data.y, golden_prefix_labels(12));
}

TEST(GoldenDataset, ReadsSequencesOfDifferentLengths) {
    const Dataset data = read_dataset(kFolder + "ragged.npz");

    EXPECT_EQ(data.tokens.view(), golden_ragged_tokens());
    EXPECT_EQ(data.offsets, (std::vector<Index>{0, 1, 4, 6}));
    EXPECT_EQ(data.query, (std::vector<Index>{0, 1, 0}));
    EXPECT_EQ(data.y, golden_labels(2));
}

TEST(GoldenDataset, ReadsLabelsOfEveryPrefixOfDifferentLengths) {
    const Dataset data = read_dataset(kFolder + "ragged_prefix.npz");

    EXPECT_EQ(data.tokens.view(), golden_ragged_tokens());
    EXPECT_EQ(data.y, golden_prefix_labels(6));
}

TEST(GoldenDataset, ReadsGroundTruthAndMetaAndNamesForeignKeys) {
    const DatasetReading reading = load_dataset(kFolder + "truth.npz", InvalidExamples::reject);
    const GroundTruth& truth = reading.data.truth;

    ASSERT_TRUE(truth.heads.has_value());
    ASSERT_EQ(truth.heads->num_heads(), 2);
    EXPECT_EQ(truth.heads->heads[1].V, (Matrix(2, 2) << 4, 5, 6, 7).finished());
    EXPECT_EQ(truth.heads->heads[0].Q, (Matrix(2, 2) << 0, -1, -2, -3).finished());
    ASSERT_TRUE(truth.P.has_value());
    EXPECT_EQ(Matrix(truth.P->transpose()),
              (Matrix(2, 6) << 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11).finished());
    EXPECT_EQ(reading.data.meta, "{\"task\": \"golden \xc3\xa9\"}");
    EXPECT_EQ(reading.ignored, std::vector<std::string>{"ids"});
}

TEST(GoldenDataset, HasTheDigestsThatNumPyAndHashlibFind) {
    std::ifstream table(kFolder + "digests.txt");
    std::string expected;
    std::string name;
    int count = 0;

    while (table >> expected >> name) {
        EXPECT_EQ(digest(read_dataset(kFolder + name)), expected) << name;
        ++count;
    }

    EXPECT_EQ(count, 17);
}

TEST(GoldenModel, ReadsHeadsAndCoefficients) {
    const Model model = read_model(kFolder + "model.npz");

    EXPECT_EQ(model.d, 2);
    EXPECT_EQ(model.o, 2);
    EXPECT_EQ(model.heads.num_heads(), 2);
    EXPECT_EQ(model.heads.heads[0].V, (Matrix(2, 2) << 0, 1, 2, 3).finished());
    EXPECT_EQ(model.P.rows(), 6);
    EXPECT_EQ(Matrix(model.P.col(1).transpose()), (Matrix(1, 6) << 6, 7, 8, 9, 10, 11).finished());
    EXPECT_EQ(model.meta, "{\"task\": \"golden \xc3\xa9\"}");
}

}  // namespace
}  // namespace attest
