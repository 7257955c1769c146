#include "core/data/dataset.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/data/canonical_hash.hpp"

#include <array>
#include <cmath>
#include <numeric>

namespace attest {

namespace {

constexpr Choices<LabelKind, 3> kLabelKindNames{{{LabelKind::none, "none"},
                                                 {LabelKind::per_sequence, "per_sequence"},
                                                 {LabelKind::per_prefix, "per_prefix"}}};

/// Which columns of a matrix belong to a sequence.
enum class ColumnFor : std::uint8_t { token, example };

/// The columns of A that belong to sequence i; none where A has none.
auto columns_of(const Eigen::Ref<const Matrix>& A, const Dataset& data, Index i, ColumnFor what) {
    const bool by_token = what == ColumnFor::token || data.labels == LabelKind::per_prefix;
    if (A.cols() == 0) {
        return A.middleCols(0, 0);
    }
    return by_token ? A.middleCols(data.first_token(i), data.length(i)) : A.middleCols(i, 1);
}

/// visit(member of LayerColumns, what its columns are for).
template <class Visit>
void for_each_column_kind(const Visit& visit) {
    visit(&LayerColumns::x, ColumnFor::example);
    visit(&LayerColumns::phi, ColumnFor::token);
    visit(&LayerColumns::gates, ColumnFor::token);
    visit(&LayerColumns::s, ColumnFor::example);
    visit(&LayerColumns::u, ColumnFor::example);
}

/// The columns of the chosen sequences, in that order.
Matrix gather(const Eigen::Ref<const Matrix>& A,
              const Dataset& data,
              std::span<const Index> chosen,
              ColumnFor what) {
    Index count = 0;
    for (const Index i : chosen) {
        count += columns_of(A, data, i, what).cols();
    }
    Matrix gathered(A.rows(), count);
    Index at = 0;
    for (const Index i : chosen) {
        const auto columns = columns_of(A, data, i, what);
        gathered.middleCols(at, columns.cols()) = columns;
        at += columns.cols();
    }
    return gathered;
}

std::vector<Index> explicit_query(const Dataset& data) {
    std::vector<Index> query = data.query;
    if (query.empty()) {
        for (Index i = 0; i < data.num_sequences(); ++i) {
            query.push_back(data.length(i) - 1);
        }
    }
    return query;
}

Matrix side_by_side(const Eigen::Ref<const Matrix>& a, const Eigen::Ref<const Matrix>& b) {
    Matrix both(a.rows(), a.cols() + b.cols());
    both.leftCols(a.cols()) = a;
    both.rightCols(b.cols()) = b;
    return both;
}

}  // namespace

std::string_view to_string(LabelKind kind) {
    return name_of(kLabelKindNames, kind);
}

std::string_view name_of_non_finite(double value) {
    return std::isnan(value) ? "a NaN" : "an infinity";
}

std::vector<Index> finite_sequences(const Dataset& data) {
    std::vector<Index> finite;
    for (Index i = 0; i < data.num_sequences(); ++i) {
        bool all = data.sequence(i).allFinite() &&
                   columns_of(data.y, data, i, ColumnFor::example).allFinite();
        for_each_column_kind([&](Matrix LayerColumns::*member, ColumnFor what) {
            all = all && columns_of(data.columns.*member, data, i, what).allFinite();
        });
        if (all) {
            finite.push_back(i);
        }
    }
    return finite;
}

Dataset select_sequences(const Dataset& data, std::span<const Index> chosen) {
    Dataset part;
    part.labels = data.labels;
    part.truth = data.truth;
    part.meta = data.meta;
    part.layer = data.layer;
    part.offsets = {0};
    for (const Index i : chosen) {
        if (i < 0 || i >= data.num_sequences()) {
            throw InvalidInput(formatted("select_sequences: got sequence {}, expected 0 to {}",
                                         i,
                                         data.num_sequences() - 1));
        }
        part.offsets.push_back(part.offsets.back() + data.length(i));
        if (!data.query.empty()) {
            part.query.push_back(data.query[static_cast<std::size_t>(i)]);
        }
    }
    part.tokens = gather(data.tokens.view(), data, chosen, ColumnFor::token);
    part.y = gather(data.y, data, chosen, ColumnFor::example);
    for_each_column_kind([&](Matrix LayerColumns::*member, ColumnFor what) {
        part.columns.*member = gather(data.columns.*member, data, chosen, what);
    });
    return part;
}

Dataset subset(const Dataset& data, Index first, Index count) {
    require(first >= 0 && count >= 0 && first <= data.num_sequences() - count,
            "subset: got sequences {} to {}, expected a range within 0 to {}",
            first,
            first + count - 1,
            data.num_sequences() - 1);
    std::vector<Index> chosen(static_cast<std::size_t>(count));
    std::iota(chosen.begin(), chosen.end(), first);
    return select_sequences(data, chosen);
}

Dataset concatenate(const Dataset& a, const Dataset& b) {
    const auto same_rows = [&](Matrix LayerColumns::*member) {
        return (a.columns.*member).rows() == (b.columns.*member).rows();
    };
    bool same = a.d() == b.d() && a.o() == b.o() && a.labels == b.labels && a.layer == b.layer;
    for_each_column_kind(
        [&](Matrix LayerColumns::*member, ColumnFor) { same = same && same_rows(member); });
    require(same,
            "concatenate: got d = {}, o = {}, labels {}, expected {}, {}, {} and the same layer",
            b.d(),
            b.o(),
            to_string(b.labels),
            a.d(),
            a.o(),
            to_string(a.labels));
    Dataset both;
    both.labels = a.labels;
    both.truth = a.truth;
    both.meta = a.meta;
    both.layer = a.layer;
    both.tokens = side_by_side(a.tokens.view(), b.tokens.view());
    both.y = side_by_side(a.y, b.y);
    for_each_column_kind([&](Matrix LayerColumns::*member, ColumnFor) {
        both.columns.*member = side_by_side(a.columns.*member, b.columns.*member);
    });
    both.offsets = a.offsets;
    for (Index i = 1; i <= b.num_sequences(); ++i) {
        both.offsets.push_back(a.tokens.cols() + b.first_token(i));
    }
    if (!a.query.empty() || !b.query.empty()) {
        both.query = explicit_query(a);
        const std::vector<Index> more = explicit_query(b);
        both.query.insert(both.query.end(), more.begin(), more.end());
    }
    return both;
}

std::string digest(const Dataset& data) {
    CanonicalHash hash(sequence_shape(data), data.query, !data.columns.empty());
    hash.add(data.y);
    hash.add(data.tokens.view());
    for_each_column_kind([&](Matrix LayerColumns::*member, ColumnFor) {
        if (!data.columns.empty()) {
            const Matrix& A = data.columns.*member;
            hash.add(std::array<Index, 2>{A.rows(), A.cols()});
            hash.add(A);
        }
    });
    return hash.hex();
}

}  // namespace attest
