#include "core/softmax/rarity.hpp"

#include "core/base/error.hpp"

#include <cmath>
#include <limits>

namespace attest {

namespace {

constexpr double kSparse = 0.99;

/// The largest difference between heads, the least probability, and whether all are 1-sparse on one
/// token, for row a.
struct RowPatterns {
    double spread = 0.0;
    double least = 1.0;
    double sparsest = 0.0;  ///< max_j min_i p_j^i
};

RowPatterns row_patterns(const std::vector<Matrix>& patterns, Index a) {
    RowPatterns row;
    for (Index j = 0; j < patterns.front().rows(); ++j) {
        double low = 1.0;
        double high = 0.0;
        for (const Matrix& P : patterns) {
            low = std::min(low, P(j, a));
            high = std::max(high, P(j, a));
        }
        row.spread = std::max(row.spread, high - low);
        row.least = std::min(row.least, low);
        row.sparsest = std::max(row.sparsest, low);
    }
    return row;
}

}  // namespace

Rarity agreement(const SoftmaxHeads& heads,
                 const SoftmaxSource& source,
                 const std::vector<double>& epsilons,
                 double least_probability) {
    require(!heads.empty(), "agreement: got no heads, expected at least one");
    Rarity rarity{0, std::vector<Index>(epsilons.size(), 0), 0};
    std::vector<Matrix> patterns(heads.size());
    for_each_block(source, [&](const SoftmaxExamples& block, Index /*first*/) {
        for (Index i = 0; i < block.count(); ++i) {
            const Matrix X = block.X.middleCols(i * block.k, block.k);
            for (std::size_t h = 0; h < heads.size(); ++h) {
                patterns[h] = attention_weights(heads[h].Theta, X);
            }
            for (Index a = 0; a < block.k; ++a) {
                const RowPatterns row = row_patterns(patterns, a);
                ++rarity.rows;
                rarity.sparse += row.sparsest > kSparse ? 1 : 0;
                for (std::size_t e = 0; e < epsilons.size(); ++e) {
                    rarity.agreeing[e] +=
                        row.least >= least_probability && row.spread <= epsilons[e] ? 1 : 0;
                }
            }
        }
    });
    return rarity;
}

double rarity_slope(const Rarity& rarity, const std::vector<double>& epsilons, Index fewest) {
    double weight = 0.0;
    double x = 0.0;
    double y = 0.0;
    double xx = 0.0;
    double xy = 0.0;
    Index used = 0;
    for (std::size_t e = 0; e < epsilons.size(); ++e) {
        if (rarity.agreeing[e] < fewest) {
            continue;
        }
        const auto count = static_cast<double>(rarity.agreeing[e]);
        const double u = std::log(epsilons[e]);
        const double v = std::log(count / static_cast<double>(rarity.rows));
        weight += count;
        x += count * u;
        y += count * v;
        xx += count * u * u;
        xy += count * u * v;
        ++used;
    }
    if (used < 2) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    return (weight * xy - x * y) / (weight * xx - x * x);
}

}  // namespace attest
