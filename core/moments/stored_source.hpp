#pragma once

#include "core/data/sources/moments.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace attest {

/// Another source's examples in blocks of about 1024: larger products, and the same ones whether
/// the blocks are then stored or not.
class MergedSource final : public MomentSource {
public:
    /// Owns `source`.
    explicit MergedSource(std::unique_ptr<const MomentSource> source);

    [[nodiscard]] SourceShape shape() const override { return shape_; }

    [[nodiscard]] MomentBatch block(Index b) const override;

private:
    std::unique_ptr<const MomentSource> source_;
    SourceShape shape_;
    Index merged_ = 1;  ///< blocks of the source in one of these
};

/// Another source's blocks, kept in memory: for solvers that pass over them many times.
/// 8(q + d + o) bytes an example.
class StoredSource final : public MomentSource {
public:
    StoredSource(const MomentSource& source, int threads);

    [[nodiscard]] SourceShape shape() const override { return shape_; }

    [[nodiscard]] MomentBatch block(Index b) const override { return stored_block(b); }

    /// block(b) without the copy.
    [[nodiscard]] const MomentBatch& stored_block(Index b) const;

private:
    SourceShape shape_;
    std::vector<MomentBatch> blocks_;
};

/// The examples of tokens times `factor`: S times its square. Exact for a power of two.
class ScaledSource final : public MomentSource {
public:
    /// `source` must outlive this one.
    ScaledSource(const MomentSource& source, double factor) : source_(source), factor_(factor) {}

    [[nodiscard]] SourceShape shape() const override { return source_.shape(); }

    [[nodiscard]] MomentBatch block(Index b) const override;

private:
    const MomentSource& source_;
    double factor_;
};

/// Consecutive examples laid out for ProductSumOf: products of `left` rows give s and ssᵀ, of
/// `right` rows uuᵀ and u yᵀ.
struct MomentWindow {
    Matrix left;      ///< (q + 1 + padding)×capacity: s, a row of ones, zeros
    Matrix right;     ///< (m + o)×capacity: u, y
    Index count = 0;  ///< columns that hold examples
};

/// Examples in a full window: about 4 MiB of them, a multiple of 128 between 512 and 4096.
[[nodiscard]] Index moment_window_capacity(Index q);

/// Calls consume for every window of the source in order; all but the last are full, so they do not
/// depend on the source's blocks. Fetches `threads` blocks at a time.
void for_each_window(const MomentSource& source,
                     Index padding,
                     int threads,
                     const std::function<void(const MomentWindow&)>& consume);

}  // namespace attest
