#pragma once

#include "core/base/shape.hpp"
#include "core/kernels/precision.hpp"

#include <optional>
#include <vector>

namespace attest {

/// The arithmetic that a kernel is said to use.
struct KernelArithmetic {
    Precision accumulator = Precision::fp32;  ///< every product and sum is rounded to it
    /// What factors of matrix products are rounded to first; as fine as the accumulator: they are
    /// not.
    Precision operands = Precision::fp32;
    Precision output = Precision::fp32;   ///< what the outputs are stored in
    std::optional<Precision> state = {};  ///< what the final state is stored in; none: as summed
    Index chunk = 64;                     ///< the most tokens summed at once; 1: token by token
    double slack = 1.0;                   ///< times the roundings counted

    [[nodiscard]] Precision stored_state() const { return state.value_or(accumulator); }
};

/// Roundings on a term's way through a sum of products: relative units, and what underflow adds.
struct Roundings {
    double unit = 0.0;          ///< of an operation in the accumulator
    double operand_unit = 0.0;  ///< of a factor rounded before it is multiplied; 0: it is not
    double underflow = 0.0;

    /// How often a term may meet operand_unit: as query, key, score and state.
    static constexpr double kOperands = 4.0;

    /// The change, of first order, of a sum of terms of this total size that meet `counted`/size
    /// roundings each on average.
    [[nodiscard]] double first_order(double counted, double size) const {
        return unit * counted + kOperands * operand_unit * size;
    }

    /// c with |Π(1 + δ) − 1| ≤ c · (first order) for up to `count` roundings: (eˣ − 1)/x at
    /// x = count·unit + 4·operand_unit.
    [[nodiscard]] double growth(double count) const;
};

[[nodiscard]] Roundings roundings_of(const KernelArithmetic& arithmetic);
/// Those of our own reference, token by token in long double; exp is within 4 units (the manual of
/// the C library: 1).
[[nodiscard]] Roundings reference_roundings();

/// Bounds are themselves computed in double, from terms of one sign: short of 2²⁸ operations each
/// is low by less than this factor.
inline constexpr double kBoundInflation = 1.0 + 0x1p-24;

/// Sums over at least the last C tokens: over the block of C tokens that this one stands in and
/// the block before it, so that no alignment of chunks is missed. One sum a column.
class TokenWindow {
public:
    TokenWindow(Index chunk, Index columns);

    /// To be called before each token's values are added.
    void begin(Index token);

    void add(Index column, double value) { current_[static_cast<std::size_t>(column)] += value; }

    void raise(Index column, double value);

    [[nodiscard]] double sum(Index column) const {
        const auto at = static_cast<std::size_t>(column);
        return previous_[at] + current_[at];
    }

    /// The largest value raised, where a column is used so.
    [[nodiscard]] double largest(Index column) const;

private:
    Index chunk_;
    std::vector<double> previous_;
    std::vector<double> current_;
};

/// Numbers known up to rounding. |exact − value| ≤ radius; a kernel of the arithmetic asked for
/// differs from `value` by at most `bound`, before it stores its result.
struct Enclosed {
    std::vector<long double> value;
    std::vector<double> radius;
    std::vector<double> bound;

    explicit Enclosed(Index size = 0)
        : value(static_cast<std::size_t>(size)), radius(value.size()), bound(value.size()) {}
};

/// A fault to run the recurrence with: after every `every` tokens the state is rounded.
struct StateRounding {
    Precision precision = Precision::bf16;
    Index every = 1;
};

/// How a head is followed.
struct FollowOptions {
    KernelArithmetic arithmetic;
    std::optional<StateRounding> state_rounding = {};
};

}  // namespace attest
