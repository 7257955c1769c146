#include "core/certify/rank/structural_rank.hpp"

#include "core/base/interrupt.hpp"
#include "core/exact/dyadic.hpp"
#include "core/layers/formal_input.hpp"

#include <boost/pending/disjoint_sets.hpp>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace attest {

namespace {

constexpr double kMostTerms = 2e6;
constexpr double kMostCopies = 1e7;  // some seconds

using Row = std::vector<std::pair<Index, Integer>>;  // column, entry

/// One row a monomial: its coefficients in the features, times their common denominator.
std::vector<Row> rows_of(const std::vector<Polynomial>& features) {
    std::map<std::vector<Index>, std::vector<std::pair<Index, Rational>>> by_monomial;
    for (std::size_t i = 0; i < features.size(); ++i) {
        for (const auto& [monomial, coefficient] : features[i]) {
            by_monomial[monomial].emplace_back(static_cast<Index>(i), coefficient);
        }
    }
    // Monomials of different tokens have the same rows: once is enough.
    std::set<Row> rows;
    for (const auto& [monomial, entries] : by_monomial) {
        Integer common = 1;
        for (const auto& [column, coefficient] : entries) {
            common = lcm(common, Integer(denominator(coefficient)));
        }
        Row row;
        for (const auto& [column, coefficient] : entries) {
            row.emplace_back(column, Integer(numerator(Rational(coefficient * common))));
        }
        rows.insert(std::move(row));
    }
    return {rows.begin(), rows.end()};
}

class CoefficientRows final : public IntegerRows {
public:
    CoefficientRows(Index num_columns, std::vector<Row> rows)
        : num_columns_(num_columns), rows_(std::move(rows)) {
        for (const Row& row : rows_) {
            for (const auto& [column, entry] : row) {
                bits_ = std::max(bits_, bit_length(entry));
            }
        }
    }

    [[nodiscard]] Index num_columns() const override { return num_columns_; }

    [[nodiscard]] Index num_blocks() const override {
        return (std::ssize(rows_) + kBlockRows - 1) / kBlockRows;
    }

    [[nodiscard]] Index first_row(Index b) const override {
        return std::min(b * kBlockRows, std::ssize(rows_));
    }

    [[nodiscard]] ModularMatrix block(const Modulus& p, Index b) const override {
        ModularMatrix block(first_row(b + 1) - first_row(b), num_columns_);
        for (Index i = 0; i < block.rows(); ++i) {
            for (const auto& [column, entry] : rows_[static_cast<std::size_t>(first_row(b) + i)]) {
                block(i, column) = p.reduce(entry);
            }
        }
        return block;
    }

    [[nodiscard]] Index entry_bits() const override { return bits_; }

private:
    static constexpr Index kBlockRows = 256;
    Index num_columns_;
    std::vector<Row> rows_;
    Index bits_ = 0;
};

/// Columns, ascending, and the rows that have entries in them: no entry joins them to others.
struct Part {
    std::vector<Index> columns;
    std::vector<Row> rows;  ///< by positions in `columns`
};

/// The coefficients fall apart into many small parts, as a monomial is in few features: elimination
/// then takes the cubes of their sizes, not that of ψ.
std::vector<Part> parts_of(Index num_columns, std::vector<Row> rows) {
    boost::disjoint_sets_with_storage<> sets(static_cast<std::size_t>(num_columns));
    for (const Row& row : rows) {
        for (const auto& [column, entry] : row) {
            sets.union_set(row.front().first, column);
        }
    }
    std::map<Index, Part> parts;
    std::vector<Index> position(static_cast<std::size_t>(num_columns));
    for (Index j = 0; j < num_columns; ++j) {
        Part& part = parts[static_cast<Index>(sets.find_set(j))];
        position[static_cast<std::size_t>(j)] = std::ssize(part.columns);
        part.columns.push_back(j);
    }
    for (Row& row : rows) {
        Part& part = parts[static_cast<Index>(sets.find_set(row.front().first))];
        for (auto& [column, entry] : row) {
            column = position[static_cast<std::size_t>(column)];
        }
        part.rows.push_back(std::move(row));
    }
    std::vector<Part> found;
    found.reserve(parts.size());
    for (auto& [root, part] : parts) {
        found.push_back(std::move(part));
    }
    return found;
}

/// A part's null vector among all columns.
IntegerVector spread(const IntegerVector& within, const Part& part, Index num_columns) {
    IntegerVector v = IntegerVector::Zero(num_columns);
    for (Index j = 0; j < within.size(); ++j) {
        v(part.columns[static_cast<std::size_t>(j)]) = within(j);
    }
    return v;
}

/// Their rank and null vectors, these by their free columns, as those of all rows would be.
StructuralRank rank_of_parts(Index num_columns, std::vector<Part> parts) {
    StructuralRank found{num_columns, 0, false, {}};
    std::map<Index, IntegerVector> by_free_column;
    for (Part& part : parts) {
        throw_if_stopped("structural rank");
        const CoefficientRows matrix(std::ssize(part.columns), std::move(part.rows));
        const RankProfile profile = rank_profile(Modulus(), matrix);
        found.rank += profile.rank();
        if (profile.rank() == matrix.num_columns()) {
            continue;
        }
        const IntegerNullSpace within = lift_null_space(
            matrix, profile, other_columns(profile.pivot_columns, matrix.num_columns()));
        found.identities.primes_used = std::max(found.identities.primes_used, within.primes_used);
        for (std::size_t i = 0; i < within.vectors.size(); ++i) {
            by_free_column.emplace(part.columns[static_cast<std::size_t>(within.free_columns[i])],
                                   spread(within.vectors[i], part, num_columns));
        }
    }
    for (auto& [column, v] : by_free_column) {
        found.identities.free_columns.push_back(column);
        found.identities.vectors.push_back(std::move(v));
    }
    found.is_exact = found.rank + std::ssize(found.identities.vectors) == num_columns;
    return found;
}

/// Tokens from which on longer inputs whose last token asks have features of the same span: they
/// hold the shorter ones, behind tokens of zeros, and no token has a weight that none had before.
/// With recorded gates every token's term is a monomial of its own from two on. Nothing where
/// tokens of zeros add a constant.
std::optional<Index> enough_tokens(const Layer& layer) {
    if (layer.affine) {
        return std::nullopt;
    }
    return layer.gates != GateForm::none ? 2 : all_kinds(layer)->back().length;
}

/// Whether the terms of the features of all kinds are few, and forming them takes seconds: a sum
/// over n tokens times a query entry each, which is copied when a token joins it; of recorded gates
/// with as many factors as tokens follow.
bool is_short(const Layer& layer,
              const FeatureLayout& layout,
              const std::vector<InputKind>& kinds) {
    const bool gated = layer.gates != GateForm::none && layer.form != TokenForm::delta;
    double terms = 0.0;
    double copies = 0.0;
    for (const InputKind& kind : kinds) {
        const auto n = static_cast<double>(kind.length);
        const double factors = gated ? n : 1.0;
        terms += static_cast<double>(layout.psi()) * n * factors;
        copies += static_cast<double>(layout.q()) * n * n / 2.0 * factors;
    }
    return terms <= kMostTerms && copies <= kMostCopies;
}

}  // namespace

std::vector<InputKind> input_kinds(const SequenceSource& data) {
    const SequenceShape all = data.shape();
    std::set<InputKind> kinds;
    for (Index i = 0; i < all.num_sequences(); ++i) {
        const Index first = all.first_token(i);
        const Index length = all.first_token(i + 1) - first;
        if (all.labels == LabelKind::per_prefix) {
            for (Index n = 1; n <= length; ++n) {
                kinds.insert({n, n - 1});
            }
        } else {
            kinds.insert({length, all.query_token(i) - first});
        }
    }
    return {kinds.begin(), kinds.end()};
}

std::vector<InputKind> enough_kinds(const Layer& layer, const std::vector<InputKind>& kinds) {
    // Of the paper's layer, and of `delta`, the query and one other token have every product as a
    // monomial of its own; tokens of zeros, or of strength 0, change nothing.
    const bool two_are_enough = layer.is_linear() || layer.form == TokenForm::delta;
    const std::optional<Index> tokens = enough_tokens(layer);
    std::set<InputKind> enough;
    for (const InputKind& kind : kinds) {
        const bool last_asks = kind.query == kind.length - 1;
        if (two_are_enough && kind.length > 2) {
            enough.insert({2, kind.query > 0 ? 1 : 0});
        } else if (tokens && last_asks && kind.length > *tokens) {
            enough.insert({*tokens, *tokens - 1});
        } else {
            enough.insert(kind);
        }
    }
    return {enough.begin(), enough.end()};
}

std::optional<std::vector<InputKind>> all_kinds(const Layer& layer) {
    if (layer.affine || layer.gates != GateForm::none) {
        return std::nullopt;
    }
    Index enough = num_sums(layer) + 2;
    for (const Kernel& kernel : layer.kernels) {
        enough =
            std::max<Index>(enough, num_sums(layer) + kernel.width + std::ssize(kernel.values) + 2);
    }
    std::vector<InputKind> kinds;
    for (Index n = 1; n <= enough; ++n) {
        kinds.push_back({n, n - 1});
    }
    return kinds;
}

std::optional<StructuralRank> structural_rank(const Layer& layer,
                                              const LayerInput& input,
                                              const std::vector<InputKind>& kinds) {
    const std::vector<InputKind> enough = enough_kinds(layer, kinds);
    const FeatureLayout layout = layout_of(layer, input);
    if (layer.form == TokenForm::supplied) {
        return StructuralRank{layout.psi(), layout.psi(), true, {}};
    }
    if (!is_short(layer, layout, enough)) {
        return std::nullopt;
    }
    std::vector<Row> rows;
    for (const InputKind& kind : enough) {
        const std::vector<Row> more =
            rows_of(layer_features(PolynomialArithmetic(),
                                   layer,
                                   input,
                                   formal_input(layer, input, kind.length, kind.query)));
        rows.insert(rows.end(), more.begin(), more.end());
    }
    return rank_of_parts(layout.psi(), parts_of(layout.psi(), std::move(rows)));
}

std::optional<StructuralRank> structural_rank_of_all(const Layer& layer,
                                                     const LayerInput& input,
                                                     const std::vector<InputKind>& seen) {
    std::optional<std::vector<InputKind>> kinds = all_kinds(layer);
    if (!kinds) {
        return std::nullopt;
    }
    kinds->insert(kinds->end(), seen.begin(), seen.end());
    return structural_rank(layer, input, *kinds);
}

}  // namespace attest
