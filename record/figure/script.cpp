#include "record/figure/script.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "record/figure/figure.hpp"
#include "record/figure/layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {

namespace {

// Names in order of first appearance: the position decides colour, mark and dash.
using Names = std::vector<Series>;

std::size_t position(const Names& names, const std::string& name) {
    std::size_t i = 0;
    while (names[i].name != name) {
        ++i;
    }
    return i;
}

std::string label(const std::string& text,
                  const std::string& place,
                  int font,
                  const char* colour = theme::kTextColour) {
    return "set label " + gnuplot_text(text) + " at " + place + text_style(font, colour) + "\n";
}

std::string inside_legend(const std::string& corner) {
    return "set key inside " + corner + " vertical opaque Left reverse samplen 2.6 spacing 1.25" +
           text_style(theme::kLegendFont, theme::kTextColour) + "\n";
}

std::string legend_commands(const Panel& panel, const Layout& layout, const Names& names) {
    std::vector<LegendEntry> entries;
    for (const Series& series : panel.series) {
        if (!series.points.empty()) {
            entries.push_back({series, position(names, series.name)});
        }
    }
    const Frame& axes = layout.axes;
    switch (panel.legend) {
        case Legend::right:
            return "set key off\n" + legend_column(entries, layout, axes.right, axes.top);
        case Legend::below:
            return "set key off\n" + legend_rows(entries,
                                                 layout,
                                                 {.left = axes.left,
                                                  .right = axes.right,
                                                  .bottom = layout.cell.bottom,
                                                  .top = axes.bottom - theme::kBottomMargin});
        case Legend::top_left:
            return inside_legend("top left");
        case Legend::top_right:
            return inside_legend("top right");
        case Legend::bottom_left:
            return inside_legend("bottom left");
        case Legend::bottom_right:
            return inside_legend("bottom right");
        case Legend::none:
            break;
    }
    return "set key off\n";
}

std::string guide_commands(const Panel& panel) {
    std::string text;
    for (const Guide& guide : panel.guides) {
        const std::string at = round_trip(guide.at);
        const bool flat = guide.direction == Guide::Direction::horizontal;
        text += flat ? formatted("set arrow from graph 0, first {} to graph 1, first {}", at, at)
                     : formatted("set arrow from first {}, graph 0 to first {}, graph 1", at, at);
        text += formatted(" nohead back lw 1.2 dt (6,4) lc rgb '{}'\n", theme::kGuideColour);
        if (!guide.label.empty()) {
            text += label(guide.label,
                          flat ? "graph 0.99, first " + at + " right offset 0,0.6"
                               : "first " + at + ", graph 0.96 left offset 0.6,0",
                          theme::kLegendFont,
                          theme::kGuideColour);
        }
    }
    return text;
}

std::string note_commands(const Panel& panel) {
    std::string text;
    for (const Note& note : panel.notes) {
        text += label(
            note.text,
            "first " + round_trip(note.x) + ", first " + round_trip(note.y) + " left offset 0,0.6",
            theme::kLegendFont,
            theme::kTextColour);
    }
    return text;
}

// Columns x, y, low, high; what a log axis cannot show is moved to its lower edge.
std::string data_block(const std::string& name,
                       const Series& series,
                       const AxisRange& y,
                       bool log) {
    const auto placed = [&](double value) {
        return " " + round_trip(log && value < y.low ? y.low : value);
    };
    std::string text = name + " << EOD\n";
    for (const Point& point : series.points) {
        text +=
            round_trip(point.x) + placed(point.y) + placed(point.low) + placed(point.high) + "\n";
    }
    return text + "EOD\n";
}

std::string plot_element(const std::string& block, const Series& series, std::size_t number) {
    const theme::Look look = theme::look(number);
    const std::string colour = formatted(" lc rgb '{}'", look.colour);
    const std::string line = formatted("{} lw {} dt {}", colour, theme::kCurveWidth, look.dash);
    const std::string mark = formatted(" pt {} ps {}", look.mark, theme::kMarkSize);
    const std::string title = " title " + gnuplot_text(series.name);
    if (series.style == SeriesStyle::band) {
        return formatted(
            "{} using 1:3:4 with filledcurves{} fs transparent solid {} noborder notitle, {} using "
            "1:2 with lines{}{}",
            block,
            colour,
            theme::kBandOpacity,
            block,
            line,
            title);
    }
    const bool marked = series.style != SeriesStyle::line;
    const std::string bars =
        formatted("{} using 1:2:3:4 with yerrorbars{} lw {} dt solid{} notitle, ",
                  block,
                  colour,
                  theme::kBarWidth,
                  marked ? mark : " pt 0");
    const std::string curve = bars + block + " using 1:2 with ";
    switch (series.style) {
        case SeriesStyle::points:
            return curve + "points" + colour + mark + title;
        case SeriesStyle::line:
            return curve + "lines" + line + title;
        case SeriesStyle::band:
        case SeriesStyle::line_points:
            break;
    }
    return curve + "linespoints" + line + mark + title;
}

std::string frame_commands(const Frame& frame, const Layout& layout) {
    return "unset label\nunset arrow\nset lmargin at screen " + layout.x(frame.left) +
           "\nset rmargin at screen " + layout.x(frame.right) + "\nset bmargin at screen " +
           layout.y(frame.bottom) + "\nset tmargin at screen " + layout.y(frame.top) + "\n";
}

std::string caption_commands(const Panel& panel, const Layout& layout) {
    const Frame& axes = layout.axes;
    return label(panel.title,
                 "screen " + layout.x(axes.left) + ", screen " +
                     layout.y(axes.top + theme::kTitleGap) + " left",
                 theme::kPanelTitleFont) +
           label(panel.x.label,
                 "screen " + layout.x((axes.left + axes.right) / 2) + ", screen " +
                     layout.y(axes.bottom - theme::kXLabelGap) + " center",
                 theme::kLabelFont) +
           label(panel.y.label,
                 "screen " + layout.x(axes.left - theme::kYLabelGap) + ", screen " +
                     layout.y((axes.bottom + axes.top) / 2) + " center rotate by 90",
                 theme::kLabelFont);
}

std::string panel_commands(const Figure& figure, std::size_t number, const Names& names) {
    const Panel& panel = figure.panels[number];
    const AxisRange y = y_range(panel);
    std::string data;
    std::string plot;
    for (std::size_t i = 0; i < panel.series.size(); ++i) {
        const Series& series = panel.series[i];
        if (!series.points.empty()) {
            const std::string block = formatted("$data{}_{}", number, i);
            data += data_block(block, series, y, panel.y.scale == Scale::log10);
            plot += (plot.empty() ? "plot " : ", ") +
                    plot_element(block, series, position(names, series.name));
        }
    }
    const Layout layout = panel_layout(figure, number);
    return data + frame_commands(layout.axes, layout) + caption_commands(panel, layout) +
           axis_commands("x", panel.x, x_range(panel)) + axis_commands("y", panel.y, y) +
           guide_commands(panel) + note_commands(panel) + legend_commands(panel, layout, names) +
           plot + "\n";
}

// The title above all panels and the legend below them: an empty plot that covers the figure.
std::string surroundings(const Figure& figure, const Names& names) {
    const Layout layout = panel_layout(figure, 0);
    std::string text = "reset\n" + frame_commands({0.0, layout.width, 0.0, layout.height}, layout) +
                       "unset border\nunset tics\nset key off\n";
    if (!figure.title.empty()) {
        text += label(figure.title,
                      "screen " + layout.x(theme::kEdge) + ", screen " +
                          layout.y(layout.height - theme::kFigureTitleHeight / 2) + " left",
                      theme::kFigureTitleFont);
    }
    if (figure.legend != Legend::none) {
        std::vector<LegendEntry> entries;
        for (std::size_t i = 0; i < names.size(); ++i) {
            entries.push_back({names[i], i});
        }
        const double width = layout.width - 2 * theme::kEdge;
        text += legend_rows(entries,
                            layout,
                            {.left = theme::kEdge,
                             .right = layout.width - theme::kEdge,
                             .bottom = 0.0,
                             .top = legend_height(names, width)});
    }
    return text + "plot [0:1] [0:1] NaN notitle\n";
}

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

std::string figure_script(const Figure& figure) {
    check(figure);
    const Layout whole = panel_layout(figure, 0);
    std::string text = theme::preamble(whole.width, whole.height) + "set multiplot\n";
    const Names names = distinct_series(figure);
    for (std::size_t number = 0; number < figure.panels.size(); ++number) {
        text += panel_commands(figure, number, names);
    }
    return text + surroundings(figure, names) + "unset multiplot\n";
}

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
