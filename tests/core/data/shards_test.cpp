#include "core/data/shards.hpp"

#include "core/base/error.hpp"
#include "tests/support/arbitrary_dataset.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/process_settings.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <limits>

namespace attest::test {
namespace {

/// Single tokens of one entry, numbered from `first`, with labels.
Dataset numbered(Index first, Index count) {
    Dataset data;
    Matrix tokens(1, count);
    data.offsets = {0};
    for (Index i = 0; i < count; ++i) {
        tokens(0, i) = static_cast<double>(first + i);
        data.offsets.push_back(i + 1);
    }
    data.labels = LabelKind::per_sequence;
    data.y = 10.0 * tokens;
    data.tokens = std::move(tokens);
    return data;
}

TEST(Shards, CountDigitsAsNumbers) {
    EXPECT_TRUE(naturally_before("part-2.npz", "part-10.npz"));
    EXPECT_FALSE(naturally_before("part-10.npz", "part-2.npz"));
    EXPECT_TRUE(naturally_before("a", "ab"));
    EXPECT_TRUE(naturally_before("a9b1", "a10a1"));
    EXPECT_TRUE(naturally_before("a1b2", "a1b10"));
    EXPECT_TRUE(naturally_before("7", "a"));
    // Beyond any integer type.
    EXPECT_TRUE(naturally_before("1" + std::string(30, '0'), "2" + std::string(30, '0')));
}

RC_GTEST_PROP(Shards, AreInAStrictOrder, (const std::string& a, const std::string& b)) {
    RC_ASSERT(!naturally_before(a, a));
    RC_ASSERT(naturally_before(a, b) + naturally_before(b, a) == (a == b ? 0 : 1));
}

TEST(Shards, OrderNumbersThatDifferInLeadingZeros) {
    EXPECT_NE(naturally_before("a01", "a1"), naturally_before("a1", "a01"));
    EXPECT_TRUE(naturally_before("a01", "a2"));
}

TEST(Shards, AreOneDataSetInNaturalOrder) {
    const TemporaryFolder folder;
    write_dataset(folder.file("s-10.npz"), numbered(5, 1));
    write_dataset(folder.file("s-2.npz"), numbered(2, 3));
    write_dataset(folder.file("s-1.npz"), numbered(0, 2));
    write_dataset(folder.file(".hidden.npz"), numbered(100, 1));
    std::ofstream(folder.file("notes.txt")) << "not a shard";

    const Dataset whole = read_dataset(folder.path());

    EXPECT_TRUE(same(whole, numbered(0, 6)));
    EXPECT_EQ(digest(whole), digest(numbered(0, 6)));
}

RC_GTEST_PROP(Shards, AreWhatTheyConcatenateTo, ()) {
    const TemporaryFolder folder;
    Dataset data = arbitrary_dataset();
    const auto cut = *rc::gen::inRange<Index>(1, data.num_sequences() + 1);
    std::vector<Dataset> parts{subset(data, 0, cut)};
    if (cut < data.num_sequences()) {
        parts.push_back(subset(data, cut, data.num_sequences() - cut));
    }
    for (std::size_t k = 0; k < parts.size(); ++k) {
        write_dataset(folder.file(formatted("{}.npz", k)), parts[k]);
    }

    RC_ASSERT(digest(read_dataset(folder.path())) == digest(data));
    RC_ASSERT(same(read_dataset(folder.path()), data));
}

TEST(Shards, GiveEverySequenceItsQueryWhereOneOfThemDoes) {
    const TemporaryFolder folder;
    Dataset asked;
    asked.tokens = Matrix{{1.0, 2.0, 3.0, 4.0}};
    asked.offsets = {0, 2, 4};
    write_dataset(folder.file("1.npz"), asked);
    asked.query = {0, 1};
    write_dataset(folder.file("2.npz"), asked);

    EXPECT_EQ(read_dataset(folder.path()).query, (std::vector<Index>{1, 1, 0, 1}));
}

TEST(Shards, CountSkippedSequencesThroughTheFolder) {
    const TemporaryFolder folder;
    write_dataset(folder.file("1.npz"), numbered(0, 3));
    NpzWriter spoilt;
    spoilt.add("Z", {DType::float64, {2, 1, 1}, {std::numeric_limits<double>::quiet_NaN(), 4.0}});
    spoilt.add("y", {DType::float64, {2, 1}, {30.0, 40.0}});
    spoilt.write(folder.file("2.npz"));

    const DatasetReading reading = load_dataset(folder.path(), InvalidExamples::skip);

    EXPECT_EQ(reading.skipped, (std::vector<Index>{3}));
    EXPECT_EQ(Matrix(reading.data.tokens.view()), (Matrix{{0.0, 1.0, 2.0, 4.0}}));
}

TEST(Shards, AreRefusedWithTheNameOfTheShard) {
    const TemporaryFolder folder;
    const std::string path = folder.path();
    const auto message = [&] { return invalid_input_message([&] { (void)read_dataset(path); }); };
    EXPECT_EQ(message(),
              path +
                  ": holds no .npz file, expected the shards of a data set; put them "
                  "there");

    write_dataset(folder.file("1.npz"), numbered(0, 3));
    Dataset other = numbered(3, 2);
    other.y = Matrix::Ones(2, 2);
    write_dataset(folder.file("2.npz"), other);
    EXPECT_EQ(message(),
              path +
                  "/2.npz: has d = 1, o = 2, labels per_sequence, expected d = 1, o = 1, labels "
                  "per_sequence as " +
                  path + "/1.npz; put other data into another folder");

    other = numbered(3, 2);
    other.labels = LabelKind::none;
    other.y = Matrix();
    write_dataset(folder.file("2.npz"), other);
    EXPECT_EQ(message(),
              path +
                  "/2.npz: has d = 1, o = 0, labels none, expected d = 1, o = 1, labels "
                  "per_sequence as " +
                  path + "/1.npz; put other data into another folder");

    std::ofstream(folder.file("2.npz")) << "PK, but no archive";
    EXPECT_EQ(message().find(path + "/2.npz: "), 0U) << message();
}

TEST(Shards, AreNotReadWhereTogetherTheyDoNotFit) {
    const TemporaryFolder folder;
    for (const char* name : {"1.npz", "2.npz", "3.npz"}) {
        write_dataset(folder.file(name), numbered(0, 100));
    }
    // One takes 100·(2·8 + 2·8) bytes while it is read, all of them joined six times as much.
    const MemoryLimit limit(10000);

    EXPECT_EQ(read_dataset(folder.file("1.npz")).num_sequences(), 100);
    EXPECT_THROW((void)read_dataset(folder.path()), EnvironmentFailure);
}

}  // namespace
}  // namespace attest::test
