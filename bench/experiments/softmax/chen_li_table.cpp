#include "bench/experiments/softmax/chen_li_table.hpp"

#include "bench/experiments/frame/group_table.hpp"

namespace attest {

Table chen_li_table(const std::vector<Row>& rows,
                    const std::vector<std::string>& fields,
                    const std::vector<ChenLiColumn>& columns) {
    std::vector<KeyColumn> keys;
    for (const std::string& field : fields) {
        keys.emplace_back(field.c_str(), field);
    }
    std::vector<GroupColumn> summed;
    for (const auto& [header, metric, statistic] : columns) {
        summed.push_back({metric, kThreeDigits, header, statistic});
    }
    return group_table(rows, keys, summed);
}

}  // namespace attest
