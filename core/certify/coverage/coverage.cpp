#include "core/certify/coverage/coverage.hpp"

#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/progress_scope.hpp"
#include "core/base/text.hpp"
#include "core/certify/coverage/draws.hpp"
#include "core/certify/rank/exact_features.hpp"
#include "core/exact/row_basis.hpp"
#include "core/rng/sample.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace attest {

namespace {

/// A part of the draws to be spanned by the rest, and its weight w in the sum: few are left out
/// where many draws bring something of their own, most where hardly any does.
struct LeftOut {
    double part;
    double weight;
};

constexpr std::array kLeftOut{LeftOut{0.0625, 0.1},
                              LeftOut{0.125, 0.1},
                              LeftOut{0.25, 0.2},
                              LeftOut{0.5, 0.3},
                              LeftOut{0.75, 0.3}};
constexpr Index kWalks = 4;
constexpr Index kMostDraws = Index{1} << 60;

/// N less each part, at least one draw.
std::vector<Index> subset_sizes(Index draws) {
    std::vector<Index> sizes;
    for (const LeftOut& left : kLeftOut) {
        const auto out = static_cast<Index>(std::floor(left.part * static_cast<double>(draws)));
        sizes.push_back(draws - std::max<Index>(out, 1));
    }
    return sizes;
}

/// The ε with Σ_m w_m s_m (1 − ε)^(m − N) = 1/δ, from ln s_m; 1 where all s_m are 0.
double risk_bound(Index draws,
                  const std::vector<Index>& sizes,
                  const std::vector<double>& log_shares,
                  double confidence) {
    const double wanted = -std::log1p(-confidence);
    // With t = −ln(1 − ε) every summand grows; the first to reach 1/δ by itself bounds the root.
    double high = std::numeric_limits<double>::infinity();
    std::array<double, kLeftOut.size()> logs{};
    std::array<double, kLeftOut.size()> slopes{};
    for (std::size_t k = 0; k < kLeftOut.size(); ++k) {
        logs.at(k) = std::log(kLeftOut.at(k).weight) + log_shares[k];
        slopes.at(k) = static_cast<double>(draws - sizes[k]);
        high = std::min(high, (wanted - logs.at(k)) / slopes.at(k));
    }
    if (std::isinf(high)) {
        return 1.0;
    }
    const auto reached = [&](double t) {
        double sum = 0.0;
        for (std::size_t k = 0; k < kLeftOut.size(); ++k) {
            sum += std::exp(logs.at(k) + slopes.at(k) * t - wanted);
        }
        return sum >= 1.0;
    };
    double low = 0.0;
    double middle = high / 2.0;
    while (low < middle && middle < high) {
        (reached(middle) ? high : low) = middle;
        middle = (low + high) / 2.0;
    }
    return -std::expm1(-high);
}

RankGrowth growth_in_order(const Dataset& data) {
    const FeatureRows rows(data);
    const Modulus p = rows.usable_modulus();
    // Row by row: within a block elimination would choose its pivots in an order of its own.
    ModularRowBasis basis(p, rows.num_columns(), {.block_rows = 1, .screens = 1});
    for (Index b = 0; b < rows.num_blocks(); ++b) {
        basis.append(rows.block(p, b), ModularMatrix());
    }
    basis.flush();
    RankGrowth growth{{0}};
    for (Index i = 0; i < data.num_sequences(); ++i) {
        Index rank = growth.ranks.back();
        for (Index e = data.first_example(i); e < data.first_example(i + 1); ++e) {
            rank += basis.status(e) == RowRelation::independent ? 1 : 0;
        }
        growth.ranks.push_back(rank);
    }
    return growth;
}

/// Whether every example brings something of its own, so that orders need no elimination of theirs.
bool are_independent(const Dataset& data) {
    const FeatureRows rows(data);
    return data.num_examples() <= rows.num_columns() &&
           rank_profile(rows.usable_modulus(), rows).rank() == data.num_examples();
}

RankGrowth growth_of_independent(const Dataset& data, const std::vector<Index>& order) {
    RankGrowth growth{{0}};
    for (const Index i : order) {
        growth.ranks.push_back(growth.ranks.back() + data.first_example(i + 1) -
                               data.first_example(i));
    }
    return growth;
}

}  // namespace

double coverage_bound(Index draws, Index rank, double confidence) {
    const std::vector<Index> sizes = subset_sizes(draws);
    std::vector<double> log_shares;
    log_shares.reserve(sizes.size());
    for (const Index size : sizes) {
        log_shares.push_back(log_share_holding(draws, size, std::min(rank, draws)));
    }
    return risk_bound(draws, sizes, log_shares, confidence);
}

Coverage coverage(const SequenceSource& data, const ExactRank& rank, double confidence) {
    require(confidence > 0.0 && confidence < 1.0,
            "coverage: got the confidence {}, expected a number between 0 and 1",
            round_trip(confidence));
    Coverage found;
    found.draws = data.shape().num_sequences();
    found.rank = rank.rank_upper;
    found.confidence = confidence;
    found.expected =
        std::min(1.0, static_cast<double>(rank.psi) / (static_cast<double>(found.draws) + 1.0));
    if (!rank.rank_is_exact()) {
        found.at_most = coverage_bound(found.draws, found.rank, confidence);
        return found;
    }
    const std::vector<Index> sizes = subset_sizes(found.draws);
    // A stream that the caller cannot change: among several draws of it one could choose.
    const Stream stream = Stream(0).child("coverage");
    const DrawSpans spans(data, rank.profile);
    found.at_most = risk_bound(
        found.draws, sizes, spanning_log_shares(spans, sizes, kWalks, stream), confidence);
    found.outside = draws_outside(spans);
    return found;
}

Index draws_for_coverage(Index psi, double open, double confidence) {
    Index fewer = psi;
    Index enough = std::max<Index>(2 * psi, 1);
    while (enough < kMostDraws && coverage_bound(enough, psi, confidence) > open) {
        fewer = enough;
        enough *= 2;
    }
    while (enough - fewer > 1) {
        const Index middle = fewer + (enough - fewer) / 2;
        (coverage_bound(middle, psi, confidence) > open ? fewer : enough) = middle;
    }
    return enough;
}

Index RankGrowth::reached_at() const {
    return std::lower_bound(ranks.begin(), ranks.end(), rank()) - ranks.begin();
}

std::vector<RankGrowth> rank_growth(const Dataset& data, Index orders, const Stream& stream) {
    const bool independent = are_independent(data);
    std::vector<RankGrowth> growths;
    for (Index k = 0; k < orders; ++k) {
        throw_if_stopped("rank_growth");
        note_progress("orders", k, orders);
        const std::vector<Index> order =
            random_permutation(data.num_sequences(), stream.child("order").child(k));
        growths.push_back(independent ? growth_of_independent(data, order)
                                      : growth_in_order(select_sequences(data, order)));
    }
    return growths;
}

std::vector<double> mean_outside(const std::vector<RankGrowth>& growths) {
    std::vector<double> counts(growths.front().ranks.size(), 0.0);
    for (const RankGrowth& growth : growths) {
        Index outside = 0;
        for (std::size_t k = 1; k < counts.size(); ++k) {
            outside += growth.ranks[k] > growth.ranks[k - 1] ? 1 : 0;
            counts[k] += static_cast<double>(outside) / static_cast<double>(growths.size());
        }
    }
    return counts;
}

}  // namespace attest
