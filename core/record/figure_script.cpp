#include "core/base/text.hpp"
#include "core/record/figure.hpp"
#include "core/record/figure_layout.hpp"
#include "core/record/figure_range.hpp"
#include "core/record/figure_theme.hpp"

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

// A gnuplot string in which nothing has a meaning.
std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char letter : text) {
        if (letter == '\'') {
            result += "''";
        } else {
            result += letter == '\n' || letter == '\r' ? ' ' : letter;
        }
    }
    return result + "'";
}

std::string text_style(int font, const char* colour) {
    return concat(" noenhanced font ',", font, "' textcolor rgb '", colour, "'\n");
}

std::string key_style() {
    return " Left reverse samplen 2.4 spacing 1.25" +
           text_style(theme::kLegendFont, theme::kTextColour);
}

std::string legend_commands(const Panel& panel, const Layout& layout) {
    switch (panel.legend) {
        case Legend::none:
            return "set key off\n";
        case Legend::right:
            return "set key at screen " + layout.x(layout.axes.right + theme::kLegendGap) +
                   ", screen " + layout.y(layout.axes.top) + " left top vertical" + key_style();
        case Legend::below:
            return "set key at screen " + layout.x((layout.axes.left + layout.axes.right) / 2) +
                   ", screen " + layout.y(layout.cell.bottom + theme::kLegendGap) +
                   " center bottom horizontal" + key_style();
        case Legend::top_left:
            return "set key inside top left vertical opaque" + key_style();
        case Legend::top_right:
            return "set key inside top right vertical opaque" + key_style();
        case Legend::bottom_left:
            return "set key inside bottom left vertical opaque" + key_style();
        case Legend::bottom_right:
            break;
    }
    return "set key inside bottom right vertical opaque" + key_style();
}

std::string axis_commands(const std::string& name, const Axis& axis, const AxisRange& range) {
    std::string text = "set " + name + "label " + quoted(axis.label) + " noenhanced\n";
    const bool log = axis.scale == Scale::log10;
    text += log ? "set logscale " + name + " 10\n" : "unset logscale " + name + "\n";
    text += "set format " + name + (log ? " '10^{%L}'\n" : " '%h'\n");
    text +=
        "set " + name + "range [" + round_trip(range.low) + ":" + round_trip(range.high) + "]\n";
    if (!axis.ticks.empty()) {
        text += "set " + name + "tics (";
        for (std::size_t i = 0; i < axis.ticks.size(); ++i) {
            const std::string tick = round_trip(axis.ticks[i]);
            text += (i == 0 ? "" : ", ") + quoted(tick) + " " + tick;
        }
        text += ")\n";
    } else {
        text += "set " + name + "tics autofreq\n";
    }
    if (range.zero_at_low) {
        text += "set " + name + "tics add ('≤ 0' " + round_trip(range.low) + ")\n";
    }
    return text;
}

std::string guide_commands(const Panel& panel) {
    std::string text;
    for (const Guide& guide : panel.guides) {
        const std::string at = round_trip(guide.at);
        const bool flat = guide.direction == Guide::Direction::horizontal;
        text += flat ? "set arrow from graph 0, first " + at + " to graph 1, first " + at
                     : "set arrow from first " + at + ", graph 0 to first " + at + ", graph 1";
        text += concat(" nohead back lw 1.2 dt (6,4) lc rgb '", theme::kGuideColour, "'\n");
        if (!guide.label.empty()) {
            text += "set label " + quoted(guide.label) +
                    (flat ? " at graph 0.99, first " + at + " right offset 0,0.6"
                          : " at first " + at + ", graph 0.96 left offset 0.6,0") +
                    text_style(theme::kLegendFont, theme::kGuideColour);
        }
    }
    return text;
}

// Columns x, y, low, high; what a log axis cannot show is moved to its lower edge.
std::string data_block(const std::string& name,
                       const Series& series,
                       const AxisRange& y,
                       bool log) {
    const auto placed = [&](double value) {
        return round_trip(log && value < y.low ? y.low : value);
    };
    std::string text = name + " << EOD\n";
    for (const Point& point : series.points) {
        text += concat(round_trip(point.x),
                       " ",
                       placed(point.y),
                       " ",
                       placed(point.low),
                       " ",
                       placed(point.high),
                       "\n");
    }
    return text + "EOD\n";
}

struct PlotStyle {
    std::string line;
    std::string mark;
    std::string bar;
};

PlotStyle plot_style(std::size_t number) {
    const theme::Look look = theme::look(number);
    return {concat(" lc rgb '", look.colour, "' lw 2.2 dt ", look.dash),
            concat(" pt ", look.mark, " ps ", theme::kMarkSize),
            concat(" lc rgb '", look.colour, "' lw 1.4 dt solid")};
}

std::string plot_element(const std::string& block, const Series& series, std::size_t number) {
    const PlotStyle style = plot_style(number);
    const std::string title = " title " + quoted(series.name);
    const std::string bars = block + " using 1:2:3:4 with yerrorbars" + style.bar;
    const std::string curve = block + " using 1:2 with ";
    switch (series.style) {
        case SeriesStyle::points:
            return bars + style.mark + title;
        case SeriesStyle::line:
            return bars + " pt 0 notitle, " + curve + "lines" + style.line + title;
        case SeriesStyle::line_points:
            break;
    }
    return bars + style.mark + " notitle, " + curve + "linespoints" + style.line + style.mark +
           title;
}

// A curve without points: its sample in a legend.
std::string legend_entry(const Series& series, std::size_t number) {
    const PlotStyle style = plot_style(number);
    const std::string title = " title " + quoted(series.name);
    switch (series.style) {
        case SeriesStyle::points:
            return "NaN with points" + style.bar + style.mark + title;
        case SeriesStyle::line:
            return "NaN with lines" + style.line + title;
        case SeriesStyle::line_points:
            break;
    }
    return "NaN with linespoints" + style.line + style.mark + title;
}

std::string frame_commands(const Frame& frame, const Layout& layout) {
    return "set lmargin at screen " + layout.x(frame.left) + "\nset rmargin at screen " +
           layout.x(frame.right) + "\nset bmargin at screen " + layout.y(frame.bottom) +
           "\nset tmargin at screen " + layout.y(frame.top) + "\n";
}

std::string panel_commands(const Figure& figure, std::size_t number, const Names& names) {
    const Panel& panel = figure.panels[number];
    const AxisRange y = y_range(panel);
    std::string data;
    std::string plot;
    for (std::size_t i = 0; i < panel.series.size(); ++i) {
        const Series& series = panel.series[i];
        if (!series.points.empty()) {
            const std::string block = concat("$data", number, "_", i);
            data += data_block(block, series, y, panel.y.scale == Scale::log10);
            plot += (plot.empty() ? "plot " : ", ") +
                    plot_element(block, series, position(names, series.name));
        }
    }
    const Layout layout = panel_layout(figure, number);
    return data + "unset label\nunset arrow\n" + frame_commands(layout.axes, layout) +
           "set label " + quoted(panel.title) + " at screen " + layout.x(layout.axes.left) +
           ", screen " + layout.y(layout.axes.top + theme::kTitleGap) + " left" +
           text_style(theme::kPanelTitleFont, theme::kTextColour) +
           axis_commands("x", panel.x, x_range(panel)) + axis_commands("y", panel.y, y) +
           guide_commands(panel) + legend_commands(panel, layout) + plot + "\n";
}

// The title above all panels and the legend below them: an empty plot that covers the figure.
std::string surroundings(const Figure& figure, const Layout& layout, const Names& names) {
    std::string text = "reset\n" + frame_commands({0.0, layout.width, 0.0, layout.height}, layout) +
                       "unset border\nunset tics\nset key off\n";
    if (!figure.title.empty()) {
        text += "set label " + quoted(figure.title) + " at screen " + layout.x(theme::kEdge) +
                ", screen " + layout.y(layout.height - theme::kFigureTitleHeight / 2) + " left" +
                text_style(theme::kFigureTitleFont, theme::kTextColour);
    }
    if (figure.legend != Legend::none) {
        text += "set key at screen 0.5, screen " + layout.y(theme::kLegendGap) +
                " center bottom horizontal" + key_style();
    }
    std::string plot = "plot [0:1] [0:1] NaN notitle";
    for (std::size_t i = 0; i < names.size(); ++i) {
        plot += ", " + legend_entry(names[i], i);
    }
    return text + plot + "\n";
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
    return text + surroundings(figure, whole, names) + "unset multiplot\n";
}

}  // namespace attest
