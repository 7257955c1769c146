#include "core/base/interrupt.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <string>
#include <system_error>
#include <utility>

namespace attest {

namespace {

// A signal handler can reach nothing but static storage. Lock-free, so it may be set from there.
constinit StopToken stop_requested;
static_assert(std::atomic<bool>::is_always_lock_free);

// Of this thread; what lies below it may be deep inside a solver that knows nothing of calls.
thread_local const StopToken* current_token = nullptr;

bool stopped() noexcept {
    return current_token != nullptr && current_token->requested();
}

[[noreturn]] void throw_interrupted(std::string_view what) {
    throw Interrupted(std::string(what) + ": interrupted");
}

extern "C" void request_stop(int /*signal*/) {
    stop_requested.request();
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
    return stop_requested.requested() || stopped();
}

void throw_if_interrupted(std::string_view what) {
    if (interrupted()) {
        throw_interrupted(what);
    }
}

void throw_if_stopped(std::string_view what) {
    if (stopped()) {
        throw_interrupted(what);
    }
}

StopScope::StopScope(const StopToken* token) noexcept
    : outer_(std::exchange(current_token, token)) {}

StopScope::~StopScope() {
    current_token = outer_;
}

const StopToken* StopScope::current() noexcept {
    return current_token;
}

const StopToken& signal_token() noexcept {
    return stop_requested;
}

void clear_interrupt() noexcept {
    stop_requested.withdraw();
}

}  // namespace attest
