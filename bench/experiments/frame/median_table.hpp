#pragma once

#include "record/row.hpp"
#include "record/table.hpp"

#include <string>
#include <vector>

namespace attest {

/// A metric of rows and how its column shows it.
struct MetricColumn {
    std::string metric;
    NumberFormat format = {};
};

/// The words of a name in snake_case.
[[nodiscard]] std::string spaced(std::string name);

/// A line for each combination of the fields, in order of first appearance: the fields, then the
/// median of every metric over the rows that hold it, empty where none does.
[[nodiscard]] Table median_table(const std::vector<Row>& rows,
                                 const std::vector<std::string>& fields,
                                 const std::vector<MetricColumn>& metrics);

}  // namespace attest
