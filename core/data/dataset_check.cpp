#include "core/data/dataset_check.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <cmath>

namespace attest {

namespace {

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
    const Index gates = gate_rows(layer, input_of(data, d));
    if (gates > 0 && data.columns.gates.rows() != gates) {
        fail("gates with {} rows, expected {} for the layer {}",
             data.columns.gates.rows(),
             gates,
             to_string(layer));
    }
    if (layer.cross && !data.query.empty()) {
        fail("query columns, expected none: x asks in the layer {}", to_string(layer));
    }
}

}  // namespace

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
