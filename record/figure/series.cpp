#include "record/figure/series.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "record/summary.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace attest {

namespace {

Point point(double x, const Summary& summary, Spread spread) {
    switch (spread) {
        case Spread::standard_error:
            return {x,
                    summary.mean,
                    summary.mean - summary.standard_error,
                    summary.mean + summary.standard_error};
        case Spread::range:
            return {x, summary.median, summary.min, summary.max};
        case Spread::none:
            break;
    }
    return {x, summary.mean, summary.mean, summary.mean};
}

// The values of all fields but the last, which is x.
std::string series_name(const std::vector<ParameterValue>& keys) {
    std::string name;
    for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
        name += (i == 0 ? "" : ", ") + to_string(keys[i]);
    }
    return name;
}

}  // namespace

std::vector<Series> series_from_rows(const std::vector<Row>& rows, const SeriesChoice& choice) {
    std::vector<std::string> fields = choice.by;
    fields.push_back(choice.x);
    std::vector<Series> all;
    std::map<std::string, std::size_t> positions;
    for (const RowGroup& group : group_rows(rows, fields, choice.metric)) {
        if (group.summary.count == 0) {
            continue;
        }
        const std::string name = series_name(group.keys);
        const auto [found, added] = positions.emplace(name, all.size());
        if (added) {
            all.push_back({name, {}, choice.style});
        }
        all[found->second].points.push_back(
            point(to_number(group.keys.back(), choice.x), group.summary, choice.spread));
    }
    for (Series& series : all) {
        std::stable_sort(series.points.begin(),
                         series.points.end(),
                         [](const Point& a, const Point& b) { return a.x < b.x; });
    }
    return all;
}

}  // namespace attest
