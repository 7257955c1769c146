#include "cli/telling.hpp"

#include "core/base/text.hpp"

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <iostream>

namespace attest::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kRedraw = 0.5;

}  // namespace

std::string progress_words(const StageProgress& at, double seconds) {
    std::string time = formatted("{} s", std::lround(seconds));
    if (at.stage.empty()) {
        return time;
    }
    return at.total > 0 ? formatted("{} {} of {}, {}", at.stage, at.done, at.total, time)
                        : formatted("{} {}, {}", at.stage, at.done, time);
}

void tell_beforehand(const char* what, double seconds, const std::string& in_words) {
    if (seconds > kQuietSeconds) {
        std::cerr << "attest " << what << ": " << in_words << '\n';
    }
}

void tell_beforehand(const char* what, double seconds) {
    tell_beforehand(what, seconds, formatted("about {}", format_seconds(seconds)));
}

void tell_drawing(const char* what, double seconds) {
    tell_beforehand(
        what,
        seconds,
        formatted("about {} to draw, then the file is written", format_seconds(seconds)));
}

Telling::Telling(std::string what)
    : what_(std::move(what)), scope_(&board_), stop_(&signal_token()), teller_([this] { tell(); }) {
    install_interrupt_handlers();
}

Telling::~Telling() {
    {
        const std::lock_guard lock(mutex_);
        done_ = true;
    }
    wake_.notify_all();
    teller_.join();
}

void Telling::tell() {
    const bool terminal = isatty(STDERR_FILENO) != 0;
    const Clock::time_point start = Clock::now();
    double next = kQuietSeconds;
    bool drawn = false;
    int asked = 0;  // looks since the user asked to stop
    std::unique_lock lock(mutex_);
    while (
        !wake_.wait_for(lock, std::chrono::duration<double>(kRedraw), [this] { return done_; })) {
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        if (interrupted()) {
            if (++asked == 2) {
                std::cerr << (drawn && terminal ? "\r\033[K" : "") << "attest " << what_
                          << ": stops after this step; Ctrl-C again ends it at once\n";
                drawn = false;
            }
            continue;
        }
        if (seconds < next) {
            continue;
        }
        const std::string line =
            formatted("attest {}: {}", what_, progress_words(board_.read(), seconds));
        std::cerr << (terminal ? "\r\033[K" + line : line + "\n") << std::flush;
        drawn = true;
        next = terminal ? seconds + kRedraw : 2.0 * next;
    }
    if (drawn && terminal) {
        std::cerr << "\r\033[K" << std::flush;
    }
}

}  // namespace attest::cli
