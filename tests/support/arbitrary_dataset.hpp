#pragma once

#include "core/data/dataset.hpp"
#include "core/data/sources/moments.hpp"

#include <rapidcheck.h>

namespace attest::test {

[[nodiscard]] inline bool same_numbers(const Dataset& a, const Dataset& b) {
    return Matrix(a.tokens.view()) == Matrix(b.tokens.view()) && a.offsets == b.offsets &&
           a.y == b.y && a.query == b.query && a.columns.x == b.columns.x &&
           a.columns.phi == b.columns.phi && a.columns.gates == b.columns.gates &&
           a.columns.s == b.columns.s && a.columns.u == b.columns.u &&
           a.columns.keys == b.columns.keys && a.columns.beta == b.columns.beta;
}

/// Blocks, and how they are cut, agree bit for bit.
[[nodiscard]] inline bool same_blocks(const MomentSource& a, const MomentSource& b) {
    bool same = a.shape().num_blocks == b.shape().num_blocks;
    for (Index k = 0; same && k < a.shape().num_blocks; ++k) {
        const MomentBatch x = a.block(k);
        const MomentBatch y = b.block(k);
        same = x.S == y.S && x.u == y.u && x.y == y.y;
    }
    return same;
}

/// A matrix of small dyadic numbers drawn by RapidCheck; call it inside a property.
[[nodiscard]] inline Matrix arbitrary_matrix(Index rows, Index cols) {
    Matrix A(rows, cols);
    for (Index j = 0; j < cols; ++j) {
        for (Index i = 0; i < rows; ++i) {
            A(i, j) = static_cast<double>(*rc::gen::inRange(-4096, 4097)) / 64.0;
        }
    }
    return A;
}

/// A data set of any label kind, with equal or different lengths, with or without query columns
/// and ground truth; call it inside a property.
[[nodiscard]] inline Dataset arbitrary_dataset() {
    Dataset data;
    const auto d = *rc::gen::inRange<Index>(1, 4);
    const auto o = *rc::gen::inRange<Index>(1, 4);
    const auto N = *rc::gen::inRange<Index>(1, 5);
    const bool ragged = *rc::gen::arbitrary<bool>();
    const auto n = *rc::gen::inRange<Index>(1, 5);
    data.labels =
        *rc::gen::element(LabelKind::none, LabelKind::per_sequence, LabelKind::per_prefix);
    data.offsets = {0};
    for (Index i = 0; i < N; ++i) {
        data.offsets.push_back(data.offsets.back() + (ragged ? *rc::gen::inRange<Index>(1, 5) : n));
    }
    data.tokens = arbitrary_matrix(d, data.offsets.back());
    if (data.labels != LabelKind::none) {
        data.y = arbitrary_matrix(o, data.num_examples());
    }
    if (data.labels != LabelKind::per_prefix && *rc::gen::arbitrary<bool>()) {
        for (Index i = 0; i < N; ++i) {
            data.query.push_back(*rc::gen::inRange<Index>(0, data.length(i)));
        }
    }
    if (*rc::gen::arbitrary<bool>()) {
        Parameters theta{d, o, {}};
        theta.heads.resize(static_cast<std::size_t>(*rc::gen::inRange(0, 3)));
        for (Head& head : theta.heads) {
            head = {arbitrary_matrix(o, d), arbitrary_matrix(d, d)};
        }
        data.truth.heads = theta;
        data.truth.P = arbitrary_matrix(feature_dim(d), o);
        data.meta = R"({"drawn": true})";
    }
    return data;
}

/// Whether all members agree, labels and numbers bit for bit except for the sign of zero.
[[nodiscard]] inline bool same(const Dataset& a, const Dataset& b) {
    const auto same_heads = [&] {
        const auto& x = a.truth.heads;
        const auto& y = b.truth.heads;
        if (!x || !y || x->d != y->d || x->o != y->o || x->num_heads() != y->num_heads()) {
            return !x && !y;
        }
        for (std::size_t h = 0; h < x->heads.size(); ++h) {
            if (x->heads[h].V != y->heads[h].V || x->heads[h].Q != y->heads[h].Q) {
                return false;
            }
        }
        return true;
    };
    return a.tokens.view() == b.tokens.view() && a.offsets == b.offsets && a.labels == b.labels &&
           a.y == b.y && a.query == b.query && a.meta == b.meta && a.truth.P == b.truth.P &&
           same_heads();
}

}  // namespace attest::test
