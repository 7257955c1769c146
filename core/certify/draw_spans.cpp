#include "core/certify/draw_spans.hpp"

#include "core/base/error.hpp"
#include "core/exact/row_basis.hpp"
#include "core/exact/split_mix.hpp"

#include <algorithm>
#include <utility>

namespace attest {

DrawSpans::DrawSpans(const SequenceSource& data, const RankProfile& profile)
    : rows_(data), p_(profile.prime), columns_(profile.pivot_columns) {
    const SequenceShape shape = data.shape();
    const bool prefixes = shape.labels == LabelKind::per_prefix;
    for (Index i = 0; i <= shape.num_sequences(); ++i) {
        first_rows_.push_back(prefixes ? shape.offsets[static_cast<std::size_t>(i)] : i);
    }
    for (Index i = 0; i < num_draws(); ++i) {
        draw_of_row_.insert(draw_of_row_.end(), static_cast<std::size_t>(num_rows_of(i)), i);
    }
}

DrawSpans::NumberedRows DrawSpans::block(Index b, const std::vector<bool>& members) const {
    NumberedRows part;
    std::vector<Index> chosen;
    for (Index row = rows_.first_row(b); row < rows_.first_row(b + 1); ++row) {
        if (members[static_cast<std::size_t>(draw_of_row(row))]) {
            part.numbers.push_back(row);
            chosen.push_back(row - rows_.first_row(b));
        }
    }
    part.rows = chosen.empty() ? ModularMatrix(0, rank())
                               : select_rows(select_columns(rows_.block(p_, b), columns_), chosen);
    return part;
}

std::optional<std::vector<Index>> DrawSpans::pivot_rows(const std::vector<bool>& members) const {
    ModularRowBasis basis(p_, rank(), {.screens = screens_for(p_)});
    std::vector<Index> numbers;
    for (Index b = 0; b < rows_.num_blocks() && basis.rank() < rank(); ++b) {
        const NumberedRows part = block(b, members);
        numbers.insert(numbers.end(), part.numbers.begin(), part.numbers.end());
        basis.append(part.rows, ModularMatrix(part.rows.rows(), 0));
        basis.flush();
    }
    if (basis.rank() < rank()) {
        return std::nullopt;
    }
    std::vector<Index> pivots;
    for (const Index row : basis.pivot_rows()) {
        pivots.push_back(numbers[static_cast<std::size_t>(row)]);
    }
    return pivots;
}

ModularMatrix DrawSpans::free_entries(const std::vector<Index>& rows, Index count) const {
    ModularMatrix F(std::ssize(rows), count);
    for (Index i = 0; i < F.rows(); ++i) {
        for (Index c = 0; c < count; ++c) {
            const Index number = rows[static_cast<std::size_t>(i)] * count + c;
            F(i, c) = split_mix(static_cast<std::uint64_t>(number) + p_.prime()) % p_.prime();
        }
    }
    return F;
}

LeftNullVectors DrawSpans::left_null_vectors(const std::vector<bool>& members,
                                             std::vector<Index> pivots,
                                             Index count) const {
    std::sort(pivots.begin(), pivots.end());
    ModularMatrix A(0, rank());
    ModularMatrix target(rank(), count);
    for (Index b = 0; b < rows_.num_blocks(); ++b) {
        const NumberedRows part = block(b, members);
        std::vector<Index> inside;
        std::vector<Index> others;
        std::vector<Index> numbers;
        for (Index i = 0; i < part.rows.rows(); ++i) {
            const Index row = part.numbers[static_cast<std::size_t>(i)];
            if (std::binary_search(pivots.begin(), pivots.end(), row)) {
                inside.push_back(i);
            } else {
                others.push_back(i);
                numbers.push_back(row);
            }
        }
        A = stack(A, select_rows(part.rows, inside));
        target = subtract_product(p_,
                                  std::move(target),
                                  transpose(select_rows(part.rows, others)),
                                  free_entries(numbers, count));
    }
    std::optional<ModularMatrix> X = solve(p_, transpose(A), target);
    ensure(X.has_value(), "DrawSpans: the pivot rows are singular");
    return {std::move(pivots), std::move(*X)};
}

ModularMatrix DrawSpans::entries_at(const LeftNullVectors& null, Index draw) const {
    std::vector<Index> rows;
    for (Index row = first_row_of(draw); row < first_row_of(draw + 1); ++row) {
        rows.push_back(row);
    }
    ModularMatrix entries = free_entries(rows, null.entries.cols());
    for (Index i = 0; i < entries.rows(); ++i) {
        const Index row = rows[static_cast<std::size_t>(i)];
        const auto at = std::lower_bound(null.pivot_rows.begin(), null.pivot_rows.end(), row);
        if (at != null.pivot_rows.end() && *at == row) {
            std::copy_n(
                null.entries.row(at - null.pivot_rows.begin()), entries.cols(), entries.row(i));
        }
    }
    return entries;
}

}  // namespace attest
