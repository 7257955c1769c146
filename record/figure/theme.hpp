#pragma once

#include <cstddef>
#include <string>

/// How figures look: sizes in pixels, colours, marks, dashes. White background, so that a figure
/// reads the same on a dark page.
namespace attest::theme {

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
