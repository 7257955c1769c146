#include "bench/experiments/solvers/scaling_sweeps.hpp"

#include "core/features/cubic.hpp"

#include <algorithm>

namespace attest {

namespace {

/// The dimension at which N and n grow: that of the longest sequences.
Index fixed_dimension(const std::vector<Solved>& points) {
    const auto longest =
        std::max_element(points.begin(), points.end(), [](const Solved& a, const Solved& b) {
            return a.size.n < b.size.n;
        });
    return longest == points.end() ? 0 : longest->size.d;
}

}  // namespace

std::vector<Solved> solved_sizes(const std::vector<Row>& rows) {
    const auto parameter = [](const Row& row, const char* name) {
        return static_cast<Index>(std::get<std::int64_t>(row.key.parameters.at(name)));
    };
    std::vector<Solved> points;
    for (const Row& row : rows) {
        if (row.status == RowStatus::ok) {
            points.push_back(
                {{parameter(row, "d"), parameter(row, "n"), parameter(row, "num_examples")},
                 row.metrics.at("cpu_seconds").value,
                 row.metrics.at("flops").value,
                 row.metrics.at("bytes").value,
                 row});
        }
    }
    return points;
}

std::array<Sweep, 3> sweeps(const std::vector<Solved>& points) {
    std::array<Sweep, 3> studies{{{"token dimension d", &ScalingSize::d, {}},
                                  {"number of sequences N", &ScalingSize::num_examples, {}},
                                  {"tokens a sequence n", &ScalingSize::n, {}}}};
    const Index d = fixed_dimension(points);
    for (const Solved& point : points) {
        const bool few = point.size.num_examples <= kScalingRatio * feature_dim(point.size.d);
        const bool brief = point.size.n <= kScalingTokens;
        if (few && brief) {
            studies[0].points.push_back(point);
        }
        if (point.size.d == d && brief) {
            studies[1].points.push_back(point);
        }
        if (point.size.d == d && few) {
            studies[2].points.push_back(point);
        }
    }
    for (Sweep& sweep : studies) {
        std::sort(sweep.points.begin(), sweep.points.end(), [&](const Solved& a, const Solved& b) {
            return a.size.*sweep.variable < b.size.*sweep.variable;
        });
    }
    return studies;
}

PowerLaw law_of(const Sweep& sweep) {
    std::vector<double> sizes;
    std::vector<double> seconds;
    for (std::size_t i = sweep.points.size() / 2; i < sweep.points.size(); ++i) {
        sizes.push_back(sweep.at(i));
        seconds.push_back(sweep.points[i].seconds);
    }
    return fit_power_law(sizes, seconds);
}

}  // namespace attest
