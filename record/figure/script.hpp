#pragma once

#include "record/figure/figure.hpp"

namespace attest {

/// What an axis shows, from `low` to `high`.
struct AxisRange {
    double low = 0.0;
    double high = 1.0;
    bool zero_at_low =
        false;            ///< a log axis whose lower edge stands for every value of 0 and below
    bool counts = false;  ///< every position on the x axis is a whole number
};

/// The axis's own limits where it has them, else the data with a margin; a log axis ends at powers
/// of ten, a linear y axis begins at 0 when that is near.
[[nodiscard]] AxisRange x_range(const Panel& panel);
[[nodiscard]] AxisRange y_range(const Panel& panel);

/// Throws InvalidInput on what cannot be drawn, see figure_script.
void check(const Figure& figure);

}  // namespace attest
