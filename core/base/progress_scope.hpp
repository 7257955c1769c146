#pragma once

#include "core/base/shape.hpp"

#include <mutex>
#include <string_view>

namespace attest {

/// How far one stage of a long call is: `done` of `total`, which is 0 where nobody knows.
struct StageProgress {
    std::string_view stage;  ///< a literal: "data", "rank", "columns", …; empty before the first
    Index done = 0;
    Index total = 0;
};

/// Where a call's threads note how far they are, and another thread reads it.
class ProgressBoard {
public:
    void note(const StageProgress& at) noexcept;
    [[nodiscard]] StageProgress read() const noexcept;

private:
    mutable std::mutex mutex_;
    StageProgress at_;
};

/// Within the scope, what this thread notes goes to the board; parallel_for hands it on to its
/// threads. Scopes nest; null notes nothing.
class ProgressScope {
public:
    explicit ProgressScope(ProgressBoard* board) noexcept;
    ProgressScope(const ProgressScope&) = delete;
    ProgressScope& operator=(const ProgressScope&) = delete;
    ProgressScope(ProgressScope&&) = delete;
    ProgressScope& operator=(ProgressScope&&) = delete;
    ~ProgressScope();

    /// The board of this thread's innermost scope; null outside of any.
    [[nodiscard]] static ProgressBoard* current() noexcept;

private:
    ProgressBoard* outer_;
};

/// Notes on this thread's board that so much of a stage is done; nothing without a board. Cheap
/// beside a block of data: long loops call it where they look whether to stop.
void note_progress(std::string_view stage, Index done, Index total) noexcept;

}  // namespace attest
