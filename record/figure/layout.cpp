#include "record/figure/layout.hpp"

#include "core/base/text.hpp"
#include "record/figure/legend.hpp"
#include "record/figure/theme.hpp"

#include <algorithm>

namespace attest {

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

}  // namespace attest
