#include "core/certify/learner.hpp"

#include "core/base/error.hpp"
#include "core/exact/lift.hpp"

#include <algorithm>
#include <utility>

namespace attest {

namespace {

/// Integers with a common denominator behind residues, as a primitive vector whose last entry is
/// that of `unit`, or nothing.
std::optional<IntegerVector> small_fractions(const Modulus& p, const std::vector<Residue>& known) {
    ResidueVector residues{{}, Integer(p.prime())};
    residues.values.reserve(known.size());
    for (const Residue value : known) {
        residues.values.emplace_back(value);
    }
    return reconstruct_primitive(residues);
}

std::int64_t to_int64(const Integer& value) {
    return value.convert_to<std::int64_t>();
}

Index digits_needed(const std::vector<IntegerVector>& vectors) {
    Index bits = 1;
    for (const IntegerVector& v : vectors) {
        for (Index j = 0; j < v.size(); ++j) {
            bits = std::max(bits, bit_length(v(j)));
        }
    }
    return (bits + RowSpan::kDigitBits - 1) / RowSpan::kDigitBits;
}

IntegerMap to_digits(const std::vector<IntegerVector>& vectors, Index num_classes, Index places) {
    const Integer base = Integer(1) << RowSpan::kDigitBits;
    std::vector<MapEntry> entries;
    for (std::size_t i = 0; i < vectors.size(); ++i) {
        const Index first = static_cast<Index>(i) * places;
        for (Index j = 0; j < num_classes; ++j) {
            Integer rest = vectors[i](j);
            for (Index place = 0; rest != 0; ++place) {
                // Truncating division: digits carry the sign of the entry.
                const Integer digit(rest % base);
                if (digit != 0) {
                    entries.push_back({first + place, j, digit.convert_to<std::int64_t>()});
                }
                rest /= base;
            }
        }
    }
    return {static_cast<Index>(vectors.size()) * places, num_classes, std::move(entries)};
}

/// Whether Σ sums[k]·2^(48k) = 0, by carrying from the lowest place.
bool all_zero(std::span<const std::int64_t> sums) {
    constexpr std::int64_t kBase = std::int64_t{1} << RowSpan::kDigitBits;
    std::int64_t carry = 0;
    for (std::size_t place = 0; place + 1 < sums.size(); ++place) {
        // |carry| ≤ 2¹⁶, so only the lower bits of the sum can meet it without overflow.
        const std::int64_t low = sums[place] % kBase + carry;
        if (low % kBase != 0) {
            return false;
        }
        carry = sums[place] / kBase + low / kBase;
    }
    return sums.back() == -carry;
}

}  // namespace

ExactLearner::ExactLearner(const ColumnClasses& classes, Index num_outputs, std::uint64_t prime)
    : classes_(classes),
      num_outputs_(num_outputs),
      p_(prime),
      basis_(p_, classes.num_classes(), {.num_labels = num_outputs, .screens = screens_for(p_)}) {}

std::vector<Residue> ExactLearner::label_residues(std::span<const IntegerEntry> label) const {
    std::vector<Residue> residues(static_cast<std::size_t>(num_outputs_), 0);
    for (const IntegerEntry& entry : label) {
        residues.at(static_cast<std::size_t>(entry.column)) = p_.reduce(entry.value);
    }
    return residues;
}

std::vector<SparseEntry> ExactLearner::residues(const ClassRow& row) const {
    std::vector<SparseEntry> entries;
    entries.reserve(row.size());
    for (const IntegerEntry& entry : row) {
        entries.push_back({entry.column, p_.reduce(entry.value)});
    }
    return entries;
}

void ExactLearner::append(std::span<const IntegerEntry> row, std::span<const IntegerEntry> label) {
    const std::optional<ClassRow> projected = classes_.project(row);
    require(projected.has_value(), "ExactLearner: the row breaks the classes of columns");
    basis_.append_sparse(residues(*projected), label_residues(label));
}

RowJudgement ExactLearner::judge(std::span<const IntegerEntry> row,
                                 std::span<const IntegerEntry> label) const {
    const std::optional<ClassRow> projected = classes_.project(row);
    if (!projected) {
        return RowJudgement::outside;
    }
    const std::vector<SparseEntry> entries = residues(*projected);
    const ModularMatrix& screens = basis_.screens();
    for (Index s = 0; s < screens.rows(); ++s) {
        if (p_.dot(entries, screens.row(s)) != 0) {
            return RowJudgement::outside;
        }
    }
    return agrees(entries, label) ? RowJudgement::fitted : RowJudgement::refuted;
}

bool ExactLearner::agrees(std::span<const SparseEntry> row,
                          std::span<const IntegerEntry> label) const {
    const std::vector<Residue> y = label_residues(label);
    for (Index a = 0; a < num_outputs_; ++a) {
        if (p_.dot(row, basis_.solution().row(a)) != y[static_cast<std::size_t>(a)]) {
            return false;
        }
    }
    return true;
}

bool ExactLearner::predicts(std::span<const IntegerEntry> row,
                            std::span<const IntegerEntry> label) const {
    // The basic solution lives on representatives: other columns have coefficient 0.
    ClassRow kept;
    for (const IntegerEntry& entry : row) {
        const Index number = classes_.class_of(entry.column);
        if (number >= 0 && classes_.representative(number) == entry.column) {
            kept.push_back({number, entry.value});
        }
    }
    return agrees(residues(kept), label);
}

std::optional<ExactMinimiser> ExactLearner::minimiser() const {
    const ModularMatrix& solution = basis_.solution();
    std::vector<Residue> all;
    for (Index a = 0; a < num_outputs_; ++a) {
        for (const Index j : basis_.pivots()) {
            all.push_back(solution(a, j));
        }
    }
    all.push_back(1);  // the common denominator ends up here
    const std::optional<IntegerVector> lifted = small_fractions(p_, all);
    if (!lifted) {
        return std::nullopt;
    }
    const Integer denominator = (*lifted)(lifted->size() - 1);
    const std::int64_t sign = denominator < 0 ? -1 : 1;
    std::vector<MapEntry> entries;
    Index at = 0;
    for (Index a = 0; a < num_outputs_; ++a) {
        for (const Index j : basis_.pivots()) {
            const std::int64_t value = sign * to_int64((*lifted)(at++));
            if (value != 0) {
                entries.push_back({a, classes_.representative(j), value});
            }
        }
    }
    return ExactMinimiser{sign * to_int64(denominator),
                          IntegerMap(num_outputs_, classes_.num_columns(), std::move(entries))};
}

std::optional<IntegerMap> ExactLearner::null_vectors() const {
    const ModularMatrix basis = basis_.null_basis();
    std::vector<MapEntry> entries;
    for (Index i = 0; i < basis.rows(); ++i) {
        // Entries off the pivots are one 1: few are nonzero, and only those need lifting.
        std::vector<Index> columns;
        std::vector<Residue> values;
        for (Index j = 0; j < basis.cols(); ++j) {
            if (basis(i, j) != 0) {
                columns.push_back(j);
                values.push_back(basis(i, j));
            }
        }
        const std::optional<IntegerVector> lifted = small_fractions(p_, values);
        if (!lifted) {
            return std::nullopt;
        }
        for (std::size_t k = 0; k < columns.size(); ++k) {
            entries.push_back({i, columns[k], to_int64((*lifted)(static_cast<Index>(k)))});
        }
    }
    return IntegerMap(basis.rows(), classes_.num_classes(), std::move(entries));
}

bool fits(const ExactMinimiser& minimiser,
          std::span<const IntegerEntry> row,
          std::span<const IntegerEntry> label) {
    std::vector<std::int64_t> sums = minimiser.values.apply(row);
    for (const IntegerEntry& entry : label) {
        sums.at(static_cast<std::size_t>(entry.column)) -= minimiser.denominator * entry.value;
    }
    return std::all_of(sums.begin(), sums.end(), [](std::int64_t sum) { return sum == 0; });
}

RowSpan::RowSpan(ColumnClasses classes, IntegerMap null_vectors)
    : classes_(std::move(classes)), num_digits_(1), digits_(std::move(null_vectors)) {}

RowSpan::RowSpan(ColumnClasses classes, const std::vector<IntegerVector>& null_vectors)
    : classes_(std::move(classes)),
      num_digits_(digits_needed(null_vectors)),
      digits_(to_digits(null_vectors, classes_.num_classes(), num_digits_)) {}

bool RowSpan::contains(std::span<const IntegerEntry> row) const {
    const std::optional<ClassRow> projected = classes_.project(row);
    if (!projected) {
        return false;
    }
    const std::vector<std::int64_t> sums = digits_.apply(*projected);
    const auto places = static_cast<std::size_t>(num_digits_);
    for (std::size_t first = 0; first < sums.size(); first += places) {
        if (!all_zero(std::span(sums).subspan(first, places))) {
            return false;
        }
    }
    return true;
}

}  // namespace attest
