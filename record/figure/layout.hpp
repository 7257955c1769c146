#pragma once

#include "record/figure/figure.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace attest {

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

}  // namespace attest
