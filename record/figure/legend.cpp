#include "record/figure/legend.hpp"

#include "core/base/text.hpp"
#include "record/figure/text.hpp"
#include "record/figure/theme.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

namespace {

constexpr double kSample = 38.0;  // length of the line
constexpr double kTextAt = 46.0;
constexpr double kBetween = 26.0;  // after a text, before the next column
constexpr double kLine = 23.0;     // from one entry to the next below it
constexpr double kGap = 16.0;      // between the axes and a legend

double entry_width(const std::vector<Series>& series) {
    double widest = 0.0;
    for (const Series& one : series) {
        widest = std::max(widest, text_width(one.name, theme::kLegendFont));
    }
    return kTextAt + widest + kBetween;
}

// Rows, and then no more columns than these rows need.
struct Arrangement {
    std::size_t rows;
    std::size_t columns;
};

Arrangement arrangement(std::size_t count, double entry, double available_width) {
    const double fitting = std::max(1.0, std::floor((available_width + kBetween) / entry));
    const auto most = static_cast<std::size_t>(fitting);
    const std::size_t rows = (count + most - 1) / most;
    return {rows, rows == 0 ? 0 : (count + rows - 1) / rows};
}

std::string entry_commands(const LegendEntry& entry, const Layout& layout, double x, double y) {
    const theme::Look look = theme::look(entry.look);
    const std::string height = ", screen " + layout.y(y);
    std::string text;
    if (entry.series.style != SeriesStyle::points) {
        text +=
            formatted("set arrow from screen {}{} to screen {}{} nohead lw {} dt {} lc rgb '{}'\n",
                      layout.x(x),
                      height,
                      layout.x(x + kSample),
                      height,
                      theme::kCurveWidth,
                      look.dash,
                      look.colour);
    }
    if (entry.series.style == SeriesStyle::points ||
        entry.series.style == SeriesStyle::line_points) {
        text += formatted("set label '' at screen {}{} point pt {} ps {} lc rgb '{}'\n",
                          layout.x(x + kSample / 2),
                          height,
                          look.mark,
                          theme::kMarkSize,
                          look.colour);
    }
    return text + "set label " + gnuplot_text(entry.series.name) + " at screen " +
           layout.x(x + kTextAt) + height + " left" +
           text_style(theme::kLegendFont, theme::kTextColour) + "\n";
}

}  // namespace

double legend_width(const std::vector<Series>& series) {
    return entry_width(series) - kBetween + kGap;
}

double legend_height(const std::vector<Series>& series, double available_width) {
    const Arrangement grid = arrangement(series.size(), entry_width(series), available_width);
    return kLine * static_cast<double>(grid.rows) + kGap;
}

std::string legend_column(const std::vector<LegendEntry>& entries,
                          const Layout& layout,
                          double left,
                          double top) {
    std::string text;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const double y = top - kLine * (static_cast<double>(i) + 0.5);
        text += entry_commands(entries[i], layout, left + kGap, y);
    }
    return text;
}

std::string legend_rows(const std::vector<LegendEntry>& entries,
                        const Layout& layout,
                        const Frame& frame) {
    std::vector<Series> series;
    series.reserve(entries.size());
    for (const LegendEntry& entry : entries) {
        series.push_back(entry.series);
    }
    const double width = entry_width(series);
    const Arrangement grid = arrangement(entries.size(), width, frame.right - frame.left);
    const double used = width * static_cast<double>(grid.columns) - kBetween;
    const double left = (frame.left + frame.right - used) / 2;
    std::string text;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const double x = left + width * static_cast<double>(i % grid.columns);
        const std::size_t row = i / grid.columns;
        const double y = frame.top - kLine * (static_cast<double>(row) + 0.5);
        text += entry_commands(entries[i], layout, x, y);
    }
    return text;
}

}  // namespace attest
