#pragma once

#include "core/data/moment_source.hpp"

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

}  // namespace attest
