#pragma once

#include "record/figure/figure.hpp"
#include "record/row.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace attest {

/// What a point stands for when a group holds several rows, and what its error bar spans.
enum class Spread : std::uint8_t {
    standard_error,  ///< mean ± standard error
    range,           ///< median, from the least to the greatest value
    none,            ///< mean, no bar
};

struct SeriesChoice {
    std::string x = {};                ///< field or parameter along the x axis, a number
    std::string metric = {};           ///< metric along the y axis
    std::vector<std::string> by = {};  ///< one series for each combination of these fields
    Spread spread = Spread::standard_error;
    SeriesStyle style = SeriesStyle::line_points;
};

/// Curves from rows: groups by `by` and `x`, one point for each group that holds a value, by
/// ascending x. A series is named by the values of `by`, joined by ", ". Throws InvalidInput when
/// an x is no number.
[[nodiscard]] std::vector<Series> series_from_rows(const std::vector<Row>& rows,
                                                   const SeriesChoice& choice);

}  // namespace attest
