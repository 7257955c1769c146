#pragma once

#include "core/data/dataset.hpp"
#include "core/data/moment_source.hpp"

#include <string>

namespace attest {

/// One drawn sequence with its labels: Z is d×n; y is o×1 (per_sequence) or o×n (per_prefix).
struct Sequence {
    Matrix Z;
    Matrix y;
};

/// What a task promises about its data.
struct TaskTraits {
    Index d = 0;
    Index o = 0;
    LabelKind labels = LabelKind::per_sequence;
    bool realisable = true;  ///< labels are MHLA_Θ of the truth, up to rounding
    bool bitwise = true;  ///< inputs lie on a dyadic grid: their cubic features are exact in double
    Index max_length = 0;  ///< the longest sequence drawn
};

/// A generator of sequences with its ground truth. `draw(i)` is a pure function of i: independent
/// of order, of the number of sequences and of threads.
class Task {
public:
    Task() = default;
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;
    Task(Task&&) = delete;
    Task& operator=(Task&&) = delete;
    virtual ~Task() = default;

    [[nodiscard]] virtual TaskTraits traits() const = 0;
    [[nodiscard]] virtual Sequence draw(Index i) const = 0;
    [[nodiscard]] virtual GroundTruth truth() const = 0;
};

/// Sequences first … first+count−1 of the task in memory, with truth and meta. Bit-identical for
/// any `threads`.
[[nodiscard]] Dataset materialise(const Task& task, Index first, Index count, int threads);

/// The same examples as moments, drawn when asked for: never more than one block in memory. The
/// task must outlive it.
class TaskSource final : public MomentSource {
public:
    TaskSource(const Task& task, Index first, Index count);

    [[nodiscard]] SourceShape shape() const override;
    [[nodiscard]] MomentBatch block(Index b) const override;

private:
    const Task& task_;
    TaskTraits traits_;
    Index first_;
    Index count_;
};

}  // namespace attest
