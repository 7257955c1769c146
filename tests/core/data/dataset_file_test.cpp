#include "core/data/dataset_file.hpp"

#include "core/base/error.hpp"
#include "core/data/model_file.hpp"
#include "tests/support/arbitrary_dataset.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/process_settings.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fstream>
#include <limits>

// Files written by NumPy (tests/golden/npz/write_with_numpy.py) against the formulas of that
// program.

namespace attest::test {

namespace {

// Three sequences of one or two tokens of one entry, numbered.
Dataset numbered(std::vector<Index> offsets) {
    Dataset data;
    data.tokens.own().resize(1, offsets.back());
    for (Index t = 0; t < offsets.back(); ++t) {
        data.tokens.own()(0, t) = static_cast<double>(t);
    }
    data.offsets = std::move(offsets);
    data.labels = LabelKind::per_prefix;
    data.y = 10.0 * data.tokens.view();
    return data;
}

RC_GTEST_PROP(DatasetFile, ReadsBackWhatItWrites, ()) {
    const TemporaryFolder folder;
    const Dataset data = arbitrary_dataset();
    const auto compression = *rc::gen::element(Compression::stored, Compression::deflated);

    write_dataset(folder.file("a.npz"), data, compression);

    RC_ASSERT(same(read_dataset(folder.file("a.npz")), data));
}

TEST(DatasetFile, ChoosesTheKeysByTheLengths) {
    const TemporaryFolder folder;
    write_dataset(folder.file("equal.npz"), numbered({0, 2, 4, 6}));
    write_dataset(folder.file("ragged.npz"), numbered({0, 2, 3, 5}));

    const NpzReader equal = NpzReader::open(folder.file("equal.npz"));
    const NpzReader ragged = NpzReader::open(folder.file("ragged.npz"));

    EXPECT_EQ(equal.keys(), (std::vector<std::string>{"Z", "y_prefix"}));
    EXPECT_EQ(equal.header("Z").shape, (std::vector<Index>{3, 1, 2}));
    EXPECT_EQ(equal.header("y_prefix").shape, (std::vector<Index>{3, 2, 1}));
    EXPECT_EQ(ragged.keys(), (std::vector<std::string>{"tokens", "offsets", "y_prefix"}));
    EXPECT_EQ(ragged.header("tokens").shape, (std::vector<Index>{5, 1}));
    EXPECT_EQ(ragged.header("offsets").dtype, DType::int64);
    EXPECT_EQ(ragged.header("y_prefix").shape, (std::vector<Index>{5, 1}));
}

TEST(DatasetFile, GivesTheSameBytesForTheSameData) {
    const TemporaryFolder folder;
    write_dataset(folder.file("a.npz"), numbered({0, 2, 3}));
    write_dataset(folder.file("b.npz"), read_dataset(folder.file("a.npz")));

    EXPECT_EQ(file_content(folder.file("a.npz")), file_content(folder.file("b.npz")));
}

RC_GTEST_PROP(DatasetFile, SkipsExactlyTheSequencesWithANumberThatIsNotFinite, ()) {
    const TemporaryFolder folder;
    const Dataset whole = concatenate(numbered({0, 1, 3, 4}), numbered({0, 2}));
    NpzWriter file;
    NpyArray tokens{DType::float64, {6, 1}, {0, 1, 2, 3, 0, 1}};
    const NpyArray offsets{DType::int64, {5}, {0, 1, 3, 4, 6}};
    NpyArray labels{DType::float64, {6, 1}, {0, 10, 20, 30, 0, 10}};
    const auto bad = *rc::gen::inRange<Index>(0, 4);
    const auto first = static_cast<std::size_t>(whole.first_token(bad));
    NpyArray& spoilt = *rc::gen::arbitrary<bool>() ? tokens : labels;
    spoilt.data[first] = *rc::gen::element(std::nan(""), std::numeric_limits<double>::infinity());
    file.add("tokens", tokens);
    file.add("offsets", offsets);
    file.add("y_prefix", labels);
    file.write(folder.file("a.npz"));

    const DatasetReading reading = load_dataset(folder.file("a.npz"), InvalidExamples::skip);

    RC_ASSERT(reading.skipped == std::vector<Index>{bad});
    RC_ASSERT(
        same(reading.data, concatenate(subset(whole, 0, bad), subset(whole, bad + 1, 3 - bad))));
    RC_ASSERT_THROWS_AS((void)read_dataset(folder.file("a.npz")), InvalidInput);
}

TEST(DatasetFile, SkipsNothingFromASoundFile) {
    const TemporaryFolder folder;
    write_dataset(folder.file("a.npz"), numbered({0, 2, 3}));

    const DatasetReading reading = load_dataset(folder.file("a.npz"), InvalidExamples::skip);

    EXPECT_TRUE(reading.skipped.empty());
    EXPECT_TRUE(same(reading.data, numbered({0, 2, 3})));
    EXPECT_EQ(to_string(InvalidExamples::reject), "reject");
    EXPECT_EQ(to_string(InvalidExamples::skip), "skip");
}

TEST(DatasetFile, RefusesToWriteWhatItWouldNotRead) {
    const TemporaryFolder folder;
    Dataset data = numbered({0, 2, 3});
    data.tokens.own()(0, 1) = std::nan("");
    Dataset bad_meta = numbered({0, 2, 3});
    bad_meta.meta = "{not JSON";
    const std::string path = folder.file("a.npz");

    EXPECT_REFUSED("Z[0] holds a NaN at (0,1)", write_dataset(path, data));
    EXPECT_REFUSED("add_meta: got '{not JSON'", write_dataset(path, bad_meta));
    EXPECT_TRUE(folder.names().empty());
}

TEST(DatasetFile, LeavesNothingBehindWhereItCannotWrite) {
    const TemporaryFolder folder;
    write_dataset(folder.file("a.npz"), numbered({0, 2, 3}));

    EXPECT_THROW(write_dataset(folder.file("absent/a.npz"), numbered({0, 1})), EnvironmentFailure);
    EXPECT_THROW(write_dataset(folder.file("a.npz/b.npz"), numbered({0, 1})), EnvironmentFailure);
    EXPECT_THROW(write_dataset("/dev/full", numbered({0, 1})), EnvironmentFailure);
    EXPECT_EQ(folder.names(), std::vector<std::string>{"a.npz"});
    EXPECT_TRUE(same(read_dataset(folder.file("a.npz")), numbered({0, 2, 3})));
}

TEST(DatasetFile, SaysHowMuchMemoryItNeedsBeforeItTakesAny) {
    const TemporaryFolder folder;
    const std::string path = folder.file("a.npz");
    write_dataset(path, numbered({0, 5000}));
    const MemoryLimit limit(100'000);
    std::string reading;
    std::string writing;

    try {
        (void)read_dataset(path);
    } catch (const EnvironmentFailure& error) {
        reading = error.what();
    }
    try {
        write_dataset(folder.file("b.npz"), numbered({0, 5000}));
    } catch (const EnvironmentFailure& error) {
        writing = error.what();
    }

    EXPECT_EQ(reading,
              path +
                  ": reading it needs about 156.2 KiB of memory, the limit is 97.7 KiB; use fewer "
                  "sequences, a larger machine or what reads in parts (docs/scale.md)");
    EXPECT_EQ(
        writing,
        folder.file("b.npz") +
            ": writing it needs about 156.2 KiB of memory, the limit is 97.7 KiB; write fewer "
            "sequences at a time");
}

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

}  // namespace attest::test
