#include "core/kernels/kernel_arithmetic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attest {

double Roundings::growth(double count) const {
    const double x = count * unit + kOperands * operand_unit;
    return x > 0.0 ? std::expm1(x) / x : 1.0;
}

Roundings roundings_of(const KernelArithmetic& arithmetic) {
    const double unit = unit_roundoff(arithmetic.accumulator);
    const double operands = unit_roundoff(arithmetic.operands);
    return {
        arithmetic.slack * unit,
        operands > unit ? arithmetic.slack * operands : 0.0,
        arithmetic.slack * std::max(underflow_unit(arithmetic.accumulator),
                                    operands > unit ? underflow_unit(arithmetic.operands) : 0.0)};
}

Roundings reference_roundings() {
    return {static_cast<double>(std::numeric_limits<long double>::epsilon()) / 2.0, 0.0, 0.0};
}

TokenWindow::TokenWindow(Index chunk, Index columns)
    : chunk_(chunk),
      previous_(static_cast<std::size_t>(columns)),
      current_(static_cast<std::size_t>(columns)) {}

void TokenWindow::begin(Index token) {
    if (token % chunk_ == 0) {
        previous_.swap(current_);
        std::fill(current_.begin(), current_.end(), 0.0);
    }
}

void TokenWindow::raise(Index column, double value) {
    double& most = current_[static_cast<std::size_t>(column)];
    most = std::max(most, value);
}

double TokenWindow::largest(Index column) const {
    const auto at = static_cast<std::size_t>(column);
    return std::max(previous_[at], current_[at]);
}

}  // namespace attest
