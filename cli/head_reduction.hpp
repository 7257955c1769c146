#pragma once

#include "cli/command.hpp"
#include "core/questions/reduce_heads.hpp"
#include "record/progress.hpp"

#include <limits>
#include <memory>

namespace attest::cli {

/// Adds --budget and --starts to a command.
void add_head_options(CLI::App& app, HeadRequest& request);

/// Says on standard error what a search for heads may cost before it starts, and how far it is
/// while it runs; from then on Ctrl-C ends it with the best so far. Must outlive the search.
class HeadTeller {
public:
    [[nodiscard]] HeadObserver observer();

private:
    void begin(const HeadPlan& plan);
    void start_done(const HeadSearchProgress& at);
    void count_done(const HeadCurvePoint& point);

    std::unique_ptr<Progress> progress_;
    Index best_ = std::numeric_limits<Index>::max();  ///< fewest heads found so far
};

}  // namespace attest::cli
