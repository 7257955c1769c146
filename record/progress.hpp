#pragma once

#include "core/base/shape.hpp"

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

namespace attest {

enum class ProgressMode : std::uint8_t {
    automatic,  ///< a bar when standard error is a terminal, else lines
    bar,        ///< one line that rewrites itself
    lines,  ///< whole lines, for logs: at most one in 5 s, one per 10 % or per minute, and the last
    quiet,  ///< nothing but messages
};

struct ProgressOptions {
    ProgressMode mode = ProgressMode::automatic;
    std::ostream* out = nullptr;              ///< null: standard error
    std::function<double()> clock = nullptr;  ///< seconds; null: a steady clock
};

/// Tells on standard error how far a run is and when it will be done: "fig2 12/40 30 % · 3.2 s ·
/// about 7.5 s left · ridge". Thread safe. The bar is wiped by `message` before it prints and by
/// the destructor.
class Progress {
public:
    /// `total` steps are to be done.
    Progress(std::string title, Index total, const ProgressOptions& options = {});
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    Progress(Progress&&) = delete;
    Progress& operator=(Progress&&) = delete;
    ~Progress();

    /// Names the step now under way.
    void begin(std::string_view step);
    /// One step is done.
    void advance();
    /// A line for people that stays, in every mode.
    void message(std::string_view text);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace attest
