#pragma once

#include "core/data/dataset.hpp"
#include "core/exact/scalars.hpp"
#include "tests/reference/attention.hpp"

namespace attest::test {

/// A matrix of core as the reference implementations read it; doubles convert exactly.
template <class Scalar>
[[nodiscard]] reference::Rows to_rows(const MatrixOf<Scalar>& A) {
    reference::Rows rows =
        reference::zeros(static_cast<std::size_t>(A.rows()), static_cast<std::size_t>(A.cols()));
    for (Index i = 0; i < A.rows(); ++i) {
        for (Index j = 0; j < A.cols(); ++j) {
            rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = Rational(A(i, j));
        }
    }
    return rows;
}

template <class Scalar>
[[nodiscard]] reference::Row to_row(const VectorOf<Scalar>& v) {
    return to_rows<Scalar>(v.transpose()).front();
}

/// The heads' V_h and Q_h as two lists.
struct HeadRows {
    std::vector<reference::Rows> V;
    std::vector<reference::Rows> Q;
};

template <class Scalar>
[[nodiscard]] HeadRows head_rows(const ParametersOf<Scalar>& theta) {
    HeadRows heads;
    for (const HeadOf<Scalar>& head : theta.heads) {
        heads.V.push_back(to_rows(head.V));
        heads.Q.push_back(to_rows(head.Q));
    }
    return heads;
}

}  // namespace attest::test
