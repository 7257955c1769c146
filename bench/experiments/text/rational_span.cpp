#include "bench/experiments/text/rational_span.hpp"

#include "core/base/error.hpp"
#include "core/base/memory.hpp"
#include "core/base/stop_scope.hpp"
#include "core/base/text.hpp"
#include "core/exact/float_product.hpp"
#include "core/exact/integer_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace attest {

namespace {

constexpr Index kBlockRows = 256;
constexpr Index kEntryBits = 60;

/// The rows times 2³⁰, in 8 bytes an entry.
class GridRows final : public IntegerRows {
public:
    explicit GridRows(const Matrix& rows) {
        require_memory(8.0 * static_cast<double>(rows.size()),
                       formatted("the rank of {} x {} features", rows.rows(), rows.cols()),
                       "take a smaller d, or fewer windows");
        entries_.resize(rows.rows(), rows.cols());
        for (Index k = 0; k < rows.size(); ++k) {
            const double scaled = std::ldexp(rows.data()[k], 30);
            require(std::abs(scaled) < 0x1p60 && std::abs(std::nearbyint(scaled) - scaled) <= 0.0,
                    "column_span: got {}, expected a multiple of 2^-30 below 2^30",
                    rows.data()[k]);
            entries_.data()[k] = static_cast<std::int64_t>(scaled);
        }
    }

    [[nodiscard]] Index num_columns() const override { return entries_.cols(); }

    [[nodiscard]] Index num_blocks() const override {
        return (entries_.rows() + kBlockRows - 1) / kBlockRows;
    }

    [[nodiscard]] Index first_row(Index b) const override {
        return std::min(b * kBlockRows, entries_.rows());
    }

    [[nodiscard]] ModularMatrix block(const Modulus& p, Index b) const override {
        throw_if_stopped("column_span");
        ModularMatrix rows(first_row(b + 1) - first_row(b), entries_.cols());
        for (Index i = 0; i < rows.rows(); ++i) {
            for (Index j = 0; j < rows.cols(); ++j) {
                rows(i, j) = p.reduce(entries_(first_row(b) + i, j));
            }
        }
        return rows;
    }

    [[nodiscard]] Index entry_bits() const override { return kEntryBits; }

private:
    MatrixOf<std::int64_t> entries_;
};

}  // namespace

ColumnSpan column_span(const Matrix& rows, const LiftOptions& effort) {
    if (rows.size() == 0) {
        return {};
    }
    const GridRows integers(rows);
    const RankProfile profile = higher_rank_profile(
        integers, Modulus(kFloatPrime), Modulus(), std::min(rows.rows(), rows.cols()));
    ColumnSpan found{{profile.rank(), std::min(rows.rows(), rows.cols())}, profile.pivot_columns};
    std::sort(found.pivots.begin(), found.pivots.end());
    if (!found.rank.is_exact()) {
        std::vector<Index> free;
        for (Index j = 0; j < rows.cols(); ++j) {
            if (!std::binary_search(found.pivots.begin(), found.pivots.end(), j)) {
                free.push_back(j);
            }
        }
        const IntegerNullSpace null_space = lift_null_space(integers, profile, free, effort);
        found.rank.upper = std::min(found.rank.upper, rows.cols() - std::ssize(null_space.vectors));
    }
    return found;
}

}  // namespace attest
