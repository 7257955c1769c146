#pragma once

#include <mutex>
#include <optional>

namespace attest {

/// A value that is computed when it is first asked for, at most once, and then kept. Several
/// threads may ask: the others wait for the first. What throws leaves it unknown, and the next one
/// who asks tries again.
template <class Value>
class Lazy {
public:
    /// The value, by `make()` the first time.
    template <class Make>
    [[nodiscard]] const Value& get(const Make& make) {
        const std::lock_guard lock(mutex_);
        if (!value_) {
            value_.emplace(make());
        }
        return *value_;
    }

private:
    std::mutex mutex_;
    std::optional<Value> value_;
};

}  // namespace attest
