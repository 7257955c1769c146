#include "core/data/opened_dataset.hpp"

#include "core/base/error.hpp"
#include "core/base/parallel.hpp"
#include "core/certify/rank/exact_features.hpp"
#include "core/data/dataset_file.hpp"
#include "core/data/shards.hpp"
#include "core/data/sources/moments.hpp"
#include "core/moments/whitening.hpp"
#include "tests/support/arbitrary_dataset.hpp"
#include "tests/support/archives.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/layer_examples.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/process_settings.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>

namespace attest::test {
namespace {

/// Writes consecutive sequences into as many shards as there are counts.
void write_shards(const TemporaryFolder& folder,
                  const Dataset& data,
                  const std::vector<Index>& counts,
                  Compression compression = Compression::stored) {
    Index first = 0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
        write_dataset(
            folder.file(formatted("{}.npz", k)), subset(data, first, counts[k]), compression);
        first += counts[k];
    }
}

Dataset planted(LabelKind labels, Index N, Index n) {
    Dataset data = planted_dataset(normal_parameters(2, 2, 1, Stream(1)), N, n, Stream(2));
    if (labels == LabelKind::per_prefix) {
        data.y = normal_matrix(2, data.tokens.cols(), Stream(3));
    }
    data.labels = labels;
    data.truth = {};
    return data;
}

RC_GTEST_PROP(StreamedDataset, IsTheDataSetInMemory, ()) {
    const TemporaryFolder folder;
    const Dataset data = arbitrary_dataset();
    const auto cut = *rc::gen::inRange<Index>(1, data.num_sequences() + 1);
    const std::vector<Index> counts = cut == data.num_sequences()
                                          ? std::vector<Index>{cut}
                                          : std::vector<Index>{cut, data.num_sequences() - cut};
    write_shards(
        folder, data, counts, *rc::gen::element(Compression::stored, Compression::deflated));

    const StreamedDataset streamed(folder.path(), {}, *rc::gen::inRange<Index>(1, 20));

    const SequenceShape shape = streamed.shape();
    RC_ASSERT(shape.d == data.d() && shape.o == data.o() && shape.labels == data.labels);
    RC_ASSERT(std::equal(shape.offsets.begin(), shape.offsets.end(), data.offsets.begin()));
    RC_ASSERT(streamed.digest() == digest(data));
    const auto first = *rc::gen::inRange<Index>(0, data.num_examples());
    const auto last = *rc::gen::inRange<Index>(first + 1, data.num_examples() + 1);
    RC_ASSERT(same_numbers(streamed.examples(first, last),
                           SequencesInMemory(data).examples(first, last)));
    std::vector<Dataset> parts;
    streamed.for_each_part([&](const Dataset& part) { parts.push_back(part); });
    RC_ASSERT(same_numbers(joined(parts), data));
    RC_ASSERT(same_blocks(SlicedSource(streamed), DatasetSource(data)));
    const auto columns = data.labels != LabelKind::none && *rc::gen::arbitrary<bool>()
                             ? FeatureColumns::features_and_labels
                             : FeatureColumns::features;
    RC_ASSERT(FeatureRows(streamed, columns).block(Modulus(), 0) ==
              FeatureRows(data, columns).block(Modulus(), 0));
}

RC_GTEST_PROP(StreamedDataset, AnswersForAnyTokensAndLabels, ()) {
    const TemporaryFolder folder;
    const Dataset data = arbitrary_dataset();
    write_shards(folder, data, {data.num_sequences()});
    const StreamedDataset streamed(folder.path(), {}, *rc::gen::inRange<Index>(1, 20));
    const SequencesInMemory memory(data);

    const auto token = *rc::gen::inRange<Index>(0, data.tokens.cols());
    const auto tokens = *rc::gen::inRange<Index>(1, data.tokens.cols() - token + 1);
    RC_ASSERT(streamed.tokens(token, tokens) == memory.tokens(token, tokens));
    const auto example = *rc::gen::inRange<Index>(0, data.num_examples());
    const auto labels = *rc::gen::inRange<Index>(1, data.num_examples() - example + 1);
    RC_ASSERT(streamed.labels(example, labels) == memory.labels(example, labels));
    for (Index i = 0; i < data.num_sequences(); ++i) {
        RC_ASSERT(streamed.shape().query_token(i) == data.query_token(i));
    }
}

TEST(StreamedDataset, HasTheBlocksOfTheDataSetAcrossChunksAndShards) {
    for (const LabelKind labels : {LabelKind::per_sequence, LabelKind::per_prefix}) {
        for (const Compression compression : {Compression::stored, Compression::deflated}) {
            const TemporaryFolder folder;
            const Dataset data = planted(labels, 700, 5);
            write_shards(folder, data, {1, 299, 256, 144}, compression);

            const StreamedDataset streamed(folder.path(), {}, 1000);

            EXPECT_TRUE(same_blocks(SlicedSource(streamed), DatasetSource(data)));
            EXPECT_EQ(streamed.digest(), digest(data));
        }
    }
}

TEST(StreamedDataset, ReadsWhatEveryLayerReads) {
    for (const std::string& layer : layer_texts()) {
        for (const LabelKind labels : {LabelKind::per_sequence, LabelKind::per_prefix}) {
            const TemporaryFolder folder;
            const Dataset data = layer_data({.layer = layer, .labels = labels, .count = 400});
            write_shards(folder, data, {150, 250});

            const StreamedDataset streamed(folder.path(), data.layer, 100);

            EXPECT_TRUE(same_blocks(SlicedSource(streamed), DatasetSource(data))) << layer;
            EXPECT_EQ(streamed.digest(), digest(data)) << layer;
        }
    }
}

TEST(StreamedDataset, TakesNamedShardsInTheirOrder) {
    const TemporaryFolder folder;
    const Dataset data = planted(LabelKind::per_sequence, 300, 4);
    write_shards(folder, data, {100, 200});
    std::vector<std::string> shards = shards_of(folder.path());
    std::reverse(shards.begin(), shards.end());

    const StreamedDataset streamed(shards, {});

    EXPECT_EQ(streamed.digest(), digest(concatenate(subset(data, 100, 200), subset(data, 0, 100))));
    EXPECT_THROW(StreamedDataset(std::vector<std::string>{}, Layer{}), InvalidInput);
}

TEST(StreamedDataset, GivesTheSameBlocksToSeveralThreads) {
    const TemporaryFolder folder;
    const Dataset data = planted(LabelKind::per_prefix, 300, 20);
    write_shards(folder, data, {100, 200}, Compression::deflated);
    const StreamedDataset streamed(folder.path(), {}, 500);
    const SlicedSource source(streamed);
    const DatasetSource expected(data);

    std::vector<MomentBatch> blocks(static_cast<std::size_t>(source.shape().num_blocks));
    parallel_for(std::ssize(blocks), 4, [&](Index b) {
        blocks[static_cast<std::size_t>(b)] = source.block(b);
    });

    for (std::size_t b = 0; b < blocks.size(); ++b) {
        EXPECT_EQ(blocks[b].S, expected.block(static_cast<Index>(b)).S);
    }
}

TEST(StreamedDataset, NamesANumberThatIsNotFiniteAsReadingItDoes) {
    const TemporaryFolder folder;
    const auto write = [&](std::vector<double> Z, std::vector<double> y) {
        NpzWriter file;
        file.add("Z", {DType::float32, {2, 1, 2}, std::move(Z)});
        file.add("y", {DType::float64, {2}, std::move(y)});
        file.write(folder.file("a.npz"));
    };
    const auto message = [&] {
        return invalid_input_message([&] { (void)StreamedDataset(folder.file("a.npz"), {}, 1); });
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    write({1.0, 2.0, 3.0, nan}, {1.0, 2.0});
    EXPECT_EQ(message(),
              folder.file("a.npz") +
                  ": Z[1] holds a NaN at (0,1); remove the example or pass --skip-invalid");
    EXPECT_EQ(message(), invalid_input_message([&] { (void)read_dataset(folder.file("a.npz")); }));

    write({1.0, 2.0, 3.0, 4.0}, {1.0, -std::numeric_limits<double>::infinity()});
    EXPECT_EQ(message(),
              folder.file("a.npz") +
                  ": y[1] holds an infinity; remove the example or pass --skip-invalid");
}

TEST(StreamedDataset, NamesTheShardThatIsCorruptOrDisagrees) {
    const TemporaryFolder folder;
    const Dataset data = planted(LabelKind::per_sequence, 10, 3);
    write_shards(folder, data, {4, 6});
    const std::string shard = folder.file("1.npz");
    std::string bytes = file_content(shard);
    bytes[bytes.find("NUMPY") + 300] ^= 1;  // a number of the first array
    std::ofstream(shard, std::ios::binary) << bytes;
    const auto message = [&] {
        return invalid_input_message([&] { (void)StreamedDataset(folder.path()); });
    };
    EXPECT_EQ(message(),
              shard + ": member 'Z.npy' cannot be read: CRC error; write the file again");

    Dataset other = subset(data, 0, 2);
    other.labels = LabelKind::none;
    other.y = Matrix();
    write_dataset(shard, other);
    EXPECT_EQ(message().find(shard + ": has d = 2, o = 0, labels none, expected "), 0U);
}

TEST(StreamedDataset, NeedsMemoryForItsChunksOnly) {
    const TemporaryFolder folder;
    const Dataset data = planted(LabelKind::per_prefix, 50, 100);
    write_shards(folder, data, {50});
    const std::string path = folder.file("0.npz");
    const std::string deflated = folder.file("deflated.npz");
    write_dataset(deflated, data, Compression::deflated);
    const auto needs = [](const std::string& file, const Layer& layer) {
        return error_message<EnvironmentFailure>([&] { (void)StreamedDataset(file, layer, 100); });
    };
    {
        const MemoryLimit limit(50000);  // the tokens alone take 80 000 bytes
        EXPECT_THROW((void)read_dataset(path), EnvironmentFailure);
        EXPECT_EQ(StreamedDataset(deflated, {}, 100).shape().num_sequences(), 50);
    }
    {
        const MemoryLimit limit(10000);  // a sequence takes 3200, and six are reckoned with
        const std::string start =
            ": reading it in parts needs about 20.3 KiB of memory, the limit is 9.8 KiB; ";
        EXPECT_EQ(needs(deflated, {}),
                  deflated + start +
                      "sequences of a compressed Z (N, d, n) are read whole; write it "
                      "uncompressed, with numpy.savez, or raise the limit");
        EXPECT_EQ(needs(path, layer_named("decay=1/2")),
                  path + start +
                      "this layer reads sequences whole; raise the limit or use a larger machine");
        EXPECT_EQ(StreamedDataset(path, {}, 100).digest(), digest(data)) << "cut";
    }
    const MemoryLimit limit(5000);
    EXPECT_EQ(needs(path, {}),
              path +
                  ": reading it in parts needs about 6.3 KiB of memory, the limit is 4.9 KiB; "
                  "raise the limit or use a larger machine");
}

/// A run inside a sequence and a label are one number more than a chunk has.
TEST(StreamedDataset, BlamesNoCompressionWhereASequenceIsCut) {
    const TemporaryFolder folder;
    const Dataset data = planted(LabelKind::per_sequence, 50, 100);
    write_shards(folder, data, {50});
    const MemoryLimit limit(5000);
    const std::string message = error_message<EnvironmentFailure>(
        [&] { (void)StreamedDataset(folder.file("0.npz"), {}, 100); });
    EXPECT_EQ(message.find("compressed"), message.npos) << message;
    EXPECT_SAYS(message, "raise the limit or use a larger machine");
}

/// One sequence whose query stands in its middle, then a short one; d = 2.
Dataset one_long_sequence(Index length) {
    Dataset data;
    data.tokens = normal_matrix(2, length + 3, Stream(1));
    data.offsets = {0, length, length + 3};
    data.labels = LabelKind::per_sequence;
    data.y = normal_matrix(1, 2, Stream(2));
    data.query = {length / 2, 0};
    return data;
}

TEST(StreamedDataset, ReadsASequenceThatIsLongerThanAChunkInRuns) {
    const Dataset data = one_long_sequence(200'000);  // 3.2 MB, three runs
    const TemporaryFolder folder;
    write_dataset(folder.file("a.npz"), data);

    const MemoryLimit limit(1'000'000);
    const StreamedDataset streamed(folder.file("a.npz"), {}, 10'000);

    EXPECT_TRUE(same_blocks(SlicedSource(streamed), DatasetSource(data)));
    EXPECT_EQ(streamed.digest(), digest(data));
    EXPECT_EQ(token_whitening(streamed).L, token_whitening(SequencesInMemory(data)).L);
    EXPECT_EQ(FeatureRows(streamed).block(Modulus(), 0), FeatureRows(data).block(Modulus(), 0));
}

TEST(StreamedDataset, CountsWhatStandsBesideTheTokens) {
    const TemporaryFolder folder;
    const Dataset data = layer_data({.layer = "moments", .count = 400});
    write_shards(folder, data, {400});
    const Index numbers = data.columns.s.rows() + data.columns.u.rows() + data.o();

    Index parts = 0;
    StreamedDataset(folder.path(), data.layer, 4 * numbers).for_each_part([&](const Dataset& part) {
        EXPECT_LE(part.num_sequences(), 4) << "tokens without entries";
        ++parts;
    });
    EXPECT_GE(parts, 100);
}

TEST(StreamedDataset, ReadsLongSequencesAFewAtATime) {
    // One block of examples is 16 000 numbers of tokens, 128 kB.
    const TemporaryFolder folder;
    const Dataset data = planted(LabelKind::per_sequence, 100, 80);
    write_shards(folder, data, {60, 40});

    const MemoryLimit limit(60000);
    const StreamedDataset streamed(folder.path(), {}, 500);

    EXPECT_TRUE(same_blocks(SlicedSource(streamed), DatasetSource(data)));
    Index parts = 0;
    streamed.for_each_part([&](const Dataset& part) {
        EXPECT_LE(part.num_sequences(), 3);
        ++parts;
    });
    EXPECT_EQ(parts, 34);
}

}  // namespace
}  // namespace attest::test
