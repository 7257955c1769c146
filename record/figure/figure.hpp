#pragma once

#include "core/base/shape.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attest {

/// A point with its error bar from `low` to `high`; low = y = high draws none. All finite.
struct Point {
    double x = 0.0;
    double y = 0.0;
    double low = 0.0;
    double high = 0.0;
};

enum class SeriesStyle : std::uint8_t {
    line_points,
    points,
    line,
    band,  ///< a line without marks; the range from low to high is shaded, not barred
};

/// One curve. Series of one name look the same in every panel of a figure.
struct Series {
    std::string name = {};
    std::vector<Point> points = {};
    SeriesStyle style = SeriesStyle::line_points;
};

enum class Scale : std::uint8_t { linear, log10 };

/// On a log axis values of 0 and below have no place: a y there is drawn on the bottom edge, whose
/// tick then reads "≤ 0"; an x there is an error.
struct Axis {
    std::string label = {};
    Scale scale = Scale::linear;
    std::optional<double> min = {};
    std::optional<double> max = {};
    std::vector<double> ticks = {};  ///< empty: chosen by gnuplot
    bool is_hidden = false;          ///< no ticks: notes say what stands where
};

enum class Legend : std::uint8_t {
    right,
    below,
    top_left,
    top_right,
    bottom_left,
    bottom_right,
    none
};

/// A thin dashed line across the panel, e.g. a predicted value.
struct Guide {
    enum class Direction : std::uint8_t { horizontal, vertical };
    Direction direction = Direction::horizontal;
    double at = 0.0;
    std::string label = {};
};

/// A text above a point of the panel, from there to the right.
struct Note {
    double x = 0.0;
    double y = 0.0;
    std::string text = {};
};

struct Panel {
    std::string title = {};
    Axis x = {};
    Axis y = {};
    std::vector<Series> series = {};
    std::vector<Guide> guides = {};
    Legend legend = Legend::right;
    std::vector<Note> notes = {};
};

/// Panels side by side, row after row. Texts are plain UTF-8 on one line: "λ_min" is drawn as it
/// stands.
struct Figure {
    std::string title = {};
    std::vector<Panel> panels = {};
    Index columns = 1;
    Index panel_width = 760;       ///< pixels
    Index panel_height = 460;      ///< pixels
    Legend legend = Legend::none;  ///< `below`: one legend of all panels' series, under them
};

/// The gnuplot commands that draw the figure, data included. The same figure, the same bytes.
/// Throws InvalidInput on a figure without panels, a panel without points, a value that is not
/// finite or, on a log axis, an x that is not positive.
[[nodiscard]] std::string figure_script(const Figure& figure);

/// The figure as SVG, drawn by gnuplot. The same figure and gnuplot, the same bytes: no time, no
/// version. Throws NotAvailable when gnuplot is not installed.
[[nodiscard]] std::string draw_svg(const Figure& figure);

/// What a gnuplot script draws: runs `gnuplot` on it, without a shell, in a temporary directory
/// that is removed again. The script selects the terminal and never sets `output`. Throws
/// NotAvailable when gnuplot is not installed, EnvironmentFailure when it cannot be run or dies,
/// BrokenInvariant with its first message when it rejects the script.
[[nodiscard]] std::string run_gnuplot(const std::string& script);

}  // namespace attest
