#include "core/kernels/linear_head.hpp"

#include "core/kernels/follow_head.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {

namespace {

constexpr double kUnderflowingProducts = 8.0;  // of one term, beside two a token for its state

}  // namespace

LinearHead::LinearHead(const KernelDump& dump, Index b, Index h, const FollowOptions& options)
    : dump_(dump),
      b_(b),
      h_(h),
      options_(options),
      kernel_(roundings_of(options.arithmetic)),
      gates_(dump, b, h, options.arithmetic.chunk),
      columns_(dump.value_dim + (dump.recurrence == Recurrence::normalised ? 1 : 0)),
      S_(static_cast<std::size_t>(dump.key_dim * columns_)),
      A_(S_.size()),
      R_(S_.size()),
      v_(static_cast<std::size_t>(columns_), 1.0),
      sums_{std::vector<long double>(v_.size()),
            std::vector<double>(v_.size()),
            std::vector<double>(v_.size())},
      most_roundings_(roundings_of_a_sum(dump.key_dim, options.arithmetic.chunk)),
      output_(dump.value_dim) {
    if (!dump.initial_state.empty()) {
        start(dump.initial_state);
    }
}

void LinearHead::start(const std::vector<double>& initial) {
    const auto from = initial.begin() + static_cast<Index>(dump_.state(b_, h_));
    std::copy_n(from, std::ssize(S_), S_.begin());
    for (std::size_t at = 0; at < S_.size(); ++at) {
        A_[at] = static_cast<double>(std::abs(S_[at]));
        R_[at] = most_roundings_ * A_[at];
    }
    largest_products_ =
        static_cast<double>(dump_.key_dim) * std::max(1.0, *std::max_element(A_.begin(), A_.end()));
}

void LinearHead::add_token(Index token) {
    const std::size_t row = dump_.row(b_, token, h_);
    const double* const q = dump_.q.data() + static_cast<Index>(row) * dump_.key_dim;
    const double* const k = dump_.k.data() + static_cast<Index>(row) * dump_.key_dim;
    const auto width = static_cast<std::size_t>(columns_);
    std::fill(sums_.value.begin(), sums_.value.end(), 0.0L);
    std::fill(sums_.size.begin(), sums_.size.end(), 0.0);
    std::fill(sums_.counted.begin(), sums_.counted.end(), 0.0);
    const double fresh = roundings_of_a_sum(dump_.key_dim, options_.arithmetic.chunk);
    for (Index j = 0; j < dump_.key_dim; ++j) {
        const long double factor = gates_.factor(j);
        const auto shrink = static_cast<double>(std::abs(factor));
        const double weight = gates_.weight(j);
        const double entering = fresh + gates_.entering(j);
        most_roundings_ = std::max(most_roundings_, entering);
        const auto key = static_cast<long double>(k[j]);
        const double query_size = std::abs(q[j]);
        const double key_size = std::abs(k[j]);
        long double* const S = S_.data() + j * columns_;
        double* const A = A_.data() + j * columns_;
        double* const R = R_.data() + j * columns_;
        for (std::size_t c = 0; c < width; ++c) {
            S[c] = factor * S[c] + key * static_cast<long double>(v_[c]);
            sums_.value[c] += static_cast<long double>(q[j]) * S[c];
        }
        for (std::size_t c = 0; c < width; ++c) {
            const double term = key_size * std::abs(v_[c]);
            R[c] = shrink * (R[c] + weight * A[c]) + entering * term;
            A[c] = shrink * A[c] + term;
            sums_.size[c] += query_size * A[c];
            sums_.counted[c] += query_size * R[c];
        }
    }
}

void LinearHead::step(Index token) {
    gates_.read(token);
    tokens_ = token + 1;
    const std::size_t row = dump_.row(b_, token, h_);
    std::copy_n(
        dump_.v.begin() + static_cast<Index>(row) * dump_.value_dim, dump_.value_dim, v_.begin());
    most_roundings_ += gates_.largest_weight();
    add_token(token);
    const double key = largest_size(dump_.k, row, dump_.key_dim);
    const double value = largest_size(dump_.v, row, dump_.value_dim);
    largest_products_ = std::max(1.0, gates_.largest_factor()) * largest_products_ +
                        static_cast<double>(dump_.key_dim) * key * value;
    const double query = largest_size(dump_.q, row, dump_.key_dim);
    const double scale = std::abs(dump_.scale);
    const double underflow = kernel_.underflow * query * std::max(1.0, scale) * largest_products_ *
                             (kUnderflowingProducts + 2.0 * static_cast<double>(tokens_));
    for (std::size_t c = 0; c < output_.value.size(); ++c) {
        output_.value[c] = static_cast<long double>(dump_.scale) * sums_.value[c];
        output_.radius[c] = scale * error(own_, sums_.size[c], sums_.counted[c]);
        output_.bound[c] =
            output_.radius[c] + underflow + scale * error(kernel_, sums_.size[c], sums_.counted[c]);
    }
    if (dump_.recurrence == Recurrence::normalised) {
        divide(row, sums_);
    }
    round_state(token);
}

double LinearHead::error(const Roundings& roundings, double size, double counted) const {
    return kBoundInflation * roundings.growth(most_roundings_) *
           roundings.first_order(counted, size);
}

/// |N̂/D̂ − N/D| ≤ (δN + |N/D| δD)/(|D| − δD), and two roundings for the sum with ε and the quotient.
void LinearHead::divide(std::size_t row, const Sums& sums) {
    const double scale = std::abs(dump_.scale);
    const std::size_t last = sums.value.size() - 1;
    const bool given = !dump_.denominators.empty();
    const long double D = given ? static_cast<long double>(dump_.denominators[row])
                                : static_cast<long double>(dump_.scale) * sums.value[last] +
                                      static_cast<long double>(dump_.epsilon);
    const auto size = static_cast<double>(std::abs(D));
    const auto quotient_error = [&](const Roundings& roundings, double numerator, double quotient) {
        const double own =
            given ? 0.0 : scale * error(roundings, sums.size[last], sums.counted[last]);
        if (!(own < size)) {
            return std::numeric_limits<double>::infinity();
        }
        const double moved = (numerator + quotient * own) / (size - own);
        return kBoundInflation * (moved + 4.0 * roundings.unit * (quotient + moved));
    };
    for (std::size_t c = 0; c < output_.value.size(); ++c) {
        output_.value[c] = size > 0.0 ? output_.value[c] / D : 0.0L;
        const auto quotient = static_cast<double>(std::abs(output_.value[c]));
        const double numerator = output_.bound[c] - output_.radius[c];
        output_.radius[c] = quotient_error(own_, output_.radius[c], quotient);
        output_.bound[c] = output_.radius[c] + quotient_error(kernel_, numerator, quotient);
    }
}

void LinearHead::round_state(Index token) {
    if (options_.state_rounding && (token + 1) % options_.state_rounding->every == 0) {
        for (long double& entry : S_) {
            entry = static_cast<long double>(
                rounded(options_.state_rounding->precision, static_cast<double>(entry)));
        }
    }
}

Enclosed LinearHead::state() const {
    Enclosed state(std::ssize(S_));
    const double underflow = kernel_.underflow * largest_products_ *
                             (kUnderflowingProducts + 2.0 * static_cast<double>(tokens_));
    for (std::size_t at = 0; at < S_.size(); ++at) {
        state.value[at] = S_[at];
        state.radius[at] = error(own_, A_[at], R_[at]);
        state.bound[at] = state.radius[at] + underflow + error(kernel_, A_[at], R_[at]);
    }
    return state;
}

}  // namespace attest
