#include "record/source.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "record/summary.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace attest {

namespace {

double number_of(const Row& row, const Source& source) {
    if (source.statistic == Statistic::setting) {
        return number_field(row, source.name);
    }
    const auto found = row.metrics.find(source.name);
    require(found != row.metrics.end(), "recomputed: row {} has no {}", row.position, source.name);
    return found->second.value;
}

double common_value(const std::vector<double>& numbers, const Source& source) {
    for (const double number : numbers) {
        require(bitwise_equal(number, numbers.front()),
                "recomputed: got {} and {} as {}, expected rows that agree",
                numbers.front(),
                number,
                source.name);
    }
    return numbers.front();
}

}  // namespace

std::string_view to_string(Statistic statistic) {
    constexpr std::array<std::string_view, 10> kNames{"setting",
                                                      "value",
                                                      "mean",
                                                      "standard error",
                                                      "median",
                                                      "least",
                                                      "greatest",
                                                      "sum",
                                                      "count",
                                                      "computed"};
    return kNames.at(static_cast<std::size_t>(statistic));
}

std::vector<Row> numbered(std::vector<Row> rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].position = i;
    }
    return rows;
}

std::vector<std::size_t> positions_of(const std::vector<Row>& rows) {
    std::vector<std::size_t> positions(rows.size());
    std::transform(
        rows.begin(), rows.end(), positions.begin(), [](const Row& row) { return row.position; });
    return positions;
}

double recomputed(const Source& source, const std::vector<Row>& rows) {
    require(!source.rows.empty(), "recomputed: {} comes from no row", source.name);
    std::vector<Row> chosen;
    for (const std::size_t position : source.rows) {
        chosen.push_back(rows.at(position));
    }
    if (source.statistic == Statistic::count) {
        return static_cast<double>(chosen.size());
    }
    if (source.statistic == Statistic::computed) {
        return source.compute(chosen);
    }
    std::vector<double> numbers(chosen.size());
    std::transform(chosen.begin(), chosen.end(), numbers.begin(), [&](const Row& row) {
        return number_of(row, source);
    });
    if (source.statistic == Statistic::setting || source.statistic == Statistic::value) {
        return common_value(numbers, source);
    }
    return statistic_of(summarise(std::move(numbers)), source.statistic);
}

}  // namespace attest
