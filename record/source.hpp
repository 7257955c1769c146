#pragma once

#include "record/row.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// How a number comes from rows.
enum class Statistic : std::uint8_t {
    setting,  ///< a field that the rows agree in
    value,    ///< a metric that one row holds, or that the rows agree in
    mean,
    standard_error,
    median,
    least,
    greatest,
    sum,
    count,     ///< the rows themselves
    computed,  ///< anything else, by a function of the rows
};

[[nodiscard]] std::string_view to_string(Statistic statistic);

/// A number of one or several rows.
using RowFunction = std::function<double(const std::vector<Row>&)>;

/// The rows behind a number of a table, and how it comes from them.
struct Source {
    Statistic statistic = Statistic::value;
    std::string name = {};               ///< the metric or field; for `computed`, in words
    std::vector<std::size_t> rows = {};  ///< positions (Row::position)
    RowFunction compute = {};            ///< for `computed`
};

/// The rows with their positions: 0, 1, 2, …
[[nodiscard]] std::vector<Row> numbered(std::vector<Row> rows);

[[nodiscard]] std::vector<std::size_t> positions_of(const std::vector<Row>& rows);

/// The number again, from the rows at the source's positions alone. Throws InvalidInput when a row
/// lacks the metric or the field, or when rows differ in what they should agree in.
[[nodiscard]] double recomputed(const Source& source, const std::vector<Row>& rows);

}  // namespace attest
