#include "core/kernels/coarse_arithmetic.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/text.hpp"
#include "core/kernels/follow_head.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace attest {

namespace {

constexpr std::array<Precision, 3> kFineToCoarse{Precision::fp32, Precision::fp16, Precision::bf16};
constexpr std::array<Precision, 3> kOperands{Precision::tf32, Precision::fp16, Precision::bf16};
constexpr std::array<Index, 5> kEvery{1, 64, 128, 32, 16};
constexpr Index kTokensBehind = 256;
constexpr double kRoundingsOfARow = 32.0;
constexpr double kRoundingsOfAll = 8.0;  // root mean square, or one in so many
constexpr double kShareOfError = 0.5;    // more of the squared error than all that is left

bool coarser(Precision one, Precision other) {
    return unit_roundoff(one) > unit_roundoff(other);
}

bool stored_in(const std::vector<double>& outputs, Precision precision) {
    return std::all_of(outputs.begin(), outputs.end(), [&](double value) {
        return !std::isfinite(value) || bitwise_equal(rounded(precision, value), value);
    });
}

/// Σ (o − what the recurrence gives, stored as the outputs are)² over the heads up to a token.
double squared_error(const KernelDump& dump,
                     const FollowOptions& options,
                     const std::vector<Index>& heads,
                     Index last) {
    double sum = 0.0;
    for (const Index h : heads) {
        (void)follow_head(dump, 0, h, options, [&](Index t, const Enclosed& expected) {
            const double* const found =
                dump.o.data() + static_cast<Index>(dump.row(0, t, h)) * dump.value_dim;
            for (std::size_t c = 0; c < expected.value.size(); ++c) {
                const double value =
                    rounded(options.arithmetic.output, static_cast<double>(expected.value[c]));
                sum += (found[c] - value) * (found[c] - value);
            }
            return t < last;
        });
    }
    return sum;
}

/// ‖o − what the recurrence gives‖ and ‖what it gives‖ of each token of a head, and the product of
/// both summed over the tokens.
struct RowSizes {
    std::vector<double> error;
    std::vector<double> expected;
    double product = 0.0;
};

RowSizes row_sizes(const KernelDump& dump, const KernelArithmetic& arithmetic, Index h) {
    RowSizes sizes;
    (void)follow_head(dump, 0, h, {arithmetic}, [&](Index t, const Enclosed& expected) {
        const double* const found =
            dump.o.data() + static_cast<Index>(dump.row(0, t, h)) * dump.value_dim;
        double error = 0.0;
        double size = 0.0;
        for (std::size_t c = 0; c < expected.value.size(); ++c) {
            const auto value = static_cast<double>(expected.value[c]);
            error += (found[c] - value) * (found[c] - value);
            size += value * value;
            sizes.product += (found[c] - value) * value;
        }
        sizes.error.push_back(std::sqrt(error));
        sizes.expected.push_back(std::sqrt(size));
        return true;
    });
    return sizes;
}

double root_mean_square(const std::vector<double>& values) {
    double squares = 0.0;
    for (const double value : values) {
        squares += value * value;
    }
    return std::sqrt(squares / static_cast<double>(values.size()));
}

/// The root mean square of the errors that are left without the factor common to all rows.
double without_gain(const RowSizes& sizes) {
    const double error = root_mean_square(sizes.error);
    const double expected = root_mean_square(sizes.expected);
    const double along = sizes.product / (expected * static_cast<double>(sizes.expected.size()));
    return std::sqrt(std::max(0.0, error * error - along * along));
}

/// Whether every row's error is what roundings of this unit can make of numbers of its size, and
/// all together are no smaller than it makes them.
bool has_size_of_rounding(const KernelDump& dump,
                          const KernelArithmetic& arithmetic,
                          Index h,
                          double unit) {
    const RowSizes sizes = row_sizes(dump, arithmetic, h);
    const double typical = root_mean_square(sizes.expected);
    const double roundings = without_gain(sizes) / (unit * typical);
    if (!(roundings >= 1.0 / kRoundingsOfAll && roundings <= kRoundingsOfAll)) {
        return false;
    }
    for (std::size_t t = 0; t < sizes.error.size(); ++t) {
        const double size = std::max(typical, sizes.expected[t]);
        if (!(sizes.error[t] <= kRoundingsOfARow * unit * size)) {
            return false;
        }
    }
    return true;
}

/// Whether a coarser arithmetic, with this precision somewhere, accounts for the heads.
bool accounts_for(const KernelDump& dump,
                  const KernelArithmetic& coarse,
                  Precision precision,
                  const std::vector<Index>& heads) {
    return std::all_of(heads.begin(),
                       heads.end(),
                       [&](Index h) {
                           return has_size_of_rounding(dump, coarse, h, unit_roundoff(precision));
                       }) &&
           heads_fit(dump, 0, heads, coarse, DecidedRows::all);
}

}  // namespace

std::vector<Likeness> coarse_outputs(const KernelDump& dump,
                                     const KernelArithmetic& arithmetic,
                                     const std::vector<Index>& heads) {
    for (const Precision precision : kFineToCoarse) {
        KernelArithmetic stored = arithmetic;
        stored.output = precision;
        if (coarser(precision, arithmetic.output) && stored_in(dump.o, precision) &&
            heads_fit(dump, 0, heads, stored)) {
            return {{"outputs_in_low_precision",
                     formatted("the outputs are stored in {0}: say --output-type {0}",
                               to_string(precision))}};
        }
    }
    return {};
}

std::vector<Likeness> coarse_state(const KernelDump& dump,
                                   const KernelArithmetic& arithmetic,
                                   const std::vector<Index>& heads,
                                   Index first) {
    const Index last = std::min(dump.tokens - 1, first + kTokensBehind);
    double least = (1.0 - kShareOfError) * squared_error(dump, {arithmetic}, heads, last);
    std::vector<Likeness> found;
    for (const Precision precision : kFineToCoarse) {
        for (const Index every : kEvery) {
            if (!coarser(precision, arithmetic.accumulator) || every > dump.tokens) {
                continue;
            }
            const double left =
                squared_error(dump, {arithmetic, StateRounding{precision, every}}, heads, last);
            if (left < least) {
                least = left;
                found = {{"state_in_low_precision",
                          every == 1
                              ? formatted("the state is carried in too low a precision: in {} "
                                          "from token to token",
                                          to_string(precision))
                              : formatted("the state is carried in too low a precision: in {} "
                                          "between chunks of {} tokens",
                                          to_string(precision),
                                          every)}};
            }
        }
    }
    return found;
}

std::vector<Likeness> coarse_products(const KernelDump& dump,
                                      const KernelArithmetic& arithmetic,
                                      const std::vector<Index>& heads) {
    for (const Precision precision : kOperands) {
        KernelArithmetic cast = arithmetic;
        cast.operands = precision;
        if (coarser(precision, arithmetic.operands) && accounts_for(dump, cast, precision, heads)) {
            return {{"operands_in_low_precision",
                     formatted("factors of matrix products are rounded to {0}: if they may be, say "
                               "--operands {0}",
                               to_string(precision))}};
        }
    }
    for (const Precision precision : kFineToCoarse) {
        KernelArithmetic coarse = arithmetic;
        coarse.accumulator = precision;
        if (coarser(precision, arithmetic.accumulator) &&
            accounts_for(dump, coarse, precision, heads)) {
            return {{"accumulator_in_low_precision",
                     formatted("sums are accumulated in {}, or the error is merely of that size",
                               to_string(precision))}};
        }
    }
    return {};
}

}  // namespace attest
