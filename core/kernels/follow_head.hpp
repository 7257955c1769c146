#pragma once

#include "core/base/shape.hpp"
#include "core/kernels/kernel_arithmetic.hpp"
#include "core/kernels/kernel_dump.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

namespace attest {

/// Roundings that a term meets from its token's numbers to an output, whatever the order of the
/// sums: sums over K entries and over the C tokens of a chunk, and 12 for its products, the scale,
/// the two exp of a chunked kernel (4 each) and the sum of what is in the chunk and before it.
[[nodiscard]] constexpr double roundings_of_a_sum(Index key_dim, Index chunk) {
    return static_cast<double>(key_dim + chunk) + 16.0;
}

/// The largest of 1 and the sizes of a row's entries.
[[nodiscard]] double largest_size(const std::vector<double>& array, std::size_t row, Index width);

/// ‖row‖₂ from above.
[[nodiscard]] double row_norm(const std::vector<double>& array, std::size_t row, Index width);

/// What the state of one head is multiplied by at a token, and what that costs in roundings.
class HeadGates {
public:
    HeadGates(const KernelDump& dump, Index b, Index h, Index chunk);

    /// Token by token, from 0.
    void read(Index token);

    /// The factor of row j of the state; a logarithm's within 4 units of long double.
    [[nodiscard]] long double factor(Index j) const { return factors_[at(j)]; }

    /// Roundings that a term in row j meets at this token: one addition without a gate; with one
    /// also a product, its exp (4), and the error of cumulated logarithms of up to C gates, at the
    /// start and at the end of their difference: 2(C + 2)|log d|.
    [[nodiscard]] double weight(Index j) const { return weights_[at(j)]; }

    /// Roundings due to the logarithms cumulated before a term entered row j in its chunk.
    [[nodiscard]] double entering(Index j) const {
        return dump_.gate_width == 0 ? 0.0 : per_logarithm_ * window_.sum(at_index(j));
    }

    /// Of any row.
    [[nodiscard]] double largest_entering() const {
        double largest = 0.0;
        for (Index j = 0; j < dump_.gate_width; ++j) {
            largest = std::max(largest, entering(j));
        }
        return largest;
    }

    [[nodiscard]] double largest_factor() const { return largest_factor_; }

    [[nodiscard]] double largest_weight() const { return largest_weight_; }

private:
    [[nodiscard]] Index at_index(Index j) const { return dump_.gate_width > 1 ? j : 0; }

    [[nodiscard]] std::size_t at(Index j) const { return static_cast<std::size_t>(at_index(j)); }

    const KernelDump& dump_;
    Index b_;
    Index h_;
    double per_logarithm_;
    TokenWindow window_;
    std::vector<long double> factors_;
    std::vector<double> weights_;
    double largest_factor_ = 1.0;
    double largest_weight_ = 1.0;
};

/// Called with each token and its enclosed outputs (V); false stops.
using TokenVisitor = std::function<bool(Index token, const Enclosed& output)>;

/// Runs the reference recurrence of a head from the first token. Returns the state (K×V row by
/// row) after the last one, or nothing when it was stopped, or for a normalised recurrence.
[[nodiscard]] std::optional<Enclosed> follow_head(const KernelDump& dump,
                                                  Index b,
                                                  Index h,
                                                  const FollowOptions& options,
                                                  const TokenVisitor& visit);

}  // namespace attest
