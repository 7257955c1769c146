#pragma once

#include "record/figure/figure.hpp"
#include "record/figure/layout.hpp"

#include <string>
#include <vector>

namespace attest {

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

}  // namespace attest
