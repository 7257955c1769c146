#pragma once

#include "cli/command.hpp"
#include "cli/telling.hpp"
#include "core/questions/reduce_heads.hpp"
#include "record/progress.hpp"

#include <limits>
#include <memory>
#include <optional>
#include <utility>

namespace attest::cli {

/// Adds --budget and --starts to a command.
void add_head_options(CLI::App& app, HeadRequest& request);

/// Tells what comes before a search for heads as Telling does; says what the search may cost before
/// it starts, and how far it is while it runs. From then on Ctrl-C ends it with the best so far.
/// Must outlive the search, and end before anything is printed.
class HeadTeller {
public:
    /// `what` is the command: "learn".
    explicit HeadTeller(const char* what) : before_(std::in_place, what) {}

    [[nodiscard]] HeadObserver observer();

private:
    void begin(const HeadPlan& plan);
    void start_done(const HeadSearchProgress& at);
    void count_done(const HeadCurvePoint& point);

    std::optional<Telling> before_;
    std::unique_ptr<Progress> progress_;
    Index best_ = std::numeric_limits<Index>::max();  ///< fewest heads found so far
};

}  // namespace attest::cli
