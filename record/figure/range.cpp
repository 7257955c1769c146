#include "record/figure/range.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {

namespace {

constexpr double kMargin = 0.04;   // of the data's extent, on either side
constexpr double kNearZero = 0.4;  // a least value below this share of the greatest: begin at 0
constexpr double kLongestBar =
    10.0;  // on a log axis an error bar reaches at most this factor below all points
constexpr double kZeroGap = 0.08;  // of the decades shown, between the data and the edge for 0

struct Extent {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void add(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }

    [[nodiscard]] bool empty() const { return low > high; }
};

AxisRange linear_range(Extent data) {
    if (data.empty()) {
        return {};
    }
    const double extent = data.high - data.low;
    const double margin = extent > 0.0 ? kMargin * extent : std::max(1.0, std::abs(data.low)) / 2;
    return {data.low - margin, data.high + margin, false};
}

AxisRange log_range(Extent data) {
    if (data.empty()) {
        return {};
    }
    const double extent = std::log10(data.high / data.low);
    const double margin = std::pow(10.0, extent > 0.0 ? kMargin * extent : 0.5);
    return {data.low / margin, data.high * margin, false};
}

AxisRange decades(Extent data, Extent points, bool zero) {
    if (data.empty()) {
        return {.low = 0.1, .high = 1.0, .zero_at_low = zero};
    }
    double low = std::floor(std::log10(std::max(data.low, points.low / kLongestBar)));
    const double high = std::max(std::ceil(std::log10(data.high)), low + 1.0);
    if (zero) {
        low -= std::max(1.0, std::ceil(kZeroGap * (high - low)));
    }
    return {std::pow(10.0, low), std::pow(10.0, high), zero};
}

AxisRange limited(AxisRange range, const Axis& axis) {
    range.zero_at_low = range.zero_at_low && !axis.min;
    range.low = axis.min.value_or(range.low);
    range.high = axis.max.value_or(range.high);
    require(range.low < range.high,
            "figure: got an axis from {} to {}, expected low < high",
            range.low,
            range.high);
    return range;
}

void check_number(double value, const std::string& series) {
    require(std::isfinite(value),
            "figure: got {} in series {}, expected finite values",
            round_trip(value),
            series);
}

void check_axis(const Axis& axis) {
    for (const std::optional<double>& limit : {axis.min, axis.max}) {
        if (limit) {
            check_number(*limit, "limits");
            require(axis.scale == Scale::linear || *limit > 0.0,
                    "figure: got limit {} of a log axis, expected > 0",
                    *limit);
        }
    }
}

void check_panel(const Panel& panel) {
    Index points = 0;
    for (const Series& series : panel.series) {
        for (const Point& point : series.points) {
            for (const double value : {point.x, point.y, point.low, point.high}) {
                check_number(value, series.name);
            }
            require(panel.x.scale == Scale::linear || point.x > 0.0,
                    "figure: got x = {} on a log axis, expected > 0",
                    point.x);
            ++points;
        }
    }
    require(points > 0, "figure: panel \"{}\" has no points", panel.title);
    check_axis(panel.x);
    check_axis(panel.y);
    for (const Guide& guide : panel.guides) {
        check_number(guide.at, guide.label);
    }
    for (const Note& note : panel.notes) {
        check_number(note.x, note.text);
        check_number(note.y, note.text);
    }
}

}  // namespace

AxisRange x_range(const Panel& panel) {
    Extent data;
    bool counts = true;
    for (const Series& series : panel.series) {
        for (const Point& point : series.points) {
            data.add(point.x);
            counts = counts && is_zero(point.x - std::floor(point.x));
        }
    }
    const bool linear = panel.x.scale == Scale::linear;
    AxisRange range = limited(linear ? linear_range(data) : log_range(data), panel.x);
    range.counts = counts;
    return range;
}

AxisRange y_range(const Panel& panel) {
    const bool linear = panel.y.scale == Scale::linear;
    Extent data;
    Extent points;
    bool zero = false;
    const auto add = [&](double value, Extent& extent) {
        if (linear || value > 0.0) {
            extent.add(value);
        }
    };
    for (const Series& series : panel.series) {
        for (const Point& point : series.points) {
            add(point.y, points);
            for (const double value : {point.y, point.low, point.high}) {
                add(value, data);
            }
            zero = zero || point.y <= 0.0;
        }
    }
    for (const Guide& guide : panel.guides) {
        if (guide.direction == Guide::Direction::horizontal) {
            add(guide.at, points);
            add(guide.at, data);
        }
    }
    if (!linear) {
        return limited(decades(data, points, zero), panel.y);
    }
    const bool from_zero = data.low >= 0.0 && data.low < kNearZero * data.high;
    AxisRange range = linear_range(data);
    range.low = from_zero ? 0.0 : range.low;
    return limited(range, panel.y);
}

void check(const Figure& figure) {
    require(!figure.panels.empty(), "figure: got no panels, expected at least one");
    require(figure.columns > 0 && figure.panel_width > 0 && figure.panel_height > 0,
            "figure: got no room, expected positive columns, width and height");
    for (const Panel& panel : figure.panels) {
        check_panel(panel);
    }
}

}  // namespace attest
