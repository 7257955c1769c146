#include "core/data/dataset_file.hpp"

#include "core/base/error.hpp"
#include "tests/support/arbitrary_dataset.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/process_settings.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

namespace attest {

namespace {

using test::arbitrary_dataset;
using test::invalid_input_message;
using test::same;
using test::TemporaryFolder;

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

    EXPECT_EQ(test::file_content(folder.file("a.npz")), test::file_content(folder.file("b.npz")));
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

    EXPECT_EQ(invalid_input_message([&] { write_dataset(path, data); }),
              "Z[0] holds a NaN at (0,1), expected finite numbers");
    EXPECT_EQ(invalid_input_message([&] { write_dataset(path, bad_meta); }),
              "add_meta: got '{not JSON', expected JSON in UTF-8");
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
    const test::MemoryLimit limit(100'000);
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
            ": writing it needs about 234.4 KiB of memory, the limit is 97.7 KiB; write fewer "
            "sequences at a time");
}

}  // namespace
}  // namespace attest
