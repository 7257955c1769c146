#include "cli/mpi/measure.hpp"

#include "core/base/memory.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <ctime>
#include <numeric>
#include <vector>

namespace attest::cli {

namespace {

double cpu_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// Every rank's value, on every rank.
std::vector<double> of_ranks(const Communicator& ranks, double value) {
    std::vector<double> all(static_cast<std::size_t>(ranks.size()), 0.0);
    all[static_cast<std::size_t>(ranks.rank())] = value;
    ranks.unite(std::span<double>(all));
    return all;
}

}  // namespace

Measure::Measure() : start_(std::chrono::steady_clock::now()), cpu_(cpu_seconds()) {}

void Measure::show(const Communicator& ranks, Output& output) const {
    const double mine =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const std::vector<double> wall = of_ranks(ranks, mine);
    const std::vector<double> cpu = of_ranks(ranks, cpu_seconds() - cpu_);
    const std::vector<double> memory = of_ranks(ranks, peak_resident_bytes());
    const double slowest = *std::max_element(wall.begin(), wall.end());
    const double total = std::accumulate(cpu.begin(), cpu.end(), 0.0);
    const double most = *std::max_element(memory.begin(), memory.end());
    output.add("seconds", slowest, format_seconds(slowest));
    output.add("cpu_seconds", total, format_seconds(total) + " of all ranks");
    output.add("peak_rss_bytes", most, format_bytes(most) + " on the rank with most");
}

}  // namespace attest::cli
