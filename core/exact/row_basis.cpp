#include "core/exact/row_basis.hpp"

#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/pick.hpp"
#include "core/base/text.hpp"
#include "core/exact/modulus.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace attest {

namespace {

void append_all(std::vector<Index>& to, const std::vector<Index>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

/// Each block reads and writes the whole basis once, which for a large one is a third of the time.
RowBasisOptions with_block_rows(RowBasisOptions options, Index num_columns) {
    if (options.block_rows == 0) {
        options.block_rows = num_columns < 4000 ? 256 : 512;
    }
    return options;
}

}  // namespace

Index screens_for(const Modulus& p) {
    const Index prime_bits = std::max(Index{2}, static_cast<Index>(std::bit_width(p.prime())));
    return 60 / prime_bits + 1;
}

ModularRowBasis::ModularRowBasis(const Modulus& p, Index num_columns, RowBasisOptions options)
    : p_(p),
      num_columns_(num_columns),
      options_(with_block_rows(options, num_columns)),
      free_(static_cast<std::size_t>(num_columns)),
      F_(0, num_columns),
      labels_(0, options.num_labels),
      solution_(options.num_labels, num_columns),
      buffer_(options_.block_rows, num_columns),
      buffer_labels_(options_.block_rows, options.num_labels) {
    require(num_columns >= 1 && options_.block_rows >= 1,
            "ModularRowBasis: needs at least one column and one row a block");
    std::iota(free_.begin(), free_.end(), Index{0});
    renew_screens();
}

Index ModularRowBasis::append(std::span<const Residue> row, std::span<const Residue> labels) {
    require(static_cast<Index>(row.size()) == num_columns_,
            "append: got a row of {} entries, expected {}",
            row.size(),
            num_columns_);
    const Functional dot = [&](const Residue* v) { return p_.dot(row.data(), v, num_columns_); };
    if (!settle_by_screens(dot, labels)) {
        std::copy(row.begin(), row.end(), buffer_row(labels));
    }
    return finish_append();
}

Index ModularRowBasis::append_sparse(std::span<const SparseEntry> row,
                                     std::span<const Residue> labels) {
    const Functional dot = [&](const Residue* v) { return p_.dot(row, v); };
    const auto misplaced = std::find_if(row.begin(), row.end(), [&](const SparseEntry& entry) {
        return entry.column < 0 || entry.column >= num_columns_;
    });
    if (misplaced != row.end()) {
        throw InvalidInput(
            formatted("append_sparse: got column {} of {}", misplaced->column, num_columns_));
    }
    if (!settle_by_screens(dot, labels)) {
        Residue* to = buffer_row(labels);
        std::fill_n(to, num_columns_, Residue{0});
        for (const SparseEntry& entry : row) {
            to[entry.column] = p_.add(to[entry.column], entry.value);
        }
    }
    return finish_append();
}

void ModularRowBasis::append(const ModularMatrix& rows, const ModularMatrix& labels) {
    require(rows.rows() == labels.rows() || options_.num_labels == 0,
            "append: rows and labels differ in number");
    const auto columns = static_cast<std::size_t>(rows.cols());
    const auto num_labels = static_cast<std::size_t>(options_.num_labels);
    for (Index i = 0; i < rows.rows(); ++i) {
        append(std::span(rows.row(i), columns),
               num_labels == 0 ? std::span<const Residue>() : std::span(labels.row(i), num_labels));
    }
}

bool ModularRowBasis::settle_by_screens(const Functional& row, std::span<const Residue> labels) {
    require(static_cast<Index>(labels.size()) == options_.num_labels,
            "append: got {} labels, expected {}",
            labels.size(),
            options_.num_labels);
    for (Index s = 0; s < options_.screens; ++s) {
        if (row(screens_.row(s)) != 0) {
            return false;
        }
    }
    if (options_.screens == 0) {
        return false;
    }
    bool agrees = true;
    for (Index a = 0; a < options_.num_labels; ++a) {
        agrees = agrees && row(solution_.row(a)) == labels[static_cast<std::size_t>(a)];
    }
    status_.push_back(agrees ? RowRelation::consistent : RowRelation::inconsistent);
    return true;
}

Residue* ModularRowBasis::buffer_row(std::span<const Residue> labels) {
    const auto at = static_cast<Index>(buffered_.size());
    std::copy(labels.begin(), labels.end(), buffer_labels_.row(at));
    buffered_.push_back(num_rows());
    status_.push_back(RowRelation::pending);
    return buffer_.row(at);
}

Index ModularRowBasis::finish_append() {
    const Index number = num_rows() - 1;
    if (static_cast<Index>(buffered_.size()) == options_.block_rows) {
        flush();
    }
    return number;
}

void ModularRowBasis::flush() {
    if (buffered_.empty()) {
        return;
    }
    throw_if_stopped("ModularRowBasis");
    std::vector<Index> filled(buffered_.size());
    std::iota(filled.begin(), filled.end(), Index{0});
    eliminate(select_rows(buffer_, filled), select_rows(buffer_labels_, filled));
    buffered_.clear();
}

void ModularRowBasis::eliminate(const ModularMatrix& rows, const ModularMatrix& labels) {
    const ModularMatrix C = select_columns(rows, pivots_);
    const ModularMatrix E = subtract_product(p_, select_columns(rows, free_), C, F_);
    const ModularMatrix Y = subtract_product(p_, labels, C, labels_);
    const bool is_panel = E.rows() <= kPanelRows || E.cols() == 0;
    const ReducedBlock found = is_panel ? reduce_block(p_, E, Y) : reduce_by_panels(E, Y);
    for (std::size_t i = 0; i < found.status.size(); ++i) {
        status_[static_cast<std::size_t>(buffered_[i])] = found.status[i];
    }
    if (!found.pivots.empty()) {
        absorb(found);
    }
}

ReducedBlock ModularRowBasis::reduce_by_panels(const ModularMatrix& E,
                                               const ModularMatrix& Y) const {
    ModularRowBasis inner(p_, E.cols(), {options_.num_labels, kPanelRows, 0});
    inner.append(E, Y);
    inner.flush();
    return {inner.pivots_, inner.free_, inner.pivot_rows_, inner.F_, inner.labels_, inner.status_};
}

void ModularRowBasis::absorb(const ReducedBlock& found) {
    const ModularMatrix G = select_columns(F_, found.pivots);
    F_ = stack(subtract_product(p_, select_columns(F_, found.free), G, found.F), found.F);
    labels_ = stack(subtract_product(p_, labels_, G, found.labels), found.labels);

    append_all(pivots_, pick(free_, found.pivots));
    append_all(pivot_rows_, pick(buffered_, found.pivot_rows));
    free_ = pick(free_, found.free);

    for (Index r = 0; r < rank(); ++r) {
        for (Index a = 0; a < options_.num_labels; ++a) {
            solution_(a, pivots_[static_cast<std::size_t>(r)]) = labels_(r, a);
        }
    }
    renew_screens();
}

void ModularRowBasis::renew_screens() {
    screens_ = ModularMatrix(options_.screens, num_columns_);
    ModularMatrix weights(options_.screens, static_cast<Index>(free_.size()));
    for (Index s = 0; s < options_.screens; ++s) {
        for (Index j = 0; j < weights.cols(); ++j) {
            weights(s, j) = split_mix(++draws_) % p_.prime();
            screens_(s, free_[static_cast<std::size_t>(j)]) = weights(s, j);
        }
        for (Index r = 0; r < rank(); ++r) {
            screens_(s, pivots_[static_cast<std::size_t>(r)]) =
                p_.negate(p_.dot(F_.row(r), weights.row(s), weights.cols()));
        }
    }
}

Index ModularRowBasis::count(RowRelation status) const {
    return std::count(status_.begin(), status_.end(), status);
}

ModularMatrix ModularRowBasis::null_basis() const {
    ModularMatrix basis(static_cast<Index>(free_.size()), num_columns_);
    for (Index i = 0; i < basis.rows(); ++i) {
        basis(i, free_[static_cast<std::size_t>(i)]) = 1;
        for (Index r = 0; r < rank(); ++r) {
            basis(i, pivots_[static_cast<std::size_t>(r)]) = p_.negate(F_(r, i));
        }
    }
    return basis;
}

bool ModularRowBasis::spans(std::span<const Residue> row) const {
    require(static_cast<Index>(row.size()) == num_columns_, "spans: the row's length is wrong");
    ModularMatrix coefficients(1, rank());
    for (Index r = 0; r < rank(); ++r) {
        coefficients(0, r) = row[static_cast<std::size_t>(pivots_[static_cast<std::size_t>(r)])];
    }
    ModularMatrix rest(1, static_cast<Index>(free_.size()));
    for (Index j = 0; j < rest.cols(); ++j) {
        rest(0, j) = row[static_cast<std::size_t>(free_[static_cast<std::size_t>(j)])];
    }
    rest = subtract_product(p_, std::move(rest), coefficients, F_);
    return std::all_of(rest.row(0), rest.row(0) + rest.cols(), [](Residue v) { return v == 0; });
}

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
