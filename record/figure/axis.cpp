#include "record/figure/axis.hpp"

#include "core/base/text.hpp"
#include "record/figure/text.hpp"

#include <cmath>
#include <sstream>
#include <vector>

namespace attest {

namespace {

constexpr double kFewDecades = 1.5;   // a log axis this short is labelled 1, 2, 5, 10 …
constexpr double kManyDecades = 6.0;  // one this long has no minor ticks
constexpr double kFewCounts = 10.0;   // a linear axis of counts this short has a tick for each

std::vector<double> chosen_ticks(const Axis& axis, const AxisRange& range) {
    std::vector<double> ticks = axis.ticks;
    if (!ticks.empty() || axis.scale == Scale::linear ||
        std::log10(range.high / range.low) > kFewDecades) {
        return ticks;
    }
    const auto last = static_cast<int>(std::floor(std::log10(range.high)));
    for (auto decade = static_cast<int>(std::floor(std::log10(range.low))); decade <= last;
         ++decade) {
        for (const double step : {1.0, 2.0, 5.0}) {
            ticks.push_back(step * std::pow(10.0, decade));
        }
    }
    return ticks;
}

std::string tick_commands(const std::string& name, const Axis& axis, const AxisRange& range) {
    const bool log = axis.scale == Scale::log10;
    const bool many = log && std::log10(range.high / range.low) > kManyDecades;
    const bool each = range.counts && !log && range.high - range.low < kFewCounts;
    std::string text = "set " + name + (each ? "tics nomirror 1\n" : "tics nomirror autofreq\n");
    text += (many ? "unset m" : "set m") + name + "tics" + (log ? "\n" : " 1\n");
    const std::vector<double> ticks = chosen_ticks(axis, range);
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        std::ostringstream shown;
        shown << ticks[i];
        text += (i == 0 ? "set " + name + "tics (" : ", ") + gnuplot_text(shown.str()) + " " +
                round_trip(ticks[i]) + (i + 1 == ticks.size() ? ")\n" : "");
    }
    if (range.zero_at_low) {
        text += "set " + name + "tics add ('≤ 0' " + round_trip(range.low) + ")\n";
    }
    return text;
}

}  // namespace

std::string axis_commands(const std::string& name, const Axis& axis, const AxisRange& range) {
    const bool log = axis.scale == Scale::log10;
    return (log ? "set logscale " + name + " 10\n" : "unset logscale " + name + "\n") +
           "set format " + name + (log ? " '10^{%L}'\n" : " '%h'\n") + "set " + name + "range [" +
           round_trip(range.low) + ":" + round_trip(range.high) + "]\n" +
           (axis.is_hidden ? "unset " + name + "tics\nunset m" + name + "tics\n"
                           : tick_commands(name, axis, range));
}

}  // namespace attest
