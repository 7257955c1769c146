#include "core/certify/probe_exchange.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/certify/probe_design.hpp"
#include "core/features/cubic.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace attest {

namespace {

/// Gains below this share of the trace are rounding.
constexpr double kLeastGain = 1e-9;
/// A query whose leverage is nearer to 1 must stay: the others are deficient, or nearly so.
constexpr double kLeastRoom = 1e-6;
/// Rank squared times candidates.
constexpr double kMostWork = 5e8;

Matrix features_of(const Dataset& data) {
    return feature_columns<double>(sequence_moments<double>(data, 0, data.num_sequences()),
                                   data.layout());
}

/// The features of `all`, a column each, in an orthonormal basis of the span of the first `rank`:
/// norms are as before, and the rank is that of all rows.
Matrix in_span_of_first(const Dataset& all, Index rank) {
    const Matrix features = features_of(all);
    const Eigen::HouseholderQR<Matrix> factored(features.leftCols(rank));
    const Matrix basis = factored.householderQ() * Matrix::Identity(features.rows(), rank);
    return basis.transpose() * features;
}

/// Some of the columns h of a pool as a design, with M h for all of them, M = (Σ h hᵀ)⁻¹ over the
/// design.
class Design {
public:
    Design(const Matrix& pool, std::vector<Index> chosen)
        : pool_(pool), chosen_(std::move(chosen)) {
        const Matrix H = pool_(Eigen::all, chosen_);
        const Eigen::LLT<Matrix> gram(H * H.transpose());
        images_ = gram.solve(pool_);
        trace_ = gram.solve(Matrix::Identity(H.rows(), H.rows())).trace();
    }

    [[nodiscard]] double trace() const { return trace_; }

    [[nodiscard]] const std::vector<Index>& chosen() const { return chosen_; }

    /// Adds the column that lowers the trace most.
    void grow() {
        Vector changes(pool_.cols());
        for (Index k = 0; k < changes.size(); ++k) {
            changes(k) = change(k, 1.0);
        }
        Index best = 0;
        (void)changes.minCoeff(&best);
        update(best, 1.0);
        chosen_.push_back(best);
    }

    /// Drops the one whose leaving raises it least.
    void shrink() {
        const auto least = std::min_element(chosen_.begin(), chosen_.end(), [&](Index a, Index b) {
            return change(a, -1.0) < change(b, -1.0);
        });
        update(*least, -1.0);
        chosen_.erase(least);
    }

private:
    /// How the trace changes when column k comes (sign 1) or goes (−1), by Sherman and Morrison.
    [[nodiscard]] double change(Index k, double sign) const {
        const double room = 1.0 + sign * pool_.col(k).dot(images_.col(k));
        return room > kLeastRoom ? -sign * images_.col(k).squaredNorm() / room : HUGE_VAL;
    }

    void update(Index k, double sign) {
        trace_ += change(k, sign);
        const Vector image = images_.col(k);
        const double room = 1.0 + sign * pool_.col(k).dot(image);
        const Vector products = pool_.transpose() * image;
        images_.noalias() -= (sign / room) * image * products.transpose();
    }

    const Matrix& pool_;
    std::vector<Index> chosen_;
    Matrix images_;
    double trace_ = 0.0;
};

Design after_excursion(const Matrix& pool, const std::vector<Index>& chosen, Index length) {
    Design design(pool, chosen);
    for (Index k = 0; k < length; ++k) {
        design.grow();
    }
    for (Index k = 0; k < length; ++k) {
        design.shrink();
    }
    return design;
}

}  // namespace

QuieterQueries quieter_queries(const Dataset& start, const Dataset& candidates) {
    const Index rank = start.num_sequences();
    const double before = noise_factor(start, rank);
    require(std::isfinite(before), "quieter_queries: the queries are not independent");
    const Dataset all = concatenate(start, candidates);
    const auto r = static_cast<double>(rank);
    if (r * r * static_cast<double>(all.num_sequences()) > kMostWork) {
        throw NotAvailable(
            formatted("probe: --noise: {} candidates for {} queries of the layer {} take too long; "
                      "take a smaller d",
                      candidates.num_sequences(),
                      rank,
                      to_string(start.layer)));
    }
    const Matrix pool = in_span_of_first(all, rank);
    std::vector<Index> chosen(static_cast<std::size_t>(rank));
    std::iota(chosen.begin(), chosen.end(), Index{0});
    double trace = before;
    for (Index length = pool.rows(); length > 0; length /= 2) {
        for (;;) {
            const Design next = after_excursion(pool, chosen, length);
            if (!(next.trace() < (1.0 - kLeastGain) * trace)) {
                break;
            }
            trace = next.trace();
            chosen = next.chosen();
        }
    }
    std::sort(chosen.begin(), chosen.end());
    Dataset queries = select_sequences(all, chosen);
    const double after = noise_factor(queries, rank);
    const auto exchanged = std::count_if(
        chosen.begin(), chosen.end(), [&](Index k) { return k >= start.num_sequences(); });
    return after < before ? QuieterQueries{std::move(queries), after, exchanged}
                          : QuieterQueries{start, before, 0};
}

}  // namespace attest
