#include "core/base/interrupt.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <string>
#include <system_error>

namespace attest {

namespace {

// A signal handler can reach nothing but static storage. Lock-free, so it may be set from there.
std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void request_stop(int /*signal*/) {
    stop_requested.store(true);
}

void install(int signal) {
    struct sigaction action {};

    action.sa_handler = request_stop;
    // One shot: the second signal meets the default action, for a loop that does not poll.
    action.sa_flags = static_cast<int>(SA_RESETHAND | static_cast<unsigned>(SA_RESTART));
    sigemptyset(&action.sa_mask);
    if (sigaction(signal, &action, nullptr) != 0) {
        throw EnvironmentFailure("install_interrupt_handlers: got " +
                                 std::system_category().message(errno) +
                                 ", expected to handle signal " + std::to_string(signal));
    }
}

}  // namespace

void install_interrupt_handlers() {
    install(SIGINT);
    install(SIGTERM);
}

bool interrupted() noexcept {
    return stop_requested.load(std::memory_order_relaxed);
}

void throw_if_interrupted(std::string_view what) {
    if (interrupted()) {
        throw Interrupted(std::string(what) + ": interrupted");
    }
}

void clear_interrupt() noexcept {
    stop_requested.store(false);
}

}  // namespace attest
