#pragma once

#include "core/base/shape.hpp"
#include "record/row.hpp"
#include "record/source.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

/// The words of a name in snake_case.
[[nodiscard]] std::string spaced(std::string name);

/// Describes a sample. Everything but `count` is meaningless when count is 0.
struct Summary {
    Index count = 0;
    double mean = 0.0;
    double standard_error = 0.0;  ///< s/√count with s² = Σ(x − mean)²/(count − 1); 0 for one value
    double median = 0.0;          ///< of an even number of values the mean of the middle two
    double min = 0.0;
    double max = 0.0;
};

/// Throws InvalidInput when a value is not finite.
[[nodiscard]] Summary summarise(std::vector<double> values);

/// Its mean, standard error, median, least, greatest or sum. Throws BrokenInvariant for another.
[[nodiscard]] double statistic_of(const Summary& summary, Statistic statistic);

/// A field of a row by name: task, learner, seed, stream, repetition, precision, id, status; else a
/// parameter of the task, else one of the learner. Absent when the row has none of that name.
[[nodiscard]] std::optional<ParameterValue> field(const Row& row, std::string_view name);

/// A field that is a number. Throws InvalidInput where the row has none of that name.
[[nodiscard]] double number_field(const Row& row, std::string_view name);

/// Rows that agree in some fields, and one metric of theirs.
struct RowGroup {
    std::vector<std::string> fields;   ///< those asked for
    std::vector<ParameterValue> keys;  ///< their values; "" where a row has none
    std::string metric;
    Summary summary;                    ///< over the rows with a finite value
    std::vector<std::size_t> members;   ///< positions of all rows of the group
    std::vector<std::size_t> measured;  ///< positions of those with a finite value
    Index missing = 0;  ///< rows that are not ok, lack the metric or hold no finite value
};

/// The metric of a row that is ok, where it is finite.
[[nodiscard]] std::optional<double> finite_metric(const Row& row, const std::string& metric);

/// Groups rows by the fields named, in order of first appearance, and summarises a metric over each
/// group: over seeds and repetitions when neither is among the fields.
[[nodiscard]] std::vector<RowGroup> group_rows(const std::vector<Row>& rows,
                                               const std::vector<std::string>& fields,
                                               const std::string& metric);

/// The rows of each group, in the order of group_rows.
[[nodiscard]] std::vector<std::vector<Row>> split_rows(const std::vector<Row>& rows,
                                                       const std::vector<std::string>& fields);

/// The values of a field, as text, in order of first appearance.
[[nodiscard]] std::vector<std::string> distinct_values(const std::vector<Row>& rows,
                                                       const std::string& field_name);

/// Rows whose field, as text, is the given one.
[[nodiscard]] std::vector<Row> select_rows(const std::vector<Row>& rows,
                                           std::string_view field_name,
                                           std::string_view text);

}  // namespace attest
