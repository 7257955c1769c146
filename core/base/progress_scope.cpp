#include "core/base/progress_scope.hpp"

#include <utility>

namespace attest {

namespace {

thread_local ProgressBoard* current_board = nullptr;

}  // namespace

void ProgressBoard::note(const StageProgress& at) noexcept {
    const std::lock_guard lock(mutex_);
    at_ = at;
}

StageProgress ProgressBoard::read() const noexcept {
    const std::lock_guard lock(mutex_);
    return at_;
}

ProgressScope::ProgressScope(ProgressBoard* board) noexcept
    : outer_(std::exchange(current_board, board)) {}

ProgressScope::~ProgressScope() {
    current_board = outer_;
}

ProgressBoard* ProgressScope::current() noexcept {
    return current_board;
}

void note_progress(std::string_view stage, Index done, Index total) noexcept {
    if (current_board != nullptr) {
        current_board->note({stage, done, total});
    }
}

}  // namespace attest
