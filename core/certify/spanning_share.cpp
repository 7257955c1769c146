#include "core/certify/spanning_share.hpp"

#include "core/certify/draw_spans.hpp"
#include "core/exact/modular.hpp"
#include "core/rng/sample.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();
constexpr double kMostProducts = 2e9;

/// ln(e^a + e^b).
double log_sum(double a, double b) {
    const double larger = std::max(a, b);
    return std::isinf(larger) ? larger : larger + std::log1p(std::exp(-std::abs(a - b)));
}

/// Draws with a row that the random null vector does not touch: its other rows and the other draws
/// do not determine it. Ascending.
std::vector<Index> draws_to_keep(const DrawSpans& spans, const LeftNullVectors& null) {
    std::vector<Index> kept;
    for (Index j = 0; j < null.entries.rows(); ++j) {
        const Index draw = spans.draw_of_row(null.pivot_rows[static_cast<std::size_t>(j)]);
        if (null.entries(j, 0) == 0 && (kept.empty() || kept.back() != draw)) {
            kept.push_back(draw);
        }
    }
    return kept;
}

/// `kept` and a uniform choice of the other members, `size` in all.
std::vector<bool> smaller_set(const std::vector<bool>& members,
                              const std::vector<Index>& kept,
                              Index size,
                              const Stream& stream) {
    std::vector<bool> smaller(members.size(), false);
    for (const Index draw : kept) {
        smaller[static_cast<std::size_t>(draw)] = true;
    }
    std::vector<Index> others;
    for (Index draw = 0; draw < std::ssize(members); ++draw) {
        const auto at = static_cast<std::size_t>(draw);
        if (members[at] && !smaller[at]) {
            others.push_back(draw);
        }
    }
    const std::vector<Index> order = random_permutation(std::ssize(others), stream);
    for (Index k = 0; k < size - std::ssize(kept); ++k) {
        const Index chosen = order[static_cast<std::size_t>(k)];
        smaller[static_cast<std::size_t>(others[static_cast<std::size_t>(chosen)])] = true;
    }
    return smaller;
}

/// ln of the weights of one walk, −∞ once its set spans less.
std::vector<double> walk(const DrawSpans& spans,
                         std::vector<Index> kept,
                         const std::vector<Index>& sizes,
                         const Stream& stream) {
    std::vector<double> weights(sizes.size(), kNever);
    std::vector<bool> members(static_cast<std::size_t>(spans.num_draws()), true);
    Index before = spans.num_draws();
    double weight = 0.0;
    for (std::size_t k = 0; k < sizes.size(); ++k) {
        weight += log_share_holding(before, sizes[k], std::ssize(kept));
        if (std::isinf(weight)) {
            break;
        }
        members = smaller_set(members, kept, sizes[k], stream.child(static_cast<Index>(k)));
        const std::optional<std::vector<Index>> pivots = spans.pivot_rows(members);
        if (!pivots) {
            break;
        }
        weights[k] = weight;
        kept = draws_to_keep(spans, spans.left_null_vectors(members, *pivots, 1));
        before = sizes[k];
    }
    return weights;
}

}  // namespace

double log_share_holding(Index n, Index m, Index s) {
    if (s > m) {
        return kNever;
    }
    double sum = 0.0;
    for (Index i = 0; i < s; ++i) {
        sum += std::log(static_cast<double>(m - i) / static_cast<double>(n - i));
    }
    return sum;
}

std::optional<Index> draws_outside(const SequenceSource& data, const RankProfile& profile) {
    const DrawSpans spans(data, profile);
    Index longest = 1;
    for (Index i = 0; i < spans.num_draws(); ++i) {
        longest = std::max(longest, spans.num_rows_of(i));
    }
    const double products = static_cast<double>(spans.num_rows()) *
                            static_cast<double>(spans.rank()) * static_cast<double>(longest);
    if (longest > 1 && products > kMostProducts) {
        return std::nullopt;
    }
    if (spans.rank() == 0) {
        return 0;
    }
    const std::vector<bool> all(static_cast<std::size_t>(spans.num_draws()), true);
    const LeftNullVectors null = spans.left_null_vectors(all, profile.pivot_rows, longest);
    Index count = 0;
    Index draw = -1;
    for (const Index row : null.pivot_rows) {
        if (spans.draw_of_row(row) != draw) {
            draw = spans.draw_of_row(row);
            const Index free = rank(spans.modulus(), spans.entries_at(null, draw));
            count += free < spans.num_rows_of(draw) ? 1 : 0;
        }
    }
    return count;
}

std::vector<double> spanning_log_shares(const SequenceSource& data,
                                        const RankProfile& profile,
                                        const std::vector<Index>& sizes,
                                        Index chains,
                                        const Stream& stream) {
    if (profile.rank() == 0) {
        return std::vector<double>(sizes.size(), 0.0);
    }
    const DrawSpans spans(data, profile);
    const std::vector<bool> all(static_cast<std::size_t>(spans.num_draws()), true);
    const std::vector<Index> kept =
        draws_to_keep(spans, spans.left_null_vectors(all, profile.pivot_rows, 1));
    std::vector<double> sums(sizes.size(), kNever);
    for (Index c = 0; c < chains; ++c) {
        const std::vector<double> weights = walk(spans, kept, sizes, stream.child(c));
        for (std::size_t k = 0; k < sizes.size(); ++k) {
            sums[k] = log_sum(sums[k], weights[k]);
        }
    }
    for (double& sum : sums) {
        sum -= std::log(static_cast<double>(chains));
    }
    return sums;
}

}  // namespace attest
