#pragma once

#include "core/base/timer.hpp"
#include "core/questions/output.hpp"
#include "distributed/communicator.hpp"

namespace attest::cli {

/// Time and memory of all ranks from its construction on.
class Measure {
public:
    Measure();

    /// Adds seconds (the slowest rank's), cpu_seconds (of all ranks) and peak_rss_bytes (of the
    /// rank with most); collective.
    void show(const Communicator& ranks, Output& output) const;

private:
    Timer timer_;
    double cpu_;
};

}  // namespace attest::cli
