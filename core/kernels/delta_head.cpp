#include "core/kernels/delta_head.hpp"

#include "core/kernels/follow_head.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

DeltaHead::DeltaHead(const KernelDump& dump, Index b, Index h, const FollowOptions& options)
    : dump_(dump),
      b_(b),
      h_(h),
      options_(options),
      gates_(dump, b, h, options.arithmetic.chunk),
      S_(static_cast<std::size_t>(dump.key_dim * dump.value_dim)),
      r_(static_cast<std::size_t>(dump.value_dim)),
      sums_(r_.size()),
      column_norms_(r_.size()),
      drifts_{Drift{roundings_of(options.arithmetic),
                    std::vector<double>(r_.size()),
                    TokenWindow(options.arithmetic.chunk, dump.value_dim),
                    TokenWindow(options.arithmetic.chunk, dump.value_dim)},
              Drift{reference_roundings(),
                    std::vector<double>(r_.size()),
                    TokenWindow(options.arithmetic.chunk, dump.value_dim),
                    TokenWindow(options.arithmetic.chunk, dump.value_dim)}},
      output_(dump.value_dim) {
    if (!dump.initial_state.empty()) {
        start(dump.initial_state);
    }
}

void DeltaHead::start(const std::vector<double>& initial) {
    std::copy_n(
        initial.begin() + static_cast<Index>(dump_.state(b_, h_)), std::ssize(S_), S_.begin());
    for (std::size_t at = 0; at < S_.size(); ++at) {
        const auto entry = static_cast<double>(S_[at]);
        column_norms_[at % r_.size()] += entry * entry;
    }
    for (std::size_t c = 0; c < r_.size(); ++c) {
        column_norms_[c] = kBoundInflation * std::sqrt(column_norms_[c]);
    }
}

void DeltaHead::add_token(std::size_t row) {
    const double* const q = dump_.q.data() + static_cast<Index>(row) * dump_.key_dim;
    const double* const k = dump_.k.data() + static_cast<Index>(row) * dump_.key_dim;
    const double* const v = dump_.v.data() + static_cast<Index>(row) * dump_.value_dim;
    const auto beta = static_cast<long double>(dump_.beta[row]);
    std::fill(r_.begin(), r_.end(), 0.0L);
    for (Index j = 0; j < dump_.key_dim; ++j) {
        long double* const S = S_.data() + j * dump_.value_dim;
        for (std::size_t c = 0; c < r_.size(); ++c) {
            S[c] *= gates_.factor(j);
            r_[c] += static_cast<long double>(k[j]) * S[c];
        }
    }
    for (std::size_t c = 0; c < r_.size(); ++c) {
        r_[c] = beta * (static_cast<long double>(v[c]) - r_[c]);
    }
    std::fill(sums_.begin(), sums_.end(), 0.0L);
    std::vector<double> squares(r_.size());
    for (Index j = 0; j < dump_.key_dim; ++j) {
        long double* const S = S_.data() + j * dump_.value_dim;
        for (std::size_t c = 0; c < r_.size(); ++c) {
            S[c] += static_cast<long double>(k[j]) * r_[c];
            sums_[c] += static_cast<long double>(q[j]) * S[c];
            const auto entry = static_cast<double>(S[c]);
            squares[c] += entry * entry;
        }
    }
    for (std::size_t c = 0; c < r_.size(); ++c) {
        column_norms_[c] = kBoundInflation * std::sqrt(squares[c]);
    }
}

DeltaHead::TokenNorms DeltaHead::norms_of(std::size_t row) const {
    TokenNorms norms;
    norms.query = row_norm(dump_.q, row, dump_.key_dim);
    norms.key = row_norm(dump_.k, row, dump_.key_dim);
    norms.beta = std::abs(dump_.beta[row]);
    norms.gate = gates_.largest_factor();
    const double along = 1.0 - dump_.beta[row] * norms.key * norms.key;
    norms.shrink = norms.gate * std::max(1.0, kBoundInflation * std::abs(along));
    norms.weight = gates_.largest_weight();
    norms.entering =
        roundings_of_a_sum(dump_.key_dim, options_.arithmetic.chunk) + gates_.largest_entering();
    norms.largest = largest_size(dump_.q, row, dump_.key_dim) *
                    largest_size(dump_.k, row, dump_.key_dim) * std::max(1.0, norms.beta) *
                    static_cast<double>(dump_.key_dim + options_.arithmetic.chunk);
    return norms;
}

/// An upper bound of a chunk's state at its start and all its tokens add, in this column.
double DeltaHead::size(const Drift& drift, Index column) {
    return drift.norms.largest(column) + drift.updates.sum(column);
}

void DeltaHead::drift(Drift& drift, Index token, std::size_t row, const TokenNorms& norms) const {
    const Roundings& roundings = drift.roundings;
    const double growth = kBoundInflation * roundings.growth(norms.entering + norms.weight);
    drift.norms.begin(token);
    drift.updates.begin(token);
    for (Index c = 0; c < dump_.value_dim; ++c) {
        const auto at = static_cast<std::size_t>(c);
        const double value = std::abs(dump_.v[row * r_.size() + at]);
        double& error = drift.error[at];
        const double before = norms.key * size(drift, c);
        const double residual =
            norms.beta *
            (growth * roundings.first_order(norms.entering * (value + before), value + before) +
             roundings.underflow * norms.largest * (1.0 + size(drift, c)));
        const double update = norms.key * (static_cast<double>(std::abs(r_[at])) +
                                           norms.beta * norms.key * norms.gate * error + residual);
        drift.updates.add(c, kBoundInflation * update);
        error = norms.shrink * error + norms.key * residual +
                growth * (roundings.unit * norms.weight * size(drift, c) +
                          roundings.first_order(gates_.largest_entering() * update, update)) +
                roundings.underflow * norms.largest;
        error *= kBoundInflation;
        drift.norms.raise(c, column_norms_[at] + error);
    }
}

void DeltaHead::step(Index token) {
    gates_.read(token);
    const std::size_t row = dump_.row(b_, token, h_);
    for (Drift& drift : drifts_) {
        for (Index c = 0; token == 0 && c < dump_.value_dim; ++c) {
            drift.norms.raise(c, column_norms_[static_cast<std::size_t>(c)]);
        }
    }
    add_token(row);
    const TokenNorms norms = norms_of(row);
    const double scale = std::abs(dump_.scale);
    for (Drift& each : drifts_) {
        drift(each, token, row, norms);
    }
    const auto error_of = [&](const Drift& drift, Index c) {
        const double size_here = size(drift, c);
        const double fresh = kBoundInflation * drift.roundings.growth(norms.entering) *
                             drift.roundings.first_order(norms.entering * size_here, size_here);
        return scale * norms.query * (drift.error[static_cast<std::size_t>(c)] + fresh) +
               drift.roundings.underflow * norms.largest * std::max(1.0, scale) * (1.0 + size_here);
    };
    for (std::size_t c = 0; c < r_.size(); ++c) {
        output_.value[c] = static_cast<long double>(dump_.scale) * sums_[c];
        output_.radius[c] = error_of(drifts_[1], static_cast<Index>(c));
        output_.bound[c] = output_.radius[c] + error_of(drifts_[0], static_cast<Index>(c));
    }
    round_state(token);
}

void DeltaHead::round_state(Index token) {
    if (options_.state_rounding && (token + 1) % options_.state_rounding->every == 0) {
        for (long double& entry : S_) {
            entry = static_cast<long double>(
                rounded(options_.state_rounding->precision, static_cast<double>(entry)));
        }
    }
}

Enclosed DeltaHead::state() const {
    Enclosed state(std::ssize(S_));
    for (std::size_t at = 0; at < S_.size(); ++at) {
        const std::size_t c = at % r_.size();
        state.value[at] = S_[at];
        state.radius[at] = drifts_[1].error[c];
        state.bound[at] = drifts_[1].error[c] + drifts_[0].error[c];
    }
    return state;
}

}  // namespace attest
