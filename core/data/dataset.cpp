#include "core/data/dataset.hpp"

#include "core/base/choice.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/data/canonical_hash.hpp"

#include <algorithm>
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
    visit(&LayerColumns::keys, ColumnFor::token);
    visit(&LayerColumns::beta, ColumnFor::token);
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

template <class... Values>
[[noreturn]] void fail(Pattern<Values...> pattern, const Values&... values) {
    throw InvalidInput("dataset: got " + formatted(pattern, values...));
}

void check_offsets(const Dataset& data, Index d, Index num_tokens) {
    const bool needs_tokens = data.layer.form != TokenForm::supplied;
    if (needs_tokens && d < 1) {
        fail("d = {}, expected at least 1", d);
    }
    if (data.num_sequences() < 1) {
        fail("no sequence, expected at least one");
    }
    if (data.first_token(0) != 0) {
        fail("offsets[0] = {}, expected 0", data.first_token(0));
    }
    for (Index i = 0; i < data.num_sequences(); ++i) {
        if (data.length(i) < 1) {
            fail("{} tokens in sequence {}, expected at least one", data.length(i), i);
        }
    }
    const Index last = data.first_token(data.num_sequences());
    if (last != num_tokens) {
        fail("the last offset {}, expected the number of tokens {}", last, num_tokens);
    }
}

void check_labels(const Dataset& data, Index num_examples) {
    if (data.labels == LabelKind::none) {
        if (data.o() != 0) {
            fail("y with {} rows, expected none without labels", data.o());
        }
    } else if (data.o() < 1 || data.y.cols() != num_examples) {
        fail("y {}x{}, expected at least one row and {} columns",
             data.o(),
             data.y.cols(),
             num_examples);
    }
}

void check_query(const Dataset& data) {
    if (data.query.empty()) {
        return;
    }
    if (data.labels == LabelKind::per_prefix) {
        fail("query beside labels per prefix, expected none: a prefix's query is its last column");
    }
    if (static_cast<Index>(data.query.size()) != data.num_sequences()) {
        fail("{} query columns, expected {}", data.query.size(), data.num_sequences());
    }
    for (Index i = 0; i < data.num_sequences(); ++i) {
        const Index column = data.query[static_cast<std::size_t>(i)];
        if (column < 0 || column >= data.length(i)) {
            fail("query[{}] = {}, expected 0 to {}", i, column, data.length(i) - 1);
        }
    }
}

LayerInput input_of(const Dataset& data, Index d) {
    LayerInput input = data.layer_input();
    input.d = d;
    return input;
}

void check_truth(const Dataset& data, Index d) {
    const auto fits = [&](Index o) { return data.o() == 0 || o == data.o(); };
    if (data.truth.heads) {
        const Parameters& theta = *data.truth.heads;
        check_shapes(theta);
        if (theta.d != d || !fits(theta.o)) {
            fail("true heads with d = {}, o = {}, expected d = {}, o = {}",
                 theta.d,
                 theta.o,
                 d,
                 data.o());
        }
    }
    if (data.truth.P) {
        const Matrix& P = *data.truth.P;
        const Index psi = layout_of(data.layer, input_of(data, d)).psi();
        if (P.rows() != psi || !fits(P.cols())) {
            fail("true coefficients {}x{}, expected {} rows and o = {}",
                 P.rows(),
                 P.cols(),
                 psi,
                 data.o());
        }
    }
}

template <class Block>
void check_finite(const Block& block, std::string_view key, Index i) {
    for (Index t = 0; t < block.cols(); ++t) {
        for (Index j = 0; j < block.rows(); ++j) {
            if (!std::isfinite(block(j, t))) {
                throw InvalidInput(formatted("{}[{}] holds {} at ({},{}), expected finite numbers",
                                             key,
                                             i,
                                             name_of_non_finite(block(j, t)),
                                             j,
                                             t));
            }
        }
    }
}

void check_columns(const Matrix& A, std::string_view key, Index columns, Index least_rows) {
    if (A.size() == 0 && least_rows == 0) {
        return;
    }
    if (A.rows() < std::max<Index>(least_rows, 1) || A.cols() != columns) {
        fail(
            "{} {}x{}, expected {} columns and at least one row", key, A.rows(), A.cols(), columns);
    }
    for (Index i = 0; i < A.cols(); ++i) {
        check_finite(A.col(i), key, i);
    }
}

/// The layer finds its columns, and those that are there fit.
void check_layer_columns(const Dataset& data, Index d, Index num_tokens, Index num_examples) {
    const Layer& layer = data.layer;
    const bool supplied = layer.form == TokenForm::supplied;
    check_columns(data.columns.x, "x", num_examples, layer.cross ? 1 : 0);
    check_columns(data.columns.phi, "phi", num_tokens, layer.form == TokenForm::mapped ? 1 : 0);
    check_columns(data.columns.gates, "gates", num_tokens, layer.gates == GateForm::none ? 0 : 1);
    check_columns(data.columns.s, "s", num_examples, supplied ? 1 : 0);
    check_columns(data.columns.u, "u", num_examples, supplied ? 1 : 0);
    const bool delta = layer.form == TokenForm::delta;
    check_columns(data.columns.keys, "keys", num_tokens, delta ? 1 : 0);
    check_columns(data.columns.beta, "beta", num_tokens, delta ? 1 : 0);
    if (delta && data.columns.beta.rows() != 1) {
        fail("beta with {} rows, expected 1 for the layer {}",
             data.columns.beta.rows(),
             to_string(layer));
    }
    const Index gates = gate_rows(layer, input_of(data, d));
    if (gates > 0 && data.columns.gates.rows() != gates) {
        fail("gates with {} rows, expected {} for the layer {}",
             data.columns.gates.rows(),
             gates,
             to_string(layer));
    }
    if (delta && gates == 0 && data.columns.gates.size() > 0) {
        fail("gates for the layer {}, expected none; name them: delta gates, or delta gates=vector",
             to_string(layer));
    }
    if (layer.cross && !data.query.empty()) {
        fail("query columns, expected none: x asks in the layer {}", to_string(layer));
    }
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
    const bool keys = data.columns.keys.size() > 0 || data.columns.beta.size() > 0;
    CanonicalHash hash(sequence_shape(data),
                       data.columns.empty() ? HashedColumns::none
                       : keys               ? HashedColumns::with_keys
                                            : HashedColumns::some);
    hash.add(data.y);
    hash.add(data.tokens.view());
    for_each_column_kind([&](Matrix LayerColumns::*member, ColumnFor) {
        const bool of_keys = member == &LayerColumns::keys || member == &LayerColumns::beta;
        if (keys || (!data.columns.empty() && !of_keys)) {
            const Matrix& A = data.columns.*member;
            hash.add(std::array<Index, 2>{A.rows(), A.cols()});
            hash.add(A);
        }
    });
    return hash.hex();
}

void check_but_tokens(const Dataset& data, Index d, Index num_tokens) {
    check_offsets(data, d, num_tokens);
    const Index num_examples =
        data.labels == LabelKind::per_prefix ? num_tokens : data.num_sequences();
    check_labels(data, num_examples);
    check_query(data);
    check_layer_columns(data, d, num_tokens, num_examples);
    check_truth(data, d);
    for (Index i = 0; i < data.y.cols(); ++i) {
        check_finite(data.y.col(i), "y", i);
    }
}

void check_tokens(const Dataset& part, Index before) {
    for (Index i = 0; i < part.num_sequences(); ++i) {
        check_finite(part.sequence(i), "Z", before + i);
    }
}

void check(const Dataset& data) {
    check_but_tokens(data, data.d(), data.tokens.cols());
    check_tokens(data, 0);
}

}  // namespace attest
