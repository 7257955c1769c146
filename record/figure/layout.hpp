#pragma once

#include "record/figure/figure.hpp"
#include "record/figure/script.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attest {

/// gnuplot commands for scale, range and ticks of the axis `name`, "x" or "y".
[[nodiscard]] std::string axis_commands(const std::string& name,
                                        const Axis& axis,
                                        const AxisRange& range);

/// A rectangle in pixels, from the figure's lower left corner.
struct Frame {
    double left = 0.0;
    double right = 0.0;
    double bottom = 0.0;
    double top = 0.0;
};

/// Where a panel stands in its figure.
struct Layout {
    double width = 0.0;   ///< of the figure
    double height = 0.0;  ///< of the figure
    Frame cell = {};      ///< the panel with all that belongs to it
    Frame axes = {};

    /// Pixels as gnuplot's screen coordinates.
    [[nodiscard]] std::string x(double pixels) const;
    [[nodiscard]] std::string y(double pixels) const;
};

[[nodiscard]] Layout panel_layout(const Figure& figure, std::size_t number);

/// Every name that is drawn, in order of first appearance, each with its first style and no points.
[[nodiscard]] std::vector<Series> distinct_series(const Figure& figure);

/// One entry: how the curve is drawn and the position of its name among the figure's names.
struct LegendEntry {
    Series series;
    std::size_t look;
};

/// Room that a legend outside the axes takes: beside them, or below them in the width available.
[[nodiscard]] double legend_width(const std::vector<Series>& series);
[[nodiscard]] double legend_height(const std::vector<Series>& series, double available_width);

/// gnuplot commands that draw the entries from (left, top) downwards, in one column.
[[nodiscard]] std::string legend_column(const std::vector<LegendEntry>& entries,
                                        const Layout& layout,
                                        double left,
                                        double top);

/// The same in as many columns as the frame is wide, centred in it and from its top downwards.
[[nodiscard]] std::string legend_rows(const std::vector<LegendEntry>& entries,
                                      const Layout& layout,
                                      const Frame& frame);

/// Characters of Unicode's private area that stand for & and ' in a gnuplot string until the SVG is
/// drawn: gnuplot 5.4 writes & into SVG without escaping it, and misreads a string that begins with
/// a quote.
constexpr const char* kAmpersand = "\uE000";
constexpr const char* kApostrophe = "\uE001";

/// Text as a gnuplot string for enhanced mode: _{…} and ^{…} are lowered and raised, & and ' become
/// their stand-ins, every other character stands for itself. A control character becomes a space.
[[nodiscard]] std::string gnuplot_text(const std::string& text);

/// Text without the marks of _{…} and ^{…}: "λ_{min}" becomes "λ_min".
[[nodiscard]] std::string plain_text(const std::string& text);

/// Pixels the text is about wide when it is drawn by a wide sans-serif font of this size.
[[nodiscard]] double text_width(const std::string& text, int font);

/// The options of a gnuplot label: " font ',13' textcolor rgb '#1f2933'".
[[nodiscard]] std::string text_style(int font, const char* colour);

}  // namespace attest

namespace attest::theme {

/// How figures look: sizes in pixels, colours, marks, dashes. White background, so that a figure
/// reads the same on a dark page.

constexpr double kLeftMargin = 96.0;
constexpr double kRightMargin = 28.0;
constexpr double kBottomMargin = 70.0;
constexpr double kPlainTop = 22.0;
constexpr double kTitledTop = 52.0;
constexpr double kTitleGap = 20.0;
constexpr double kFigureTitleHeight = 48.0;
constexpr double kEdge = 24.0;
constexpr double kXLabelGap = 50.0;  ///< from the axis to the middle of its label
constexpr double kYLabelGap = 72.0;

constexpr double kMarkSize = 0.85;
constexpr double kCurveWidth = 2.2;
constexpr double kBarWidth = 1.4;
constexpr double kBandOpacity = 0.2;

constexpr int kFont = 14;
constexpr int kLegendFont = 13;
constexpr int kLabelFont = 15;
constexpr int kPanelTitleFont = 16;
constexpr int kFigureTitleFont = 20;

constexpr const char* kTextColour = "#1f2933";
constexpr const char* kGuideColour = "#616e7c";

/// A curve's colour, mark and dash. Neighbours differ in all three, so they can be told apart in
/// grey.
struct Look {
    const char* colour;
    int mark;
    const char* dash;
};

[[nodiscard]] Look look(std::size_t number);

/// Terminal, fonts, border, grid and tics.
[[nodiscard]] std::string preamble(double width, double height);

}  // namespace attest::theme
