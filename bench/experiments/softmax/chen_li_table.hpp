#pragma once

#include "record/row.hpp"
#include "record/table.hpp"

#include <string>
#include <vector>

namespace attest {

struct ChenLiColumn {
    std::string header;
    std::string metric;
    Statistic statistic = Statistic::median;
};

/// One line for each combination of some fields, headed by their own names, repetitions summed up
/// to three digits.
[[nodiscard]] Table chen_li_table(const std::vector<Row>& rows,
                                  const std::vector<std::string>& fields,
                                  const std::vector<ChenLiColumn>& columns);

}  // namespace attest
