#pragma once

#include "record/row.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attest {

/// The rows behind a number that a table shows.
struct NumberSource {
    std::string metric;             ///< several, "rank, nullity", where nothing tells them apart
    std::string statistic;          ///< "value" of one row, or "mean", "median" … of several
    std::vector<std::size_t> rows;  ///< positions among the rows given
};

/// A cell with the header of its column.
struct HeadedCell {
    std::string_view header;
    std::string_view text;
};

/// Finds the rows that hold a table's numbers, without knowing how the table was made: a number is
/// looked up among the metrics of all rows and among mean, median, least and greatest of the rows
/// that differ in seed and repetition only. Of several rows that hold it, those win whose settings
/// stand in the same line or above the column, else all of them.
class NumberSources {
public:
    explicit NumberSources(const std::vector<Row>& rows);

    /// The source of cell `at` of a line; nothing for a text, for a number that no row holds, and
    /// for one that very many hold.
    [[nodiscard]] std::optional<NumberSource> find(const std::vector<HeadedCell>& line,
                                                   std::size_t at) const;

private:
    struct Candidate {
        double value;
        NumberSource source;
        std::size_t settings;  ///< position in settings_
    };

    using Settings = std::vector<std::pair<std::string, std::string>>;  ///< name, value

    void add_groups(const std::vector<Row>& rows);
    [[nodiscard]] int score(const Candidate& candidate,
                            const std::vector<HeadedCell>& line,
                            std::size_t at) const;
    /// Whether the cell, near a metric of the row, is rather a setting of it.
    [[nodiscard]] bool is_setting(std::size_t settings,
                                  const HeadedCell& cell,
                                  const std::string& metric) const;

    std::vector<Candidate> candidates_;
    std::vector<Settings> settings_;  ///< of every row
};

}  // namespace attest
