#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace attest {

/// The data that cases of one setting share. Cases run one after the other, learner after learner
/// on the same data, so the problem drawn last is kept, and no other. The cases of an experiment
/// own it together. May be asked from several threads.
template <class Setting, class Problem>
class LastProblem {
public:
    explicit LastProblem(std::function<Problem(const Setting&)> draw) : draw_(std::move(draw)) {}

    [[nodiscard]] std::shared_ptr<const Problem> of(const Setting& setting) {
        const std::lock_guard lock(mutex_);
        if (!kept_ || !(last_ == setting)) {
            kept_ = std::make_shared<const Problem>(draw_(setting));
            last_ = setting;
        }
        return kept_;
    }

private:
    std::function<Problem(const Setting&)> draw_;
    std::mutex mutex_;
    std::optional<Setting> last_;
    std::shared_ptr<const Problem> kept_;
};

}  // namespace attest
