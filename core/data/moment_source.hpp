#pragma once

#include "core/algebra/matrix.hpp"
#include "core/data/sequence_source.hpp"

#include <memory>

namespace attest {

/// Moments (s, u, y) of B examples, one a column. Everything a layer sees of an example.
template <class Scalar>
struct MomentBatchOf {
    MatrixOf<Scalar> S;  ///< q×B, the states; pack(Z Zᵀ) for the paper's layer
    MatrixOf<Scalar> u;  ///< m×B, the query features; the query columns for the paper's layer
    MatrixOf<Scalar> y;  ///< o×B, the labels; 0×B without labels

    [[nodiscard]] Index size() const { return u.cols(); }
};

using MomentBatch = MomentBatchOf<double>;

struct SourceShape {
    FeatureLayout layout;
    Index o = 0;  ///< 0 without labels
    Index num_examples = 0;
    Index num_blocks = 0;

    [[nodiscard]] Index q() const { return layout.q(); }

    [[nodiscard]] Index m() const { return layout.m(); }

    [[nodiscard]] Index psi() const { return layout.psi(); }
};

/// Examples as moments, in a fixed partition into blocks. `block(b)` is a pure function of b: it
/// may be called again, in any order and from several threads, and always returns the same batch.
class MomentSource {
public:
    MomentSource() = default;
    MomentSource(const MomentSource&) = delete;
    MomentSource& operator=(const MomentSource&) = delete;
    MomentSource(MomentSource&&) = delete;
    MomentSource& operator=(MomentSource&&) = delete;
    virtual ~MomentSource() = default;

    [[nodiscard]] virtual SourceShape shape() const = 0;
    [[nodiscard]] virtual MomentBatch block(Index b) const = 0;

    /// The data set whose examples these are, where its tokens are at hand; else null.
    [[nodiscard]] virtual const Dataset* dataset() const { return nullptr; }

    /// The sequences whose examples these are, at hand in parts at least; else null.
    [[nodiscard]] virtual const SequenceSource* sequences() const { return nullptr; }
};

/// Examples in a block.
inline constexpr Index kMomentBlock = 256;

/// First sequence of every block of prefixes that stay together, then their number: whole sequences
/// with at least kMomentBlock tokens in all, but for the last block.
[[nodiscard]] std::vector<Index> sequence_blocks(std::span<const Index> offsets);

/// Moments of a data set in memory by its layer, prefixes included; the data set must outlive it.
/// Blocks hold 256 examples, the last one fewer; a long sequence of prefixes spans several blocks,
/// for which pack(S) at the start of each is kept: (d+1)/512 of the tokens' memory. Prefixes of
/// other layers than the paper's stay together: blocks then hold whole sequences.
class DatasetSource final : public MomentSource {
public:
    explicit DatasetSource(const Dataset& data);

    [[nodiscard]] SourceShape shape() const override;
    [[nodiscard]] MomentBatch block(Index b) const override;

    [[nodiscard]] const Dataset* dataset() const override { return &data_; }

    [[nodiscard]] const SequenceSource* sequences() const override { return &sequences_; }

private:
    const Dataset& data_;
    SequencesInMemory sequences_;
    FeatureLayout layout_;
    Matrix carried_;  ///< q×num_blocks: pack(S) before each block's first token; prefixes of the
                      ///< paper's layer only
    std::vector<Index> starts_;  ///< first sequence of every block, then their number; prefixes of
                                 ///< other layers only
};

/// Moments of the sequences first … last−1 by the data's layer, in any scalar; doubles convert
/// exactly into Rational and the multiprecision types. Prefix data sets update S by one rank-one
/// step a token. O(T d²).
template <class Scalar>
[[nodiscard]] MomentBatchOf<Scalar> sequence_moments(const Dataset& data, Index first, Index last);

/// Moments by the paper's layer of the prefixes that end at tokens first … last−1, given s =
/// pack(S) of the tokens before `first` in its sequence; s is zero when a sequence starts there.
/// O((last−first) d²).
template <class Scalar>
[[nodiscard]] MomentBatchOf<Scalar> prefix_moments(const Dataset& data,
                                                   VectorOf<Scalar> s,
                                                   Index first,
                                                   Index last);

extern template MomentBatch sequence_moments<double>(const Dataset&, Index, Index);
extern template MomentBatch prefix_moments<double>(const Dataset&, Vector, Index, Index);

/// All blocks of a source side by side, in order. For small problems and tests. Throws
/// EnvironmentFailure when they do not fit in memory.
[[nodiscard]] MomentBatch collect(const MomentSource& source);

}  // namespace attest

#include "core/data/moment_source_impl.hpp"
