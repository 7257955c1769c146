#include "core/kernels/follow_head.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/interrupt.hpp"
#include "core/kernels/delta_head.hpp"
#include "core/kernels/kernel_arithmetic.hpp"
#include "core/kernels/linear_head.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

double largest_size(const std::vector<double>& array, std::size_t row, Index width) {
    double largest = 1.0;
    const double* const first = array.data() + static_cast<Index>(row) * width;
    for (Index j = 0; j < width; ++j) {
        largest = std::max(largest, std::abs(first[j]));
    }
    return largest;
}

double row_norm(const std::vector<double>& array, std::size_t row, Index width) {
    double squares = 0.0;
    const double* const first = array.data() + static_cast<Index>(row) * width;
    for (Index j = 0; j < width; ++j) {
        squares += first[j] * first[j];
    }
    return kBoundInflation * std::sqrt(squares);
}

namespace {

constexpr double kGateRoundings = 6.0;  // the state's product and addition, and exp within 4 units

}  // namespace

HeadGates::HeadGates(const KernelDump& dump, Index b, Index h, Index chunk)
    : dump_(dump),
      b_(b),
      h_(h),
      per_logarithm_(2.0 * (static_cast<double>(chunk) + 2.0)),
      window_(chunk, std::max<Index>(1, dump.gate_width)),
      factors_(static_cast<std::size_t>(std::max<Index>(1, dump.gate_width)), 1.0L),
      weights_(factors_.size(), 1.0) {}

void HeadGates::read(Index token) {
    if (dump_.gate_width == 0) {
        return;
    }
    window_.begin(token);
    largest_factor_ = 0.0;
    largest_weight_ = 0.0;
    const std::size_t first = dump_.row(b_, token, h_) * factors_.size();
    for (std::size_t j = 0; j < factors_.size(); ++j) {
        const double gate = dump_.gates[first + j];
        const auto wide = static_cast<long double>(gate);
        const bool logarithm = dump_.gate_form == GateEntry::logarithm;
        factors_[j] = logarithm ? std::exp(wide) : wide;
        // A gate of 0 clears the row: nothing is left whose error could grow.
        const double size =
            logarithm ? std::abs(gate) : (is_zero(gate) ? 0.0 : std::abs(std::log(std::abs(gate))));
        window_.add(static_cast<Index>(j), size);
        weights_[j] = kGateRoundings + per_logarithm_ * size;
        largest_factor_ = std::max(largest_factor_, static_cast<double>(std::abs(factors_[j])));
        largest_weight_ = std::max(largest_weight_, weights_[j]);
    }
}

namespace {

template <class Head>
std::optional<Enclosed> follow(Head head, const KernelDump& dump, const TokenVisitor& visit) {
    for (Index token = 0; token < dump.tokens; ++token) {
        throw_if_interrupted("kernel check");
        head.step(token);
        if (!visit(token, head.output())) {
            return std::nullopt;
        }
    }
    if (dump.recurrence == Recurrence::normalised) {
        return std::nullopt;
    }
    return head.state();
}

}  // namespace

std::optional<Enclosed> follow_head(const KernelDump& dump,
                                    Index b,
                                    Index h,
                                    const FollowOptions& options,
                                    const TokenVisitor& visit) {
    return is_delta(dump.recurrence) ? follow(DeltaHead(dump, b, h, options), dump, visit)
                                     : follow(LinearHead(dump, b, h, options), dump, visit);
}

}  // namespace attest
