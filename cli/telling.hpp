#pragma once

#include "core/base/interrupt.hpp"
#include "core/base/progress_scope.hpp"

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace attest::cli {

/// Seconds without a word: nobody minds them.
inline constexpr double kQuietSeconds = 2.0;

/// What a command that was interrupted says.
inline constexpr const char* kStopped = "interrupted; no answer was written";

/// Tells on standard error how far this thread's work is, from kQuietSeconds on: "attest audit:
/// rank 1200 of 3000, 14 s". On a terminal one line that is wiped at the end, else a line after 2,
/// 4, 8, … seconds. Work that is quicker prints nothing. From then on Ctrl-C asks this thread's
/// work to stop where it can; a second one ends the process at once.
class Telling {
public:
    /// `what` is the command: "audit".
    explicit Telling(std::string what);
    Telling(const Telling&) = delete;
    Telling& operator=(const Telling&) = delete;
    Telling(Telling&&) = delete;
    Telling& operator=(Telling&&) = delete;
    ~Telling();

private:
    void tell();

    std::string what_;
    ProgressBoard board_;
    ProgressScope scope_;
    StopScope stop_;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool done_ = false;
    std::thread teller_;
};

/// What the work gives, told as by Telling. Throws Interrupted, with kStopped, where the user asked
/// to stop it.
template <class Work>
[[nodiscard]] auto told(const char* what, const Work& work) {
    try {
        const Telling telling(what);
        auto found = work();
        throw_if_interrupted(what);
        return found;
    } catch (const Interrupted&) {
        throw Interrupted(kStopped);
    }
}

/// Says on standard error what work is estimated to take before it starts, where that is more than
/// kQuietSeconds: "attest certify: at most about 40 s: rank 8 s, singular values 31 s".
void tell_beforehand(const char* what, double seconds, const std::string& in_words);

/// The same in the words "about 40 s".
void tell_beforehand(const char* what, double seconds);

/// Of sequences that are drawn for a file: "about 40 s to draw, then the file is written".
void tell_drawing(const char* what, double seconds);

/// "rank 1200 of 3000, 14 s"; "14 s" before the first stage.
[[nodiscard]] std::string progress_words(const StageProgress& at, double seconds);

}  // namespace attest::cli
