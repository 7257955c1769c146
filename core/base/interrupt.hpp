#pragma once

#include "core/base/error.hpp"

#include <atomic>
#include <string_view>

namespace attest {

/// Asks the one call that holds it to stop, from any thread; other calls go on. It must outlive
/// them.
class StopToken {
public:
    void request() noexcept { requested_.store(true, std::memory_order_relaxed); }

    void withdraw() noexcept { requested_.store(false, std::memory_order_relaxed); }

    [[nodiscard]] bool requested() const noexcept {
        return requested_.load(std::memory_order_relaxed);
    }

private:
    std::atomic<bool> requested_{false};
};

/// Within the scope, work of this thread stops when the token asks: `interrupted()` says so and
/// `throw_if_stopped` throws. parallel_for hands the token on to its threads. Scopes nest; null
/// shields from the outer token.
class StopScope {
public:
    explicit StopScope(const StopToken* token) noexcept;
    StopScope(const StopScope&) = delete;
    StopScope& operator=(const StopScope&) = delete;
    StopScope(StopScope&&) = delete;
    StopScope& operator=(StopScope&&) = delete;
    ~StopScope();

    /// The token of this thread's innermost scope; null outside of any.
    [[nodiscard]] static const StopToken* current() noexcept;

private:
    const StopToken* outer_;
};

/// Throws Interrupted("what: interrupted") when the token of this thread's scope asks to stop. The
/// flag of a signal alone, see interrupt.hpp, does not count, unless the scope is of
/// `signal_token()`: commands that keep the best so far poll it where they can. Cheap: long loops
/// that return nothing partial call it.
void throw_if_stopped(std::string_view what);

/// Thrown where work stops because the user asked for it. Programs exit with 130.
class Interrupted : public Error {
public:
    using Error::Error;
};

/// From now on the first SIGINT or SIGTERM only raises the flag that `interrupted()` reads; a
/// second one of the same kind ends the process as it would by default. Throws EnvironmentFailure.
void install_interrupt_handlers();

/// Whether the user asked to stop. Cheap: long loops poll it, from any thread.
[[nodiscard]] bool interrupted() noexcept;

/// Throws Interrupted("what: interrupted") once the user asked to stop.
void throw_if_interrupted(std::string_view what);

/// What those signals ask to stop, for a StopScope around work that keeps nothing when it is
/// stopped.
[[nodiscard]] const StopToken& signal_token() noexcept;

/// Lowers the flag again, for a program that goes on with other work after an interrupt.
void clear_interrupt() noexcept;

}  // namespace attest
