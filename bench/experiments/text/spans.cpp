#include "bench/experiments/text/spans.hpp"

#include "bench/experiments/text/meeting_bound.hpp"
#include "core/algebra/symmetric_pack.hpp"
#include "core/base/error.hpp"
#include "core/base/interrupt.hpp"
#include "core/base/memory.hpp"
#include "core/base/text.hpp"
#include "core/certify/rank/exact_features.hpp"
#include "core/exact/float_product.hpp"
#include "core/exact/integer_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>

namespace attest {

namespace {

bool is_nonzero(Residue residue) {
    return residue != 0;
}

/// a − factor·b, where b may be shorter.
std::vector<Residue> minus(const Modulus& p,
                           std::vector<Residue> a,
                           Residue factor,
                           const std::vector<Residue>& b) {
    for (std::size_t j = 0; j < b.size(); ++j) {
        a[j] = p.subtract(a[j], p.multiply(factor, b[j]));
    }
    return a;
}

Matrix packed_states(const Dataset& data) {
    Matrix rows(data.num_sequences(), packed_dim(data.d()));
    for (Index i = 0; i < rows.rows(); ++i) {
        const Matrix Z = data.sequence(i);
        rows.row(i) = pack<double>(Matrix(Z * Z.transpose())).transpose();
    }
    return rows;
}

Matrix query_rows(const Dataset& data) {
    Matrix rows(data.num_sequences(), data.d());
    for (Index i = 0; i < rows.rows(); ++i) {
        rows.row(i) = data.tokens.col(data.query_token(i)).transpose();
    }
    return rows;
}

/// s_p z_l for the given columns p of the states and l of the queries.
Matrix chosen_features(const Matrix& states,
                       const std::vector<Index>& p,
                       const Matrix& queries,
                       const std::vector<Index>& l) {
    Matrix rows(states.rows(), std::ssize(p) * std::ssize(l));
    Index at = 0;
    for (const Index state : p) {
        for (const Index query : l) {
            rows.col(at++) = states.col(state).cwiseProduct(queries.col(query));
        }
    }
    return rows;
}

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

CountSpan::Reduction CountSpan::reduce(const std::vector<Index>& row) const {
    Reduction found;
    for (Index j = 0; j < columns_; ++j) {
        found.rest.push_back(p_.reduce(std::int64_t{row[static_cast<std::size_t>(j)]}));
    }
    for (const EchelonRow& known : echelon_) {
        const Residue factor = found.rest[static_cast<std::size_t>(known.pivot)];
        found.factors.push_back(factor);
        if (factor != 0) {
            found.rest = minus(p_, std::move(found.rest), factor, known.entries);
        }
    }
    return found;
}

bool CountSpan::contains(const std::vector<Index>& row) const {
    const Residues rest = reduce(row).rest;
    return std::none_of(rest.begin(), rest.end(), is_nonzero);
}

void CountSpan::add(const std::vector<Index>& row) {
    Reduction found = reduce(row);
    // The row, or what is left of it, as a combination of the independent rows: 1 at its own place.
    Residues combination(echelon_.size() + 1, 0);
    combination.back() = 1;
    for (std::size_t k = 0; k < echelon_.size(); ++k) {
        combination = minus(p_, std::move(combination), found.factors[k], echelon_[k].combination);
    }
    const auto pivot = std::find_if(found.rest.begin(), found.rest.end(), is_nonzero);
    if (pivot == found.rest.end()) {
        for (std::size_t k = 0; k < echelon_.size(); ++k) {
            is_combination_[k] = is_combination_[k] || combination[k] != 0;
        }
        return;
    }
    const Residue scale = p_.inverse(*pivot);
    EchelonRow fresh{pivot - found.rest.begin(), std::move(found.rest), std::move(combination)};
    for (Residue& entry : fresh.entries) {
        entry = p_.multiply(scale, entry);
    }
    for (Residue& entry : fresh.combination) {
        entry = p_.multiply(scale, entry);
    }
    echelon_.push_back(std::move(fresh));
    is_combination_.push_back(false);
}

Index CountSpan::outside() const {
    return std::count(is_combination_.begin(), is_combination_.end(), false);
}

FeatureSpans feature_spans(const Dataset& data, const LiftOptions& effort) {
    require(data.layer.is_linear() && data.labels != LabelKind::per_prefix,
            "feature_spans: got another layer or prefixes, expected whole sequences of tokens");
    FeatureSpans spans;
    const TokenTypes tokens = token_types(data.tokens.view());
    const Matrix states = packed_states(data);
    const Matrix queries = query_rows(data);
    const ColumnSpan state_span = column_span(states, effort);
    const ColumnSpan query_span = column_span(queries, effort);
    spans.num_types = tokens.count();
    std::vector<Index> all(tokens.types.size());
    std::iota(all.begin(), all.end(), Index{0});
    spans.types = column_span(packed_squares(tokens, all), effort).rank;
    spans.states = state_span.rank;
    spans.queries = query_span.rank;
    RankBounds& features = spans.features;
    const FeatureRows rows(data);
    features.lower = rank_profile(rows.usable_modulus(kFloatPrime), rows).rank();
    features.upper = std::min(data.num_sequences(), spans.states.upper * spans.queries.upper);
    if (!features.is_exact()) {
        const MeetingBound bound = meeting_bound(data, tokens, spans.queries.upper, effort);
        spans.few_meetings = bound.few;
        features.upper = std::min(features.upper, bound.rank);
    }
    if (!features.is_exact()) {
        features.lower = std::max(features.lower, rank_profile(rows.usable_modulus(), rows).rank());
    }
    const LiftCost cost = lift_cost(rows, features.lower, 1);
    const bool affordable =
        cost.seconds <= effort.budget_seconds * static_cast<double>(cost.primes);
    if (!features.is_exact() && spans.states.is_exact() && spans.queries.is_exact() && affordable) {
        // Every column of H is a combination of those products, over Q.
        const Matrix products =
            chosen_features(states, state_span.pivots, queries, query_span.pivots);
        features.upper = std::min(features.upper, column_span(products, effort).rank.upper);
    }
    return spans;
}

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

TokenTypes token_types(const Eigen::Ref<const Matrix>& tokens) {
    const auto less = [](const Vector& a, const Vector& b) {
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
    };
    std::map<Vector, Index, decltype(less)> numbers(less);
    for (Index t = 0; t < tokens.cols(); ++t) {
        numbers.emplace(tokens.col(t), 0);
    }
    TokenTypes found;
    for (auto& [type, number] : numbers) {
        number = found.count();
        found.types.push_back(type);
    }
    for (Index t = 0; t < tokens.cols(); ++t) {
        found.of.push_back(numbers.at(tokens.col(t)));
    }
    return found;
}

Matrix packed_squares(const TokenTypes& tokens, const std::vector<Index>& listed) {
    const Index d = tokens.types.front().size();
    Matrix rows(std::ssize(listed), packed_dim(d));
    for (Index i = 0; i < rows.rows(); ++i) {
        const Vector& e =
            tokens.types[static_cast<std::size_t>(listed[static_cast<std::size_t>(i)])];
        rows.row(i) = pack<double>(Matrix(e * e.transpose())).transpose();
    }
    return rows;
}

}  // namespace attest
