#pragma once

#include "core/data/dataset_file.hpp"
#include "core/data/shards.hpp"
#include "core/data/sources/moments.hpp"
#include "core/data/sources/sequences.hpp"

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace attest {

/// A data set in an .npz file, or in the shards of a folder, of which two chunks of some megabytes
/// lie in memory at a time, with 16 bytes for every sequence. Stored arrays are read by ranges,
/// deflated ones forwards. Every number is read once at the start: what is wrong with one of them,
/// or with a CRC, is said then, as load_dataset would. For the paper's layer a sequence that is
/// longer than a chunk lies in several, unless its array is feature-major and deflated.
class StreamedDataset final : public SequenceSource {
public:
    /// Chunks have `chunk_numbers` numbers at most, or one sequence that has more and is not cut;
    /// whole blocks of examples where these fit. Throws as load_dataset; EnvironmentFailure where
    /// the chunks do not fit.
    explicit StreamedDataset(const std::string& path,
                             const Layer& layer = {},
                             Index chunk_numbers = Index{1} << 19);
    /// The shards of one data set, one after the other; at least one.
    StreamedDataset(const std::vector<std::string>& shards,
                    const Layer& layer,
                    Index chunk_numbers = Index{1} << 19);

    [[nodiscard]] SequenceShape shape() const override;
    [[nodiscard]] Matrix tokens(Index first, Index count) const override;
    [[nodiscard]] Matrix labels(Index first, Index count) const override;
    void for_each_part(const std::function<void(const Dataset&)>& visit) const override;
    [[nodiscard]] Dataset examples(Index first, Index last) const override;

    [[nodiscard]] std::string digest() const override;

private:
    struct Chunk {
        std::size_t shard;
        ShardRun run;
        Index sequence;  ///< its first, of the data set
        Index token;     ///< the same
    };

    struct Cached {
        std::size_t number;
        std::shared_ptr<const Dataset> data;
    };

    /// `name` is that of the data set, for messages.
    StreamedDataset(const std::string& name,
                    const std::vector<std::string>& shards,
                    Layer layer,
                    Index chunk_numbers);
    void add_shard(const std::string& path);
    void cut_into_chunks(Index chunk_numbers);
    void cut_sequence(std::size_t shard, Index sequence, Index tokens);
    [[nodiscard]] static Index end_of_chunk(const ShardIndex& shard,
                                            Index first,
                                            Index before,
                                            Index chunk_numbers);
    void add_chunk(std::size_t shard, const ShardRun& run);
    [[nodiscard]] bool is_whole(const Chunk& chunk) const;
    void require_chunk_memory(const std::string& name, Index chunk_numbers) const;
    void check_numbers() const;
    /// visit(reader, chunk) for all chunks in order, each shard opened once.
    template <class Visit>
    void for_each_chunk(MemberCheck check, const Visit& visit) const;
    [[nodiscard]] Dataset read_chunk(ShardReader& reader, const Chunk& chunk) const;
    [[nodiscard]] std::shared_ptr<const Dataset> chunk(std::size_t number) const;
    [[nodiscard]] Index first_example(Index sequence) const;
    [[nodiscard]] Index first_example(const Chunk& chunk) const;
    /// Writes the columns from `first` on of what each chunk has some of: start(chunk) is the
    /// number of its first, columns(data) are all of them.
    template <class Start, class Columns>
    void gather(Matrix& to, Index first, const Start& start, const Columns& columns) const;

    Layer layer_;
    std::vector<ShardIndex> shards_;
    std::vector<Index> offsets_;
    std::vector<Index> query_;
    std::vector<Chunk> chunks_;
    mutable std::mutex mutex_;  ///< of all that follows
    mutable std::optional<ShardReader> reader_;
    mutable std::size_t open_shard_ = 0;
    mutable std::array<Cached, 2> cached_{};
    mutable std::size_t oldest_ = 0;
};

/// A data set for whoever goes through its examples in order: in memory where it takes at most half
/// of the limit, else in parts. Which of the two changes no bit of what is made of its blocks.
struct OpenedDataset {
    std::vector<Index> skipped;      ///< sequences left out under InvalidExamples::skip
    std::unique_ptr<Dataset> whole;  ///< null where it is read in parts
    std::unique_ptr<const SequenceSource> sequences;
    std::unique_ptr<const MomentSource> source;
};

/// What will read the data.
enum class ReadingAs : std::uint8_t {
    parts,  ///< examples in order
    whole,  ///< all tokens at once
};

/// Opens a file or a folder of shards. Sequences that hold a NaN can be skipped in memory only.
/// Throws as load_dataset.
[[nodiscard]] OpenedDataset open_dataset(const std::string& path,
                                         InvalidExamples policy,
                                         const Layer& layer,
                                         ReadingAs as = ReadingAs::parts);

}  // namespace attest
