#include "core/exact/row_block.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <utility>

namespace attest {

ReducedBlock reduce_block(const Modulus& p, const ModularMatrix& E, const ModularMatrix& Y) {
    const Echelon echelon = reduced_row_echelon(p, E);
    const ModularMatrix corner = select_columns(select_rows(E, echelon.pivot_rows), echelon.pivots);
    std::optional<ModularMatrix> labels = solve(p, corner, select_rows(Y, echelon.pivot_rows));
    ensure(labels.has_value(), "ModularRowBasis: the pivot block is singular");

    ReducedBlock found;
    // Rows that are not pivot rows now depend on those that are: their labels must follow.
    const ModularMatrix rest = subtract_product(p, Y, select_columns(E, echelon.pivots), *labels);
    for (Index i = 0; i < rest.rows(); ++i) {
        const bool agrees = std::all_of(
            rest.row(i), rest.row(i) + rest.cols(), [](Residue value) { return value == 0; });
        found.status.push_back(agrees ? RowRelation::consistent : RowRelation::inconsistent);
    }
    for (const Index i : echelon.pivot_rows) {
        found.status[static_cast<std::size_t>(i)] = RowRelation::independent;
    }
    found.pivots = echelon.pivots;
    found.free = other_columns(echelon.pivots, E.cols());
    found.pivot_rows = echelon.pivot_rows;
    found.F = select_columns(echelon.R, found.free);
    found.labels = std::move(*labels);
    return found;
}

}  // namespace attest
