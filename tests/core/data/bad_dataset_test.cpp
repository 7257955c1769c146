// Every way a data-set file can be wrong, with the line it gives.

#include "core/base/error.hpp"
#include "core/data/dataset_file.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

namespace attest {

namespace {

struct Keyed {
    std::string key;
    NpyArray array;
};

NpyArray zeros(std::vector<Index> shape, DType dtype = DType::float64) {
    const Index size = std::accumulate(shape.begin(), shape.end(), Index{1}, std::multiplies<>());
    return {dtype, std::move(shape), std::vector<double>(static_cast<std::size_t>(size))};
}

NpyArray integers(std::vector<double> values) {
    const Index size = std::ssize(values);
    return {DType::int64, {size}, std::move(values)};
}

NpyArray with(NpyArray array, std::size_t at, double value) {
    array.data[at] = value;
    return array;
}

std::string message_of(const std::vector<Keyed>& arrays,
                       InvalidExamples policy = InvalidExamples::reject) {
    NpzWriter writer;
    for (const Keyed& entry : arrays) {
        writer.add(entry.key, entry.array);
    }
    const std::vector<std::byte> bytes = writer.bytes();
    return test::invalid_input_message(
        [&] { (void)load_dataset(NpzReader::from_bytes(bytes, "f.npz"), policy); });
}

const NpyArray kZ = zeros({5, 2, 3});
const NpyArray kTokens = zeros({6, 2});
const NpyArray kOffsets = integers({0, 2, 6});
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(BadDataset, TheSoundFilesBehindTheseTestsAreRead) {
    EXPECT_EQ(message_of({{"Z", kZ}, {"y", zeros({5, 2})}}), "nothing was thrown");
    EXPECT_EQ(message_of({{"tokens", kTokens}, {"offsets", kOffsets}, {"y", zeros({2})}}),
              "nothing was thrown");
}

TEST(BadDataset, MissingKey) {
    EXPECT_SAYS(message_of({{"X", kZ}, {"y", zeros({5})}}), "f.npz: holds the keys 'X', 'y'");
}

TEST(BadDataset, KeysThatContradictEachOther) {
    EXPECT_SAYS(message_of({{"Z", kZ}, {"tokens", zeros({5, 3, 2})}}),
                "f.npz: tokens is there beside Z");
    EXPECT_SAYS(message_of({{"Z", kZ}, {"offsets", kOffsets}}), "f.npz: offsets is there beside Z");
    EXPECT_SAYS(message_of({{"Z", kZ}, {"y", zeros({5})}, {"y_prefix", zeros({5, 3, 1})}}),
                "f.npz: y_prefix is there beside y");
    EXPECT_SAYS(
        message_of(
            {{"Z", kZ}, {"query", zeros({5}, DType::int64)}, {"y_prefix", zeros({5, 3, 1})}}),
        "f.npz: y_prefix is there beside query");
}

TEST(BadDataset, AKeyThatDiffersInCaseOnly) {
    EXPECT_EQ(message_of({{"Z", kZ}, {"Y", zeros({5})}}),
              "f.npz: holds the key 'Y', expected 'y'; rename it");
    EXPECT_EQ(message_of({{"z", kZ}}), "f.npz: holds the key 'z', expected 'Z'; rename it");
}

TEST(BadDataset, WrongRank) {
    EXPECT_SAYS(message_of({{"Z", zeros({2, 3})}}), "f.npz: Z has shape (2, 3)");
    EXPECT_SAYS(message_of({{"tokens", kTokens}}), "f.npz: tokens has shape (6, 2)");
    EXPECT_SAYS(message_of({{"tokens", zeros({5, 3, 2})}, {"offsets", kOffsets}}),
                "f.npz: tokens has shape (5, 3, 2)");
    EXPECT_SAYS(message_of({{"tokens", kTokens}, {"offsets", zeros({3, 1}, DType::int64)}}),
                "f.npz: offsets has shape (3, 1)");
}

TEST(BadDataset, WrongType) {
    EXPECT_SAYS(message_of({{"tokens", kTokens}, {"offsets", zeros({3})}}),
                "f.npz: offsets has dtype float64");
    EXPECT_SAYS(message_of({{"Z", kZ}, {"query", zeros({5})}}), "f.npz: query has dtype float64");
    EXPECT_SAYS(message_of({{"Z", kZ}, {"meta", zeros({5})}}),
                "f.npz: meta has shape (5,) of float64");
}

TEST(BadDataset, EmptySetSequenceOrToken) {
    EXPECT_SAYS(message_of({{"Z", zeros({0, 2, 3})}}), "f.npz: Z has shape (0, 2, 3)");
    EXPECT_SAYS(message_of({{"Z", zeros({5, 2, 0})}}), "f.npz: Z has shape (5, 2, 0)");
    EXPECT_SAYS(message_of({{"Z", zeros({5, 0, 3})}}), "f.npz: Z has shape (5, 0, 3)");
    EXPECT_SAYS(message_of({{"tokens", zeros({0, 2})}, {"offsets", integers({0})}}),
                "f.npz: offsets has shape (1,)");
    EXPECT_SAYS(message_of({{"tokens", zeros({0, 2})}, {"offsets", integers({0, 0})}}),
                "f.npz: offsets[1] is 0 after 0");
}

TEST(BadDataset, AnEmbeddingTooLargeToNumberItsFeatures) {
    EXPECT_SAYS(message_of({{"Z", zeros({1, 1048577, 1})}}), "f.npz: Z has shape (1, 1048577, 1)");
}

TEST(BadDataset, OffsetsThatDoNotCutTheTokens) {
    const auto cut = [](std::vector<double> offsets) {
        return message_of({{"tokens", kTokens}, {"offsets", integers(std::move(offsets))}});
    };

    EXPECT_EQ(cut({1, 6}),
              "f.npz: offsets starts with 1, expected 0; put the position of the first token in "
              "front");
    EXPECT_EQ(
        cut({0, 4, 2, 6}),
        "f.npz: offsets[2] is 2 after 4, expected a larger number; remove the empty sequence");
    EXPECT_EQ(
        cut({0, 2, 5}),
        "f.npz: offsets ends with 5, expected the number of tokens 6; append the end of the last "
        "sequence");
}

TEST(BadDataset, LabelsOfAnotherNumber) {
    EXPECT_SAYS(message_of({{"Z", kZ}, {"y", zeros({4, 2})}}), "f.npz: y has shape (4, 2)");
    EXPECT_SAYS(message_of({{"Z", kZ}, {"y", zeros({})}}), "f.npz: y has shape ()");
    EXPECT_SAYS(message_of({{"Z", kZ}, {"y", zeros({5, 0})}}), "f.npz: y has shape (5, 0)");
    EXPECT_SAYS(message_of({{"Z", kZ}, {"y_prefix", zeros({5, 2, 3})}}),
                "f.npz: y_prefix has shape (5, 2, 3)");
    EXPECT_SAYS(
        message_of({{"tokens", kTokens}, {"offsets", kOffsets}, {"y_prefix", zeros({5, 1})}}),
        "f.npz: y_prefix has shape (5, 1)");
}

TEST(BadDataset, QueryOutOfRange) {
    EXPECT_SAYS(message_of({{"Z", kZ}, {"query", integers({0, 1})}}),
                "f.npz: query has shape (2,)");
    EXPECT_SAYS(message_of({{"Z", kZ}, {"query", integers({0, 1, 2, 3, 0})}}),
                "f.npz: query[3] is 3");
    EXPECT_SAYS(message_of({{"Z", kZ}, {"query", integers({0, 0, 0, 0, -1})}}),
                "f.npz: query[4] is -1");
}

TEST(BadDataset, NaNAndInfinity) {
    const std::string fix = "; remove the example or pass --skip-invalid";

    EXPECT_EQ(message_of({{"Z", with(zeros({20, 3, 6}), 17 * 18 + 2 * 6 + 5, kNaN)}}),
              "f.npz: Z[17] holds a NaN at (2,5)" + fix);
    EXPECT_EQ(message_of({{"tokens", with(kTokens, 7, -kInfinity)}, {"offsets", kOffsets}}),
              "f.npz: tokens[3] holds an infinity at (1)" + fix);
    EXPECT_EQ(message_of({{"Z", kZ}, {"y", with(zeros({5}), 4, kNaN)}}),
              "f.npz: y[4] holds a NaN" + fix);
    EXPECT_SAYS(message_of({{"Z", with(zeros({1, 2, 2}), 0, kNaN)}}, InvalidExamples::skip),
                "f.npz: each of the 1 sequences holds a NaN or an infinity");
}

TEST(BadDataset, GroundTruthThatDoesNotFit) {
    const NpyArray V = zeros({3, 1, 2});
    const NpyArray Q = zeros({3, 2, 2});
    const auto truth = [](std::vector<Keyed> more) {
        more.insert(more.begin(), {{"Z", kZ}, {"y", zeros({5})}});
        return message_of(more);
    };

    EXPECT_EQ(truth({{"truth_V", V}, {"truth_Q", Q}, {"truth_P", zeros({1, 6})}}),
              "nothing was thrown");
    EXPECT_EQ(truth({{"truth_V", V}}),
              "f.npz: truth_V stands alone, expected truth_Q beside it; store both or neither");
    EXPECT_EQ(
        truth({{"truth_V", V}, {"truth_Q", zeros({2, 2, 2})}}),
        "f.npz: truth_Q has shape (2, 2, 2), expected (3, 2, 2) to fit truth_V (3, 1, 2); stack "
        "Q_h = W_K^T W_Q of all heads along the first axis");
    EXPECT_EQ(truth({{"truth_V", zeros({3, 2, 2})}, {"truth_Q", Q}}),
              "f.npz: truth_V has shape (3, 2, 2), expected d = 2 and o = 1; remove truth_V and "
              "truth_Q or fix them");
    EXPECT_EQ(
        truth({{"truth_P", zeros({2, 6})}}),
        "f.npz: truth_P has shape (2, 6), expected d = 2 and o = 1, (o, 6); remove truth_P or fix "
        "it");
    EXPECT_EQ(truth({{"truth_P", zeros({1, 18})}}), "nothing was thrown") << "of another layer";
    EXPECT_EQ(truth({{"truth_P", with(zeros({1, 6}), 2, kNaN)}}),
              "f.npz: truth_P[0] holds a NaN at (2); write finite numbers");
}

TEST(BadDataset, MetaThatIsNoJson) {
    NpyArray meta{DType::uint8, {3}, {'{', 'a', '}'}};

    EXPECT_SAYS(message_of({{"Z", kZ}, {"meta", meta}}), "f.npz: meta reads '{a}'");
    meta.data = {'"', 0xff, '"'};
    EXPECT_SAYS(message_of({{"Z", kZ}, {"meta", meta}}), "expected JSON in UTF-8");
}

}  // namespace
}  // namespace attest
