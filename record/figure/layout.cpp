#include "record/figure/layout.hpp"

#include "core/base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <string_view>
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

namespace {

// The panels' grid, and what stands above and below it.
struct Grid {
    std::size_t columns;
    double width;
    double height;
    double above;
    double below;
};

Grid grid_of(const Figure& figure) {
    const std::size_t columns =
        std::min(static_cast<std::size_t>(figure.columns), figure.panels.size());
    const std::size_t rows = (figure.panels.size() + columns - 1) / columns;
    Grid grid{.columns = columns,
              .width = static_cast<double>(figure.panel_width) * static_cast<double>(columns),
              .height = static_cast<double>(figure.panel_height) * static_cast<double>(rows),
              .above = figure.title.empty() ? 0.0 : theme::kFigureTitleHeight,
              .below = 0.0};
    if (figure.legend != Legend::none) {
        grid.below = legend_height(distinct_series(figure), grid.width - 2 * theme::kEdge);
    }
    return grid;
}

}  // namespace

std::string Layout::x(double pixels) const {
    return round_trip(pixels / width);
}

std::string Layout::y(double pixels) const {
    return round_trip(pixels / height);
}

Layout panel_layout(const Figure& figure, std::size_t number) {
    const Grid grid = grid_of(figure);
    const auto panel_width = static_cast<double>(figure.panel_width);
    const auto panel_height = static_cast<double>(figure.panel_height);
    const double left = panel_width * static_cast<double>(number % grid.columns);
    const std::size_t row = number / grid.columns;
    const double top = grid.below + grid.height - panel_height * static_cast<double>(row);
    const Panel& panel = figure.panels[number];
    Layout layout{.width = grid.width,
                  .height = grid.below + grid.height + grid.above,
                  .cell = {left, left + panel_width, top - panel_height, top},
                  .axes = {}};
    layout.axes = {left + (panel.y.is_hidden ? theme::kRightMargin : theme::kLeftMargin),
                   left + panel_width - theme::kRightMargin,
                   top - panel_height + theme::kBottomMargin,
                   top - (panel.title.empty() ? theme::kPlainTop : theme::kTitledTop)};
    if (panel.legend == Legend::right) {
        layout.axes.right -= legend_width(panel.series);
    } else if (panel.legend == Legend::below) {
        layout.axes.bottom += legend_height(panel.series, layout.axes.right - layout.axes.left);
    }
    return layout;
}

std::vector<Series> distinct_series(const Figure& figure) {
    std::vector<Series> all;
    for (const Panel& panel : figure.panels) {
        for (const Series& series : panel.series) {
            const bool known = std::any_of(all.begin(), all.end(), [&](const Series& other) {
                return other.name == series.name;
            });
            if (!known && !series.points.empty()) {
                all.push_back({series.name, {}, series.style});
            }
        }
    }
    return all;
}

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

namespace {

constexpr double kCharacterWidth = 0.6;  // of the font size

// Whether a group _{…} or ^{…} that is closed begins at this place.
bool group_begins(const std::string& text, std::size_t at) {
    return (text[at] == '_' || text[at] == '^') && at + 1 < text.size() && text[at + 1] == '{' &&
           text.find('}', at) != std::string::npos;
}

std::string escaped(char letter) {
    if (static_cast<unsigned char>(letter) < ' ') {
        return " ";
    }
    if (letter == '&') {
        return kAmpersand;
    }
    if (letter == '\'') {
        return kApostrophe;
    }
    const bool special = std::string_view("{}^_@~\\").find(letter) != std::string_view::npos;
    return special ? std::string("\\") + letter : std::string(1, letter);
}

}  // namespace

std::string gnuplot_text(const std::string& text) {
    std::string result = "'";
    bool in_group = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!in_group && group_begins(text, i)) {
            result += std::string(1, text[i]) + "{";
            in_group = true;
            ++i;
        } else if (in_group && text[i] == '}') {
            result += '}';
            in_group = false;
        } else {
            result += escaped(text[i]);
        }
    }
    return result + "'";
}

std::string plain_text(const std::string& text) {
    std::string result;
    bool in_group = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!in_group && group_begins(text, i)) {
            result += text[i];
            in_group = true;
            ++i;
        } else if (in_group && text[i] == '}') {
            in_group = false;
        } else {
            result += text[i];
        }
    }
    return result;
}

double text_width(const std::string& text, int font) {
    const std::string plain = plain_text(text);
    const auto characters = std::count_if(plain.begin(), plain.end(), [](char byte) {
        return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
    });
    return kCharacterWidth * font * static_cast<double>(characters);
}

std::string text_style(int font, const char* colour) {
    return formatted(" font ',{}' textcolor rgb '{}'", font, colour);
}

}  // namespace attest

namespace attest::theme {

namespace {

// Okabe and Ito 2008, "Color universal design", without the yellow, which white drowns.
constexpr std::array<const char*, 7> kColours{
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#333333"};

// Disc, square, triangle, reversed triangle, diamond, then their outlines.
constexpr std::array<int, 10> kMarks{7, 5, 9, 11, 13, 6, 4, 8, 10, 12};

constexpr std::array<const char*, 6> kDashes{
    "solid", "(12,4)", "(3,3)", "(10,3,2,3)", "(6,3)", "(14,3,3,3,3,3)"};

}  // namespace

Look look(std::size_t number) {
    return {kColours.at(number % kColours.size()),
            kMarks.at(number % kMarks.size()),
            kDashes.at(number % kDashes.size())};
}

std::string preamble(double width, double height) {
    return formatted(
        "set terminal svg size {},{} dynamic enhanced font 'Arial,{}' background '#ffffff'\nset "
        "encoding utf8\nset minussign\nset border 3 lc rgb '#7b8794' lw 1\nset tics nomirror out "
        "scale 0.6,0.3 textcolor rgb '#3e4c59'\nset grid xtics ytics back lt 1 dt solid lw 1 lc "
        "rgb '#e8ecf0'\nset errorbars small\n",
        width,
        height,
        kFont);
}

}  // namespace attest::theme
