#pragma once

#include "core/record/figure.hpp"

#include <cstddef>
#include <string>
#include <vector>

/// How figures look: sizes in pixels, colours, marks, dashes. White background, so that a figure
/// reads the same on a dark page.
namespace attest::theme {

constexpr double kLeftMargin = 92.0;
constexpr double kRightMargin = 28.0;
constexpr double kBottomMargin = 70.0;
constexpr double kPlainTop = 22.0;
constexpr double kTitledTop = 52.0;
constexpr double kTitleGap = 20.0;
constexpr double kFigureTitleHeight = 44.0;
constexpr double kLegendGap = 14.0;
constexpr double kEdge = 24.0;
constexpr double kMarkSize = 0.85;

constexpr int kFont = 15;
constexpr int kLegendFont = 13;
constexpr int kPanelTitleFont = 16;
constexpr int kFigureTitleFont = 19;

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

/// Room a legend takes away from the axes.
struct LegendSize {
    double width;
    double height;
};

[[nodiscard]] LegendSize legend_size(const std::vector<Series>& series, double available_width);

/// Terminal, fonts, border, grid and tics.
[[nodiscard]] std::string preamble(double width, double height);

}  // namespace attest::theme
