#pragma once

#include "record/row.hpp"
#include "record/table.hpp"

#include <string>
#include <vector>

namespace attest {

/// A field that tells the lines of a table apart; its column is headed by its words unless named.
struct KeyColumn {
    KeyColumn(const char* field_name, Alignment aligned = Alignment::left)
        : field(field_name), alignment(aligned) {}

    KeyColumn(const char* field_name, std::string head, Alignment aligned = Alignment::right)
        : field(field_name), header(std::move(head)), alignment(aligned) {}

    std::string field;
    std::string header = {};
    Alignment alignment;
};

/// A metric of rows and how its column sums it up and shows it.
struct GroupColumn {
    std::string metric = {};
    NumberFormat format = {};
    std::string header = {};  ///< empty: the metric's words
    Statistic statistic = Statistic::median;
    std::string learner = {};  ///< only rows of this one; of all if empty
};

/// Three significant digits.
inline constexpr NumberFormat kThreeDigits{NumberFormat::Style::significant, 3};

/// A line for each combination of the keys, in order of first appearance: the keys, then a
/// statistic of every metric over the rows that hold it, nothing where none does. The column of a
/// learner without a single row is left out.
[[nodiscard]] Table group_table(const std::vector<Row>& rows,
                                const std::vector<KeyColumn>& keys,
                                const std::vector<GroupColumn>& columns);

/// y = exp(log_constant)·x^exponent.
struct PowerLaw {
    double exponent = 0.0;
    double log_constant = 0.0;
    double first = 0.0;  ///< x of the first point of the fit

    [[nodiscard]] double at(double x) const;
};

/// Through at least two points of different positive x and positive y: least squares of logarithms.
[[nodiscard]] PowerLaw fit_power_law(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace attest
