#include "record/progress.hpp"

#include "core/base/text.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <mutex>
#include <utility>

namespace attest {

namespace {

constexpr double kLineSpacing = 5.0;  // seconds between two lines, at least
constexpr double kSilence = 60.0;     // seconds after which a line is due whatever was done
constexpr double kLineShare = 0.1;    // of all steps: a line is due
constexpr double kBarSpacing = 0.1;   // seconds between two drawings of the bar
constexpr Index kBarCells = 20;
constexpr std::size_t kColumns = 79;
constexpr const char* kWipe = "\r\x1b[K";

double steady_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

ProgressMode resolved(ProgressMode mode) {
    if (mode != ProgressMode::automatic) {
        return mode;
    }
    return isatty(STDERR_FILENO) == 1 ? ProgressMode::bar : ProgressMode::lines;
}

// The first columns of UTF-8 text; a character is never cut.
std::string shortened(const std::string& text, std::size_t columns) {
    std::size_t used = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool starts = (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U;
        if (starts && used++ == columns) {
            return text.substr(0, i);
        }
    }
    return text;
}

}  // namespace

struct Progress::State {
    std::string title;
    Index total;
    ProgressMode mode;
    std::ostream& out;
    std::function<double()> clock;
    double started;
    std::mutex mutex = {};
    Index done = 0;
    std::string step = {};
    double shown_at = started;
    Index shown_done = 0;

    [[nodiscard]] std::string status(double now) const {
        const double elapsed = now - started;
        const Index percent = total == 0 ? 100 : 100 * done / total;
        std::string text =
            formatted("{}/{} {} % · {}", done, total, percent, format_seconds(elapsed));
        if (done > 0 && done < total) {
            const double per_step = elapsed / static_cast<double>(done);
            text += " · about " + format_seconds(per_step * static_cast<double>(total - done)) +
                    " left";
        }
        return step.empty() ? text : text + " · " + step;
    }

    [[nodiscard]] std::string bar() const {
        const Index full = total == 0 ? kBarCells : kBarCells * done / total;
        std::string cells;
        for (Index i = 0; i < kBarCells; ++i) {
            cells += i < full ? "█" : "░";
        }
        return cells;
    }

    [[nodiscard]] bool line_is_due(double now) const {
        const double waited = now - shown_at;
        const auto steps = static_cast<double>(done - shown_done);
        return waited >= kLineSpacing &&
               (waited >= kSilence || steps >= kLineShare * static_cast<double>(total));
    }

    void draw_bar(double now) {
        out << kWipe << shortened(title + " " + bar() + " " + status(now), kColumns) << std::flush;
    }

    // Called with the mutex held.
    void show() {
        const double now = clock();
        const bool last = done == total;
        const bool due =
            mode == ProgressMode::bar ? now - shown_at >= kBarSpacing : line_is_due(now);
        if (mode == ProgressMode::quiet || (!due && !last)) {
            return;
        }
        if (mode == ProgressMode::bar) {
            draw_bar(now);
        } else {
            out << title << " " << status(now) << std::endl;
        }
        shown_at = now;
        shown_done = done;
    }
};

Progress::Progress(std::string title, Index total, const ProgressOptions& options) {
    std::function<double()> clock = options.clock ? options.clock : steady_seconds;
    const double now = clock();
    // NOLINTNEXTLINE(modernize-make-unique): an aggregate, which is not moved either
    state_.reset(new State{.title = std::move(title),
                           .total = total,
                           .mode = resolved(options.mode),
                           .out = options.out == nullptr ? std::cerr : *options.out,
                           .clock = std::move(clock),
                           .started = now});
}

Progress::~Progress() {
    if (state_->mode == ProgressMode::bar) {
        state_->out << kWipe << std::flush;
    }
}

void Progress::begin(std::string_view step) {
    const std::lock_guard lock(state_->mutex);
    state_->step = step;
    if (state_->mode == ProgressMode::bar) {
        state_->draw_bar(state_->clock());
    }
}

void Progress::advance() {
    const std::lock_guard lock(state_->mutex);
    state_->done = std::min(state_->done + 1, state_->total);
    state_->step.clear();
    state_->show();
}

void Progress::message(std::string_view text) {
    const std::lock_guard lock(state_->mutex);
    if (state_->mode == ProgressMode::bar) {
        state_->out << kWipe;
    }
    state_->out << text << std::endl;
}

}  // namespace attest
