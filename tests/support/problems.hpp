#pragma once

#include "core/data/dataset.hpp"
#include "core/exact/scalars.hpp"
#include "core/rng/stream.hpp"

#include <rapidcheck.h>

namespace attest::test {

/// A d×n matrix of grid normals.
[[nodiscard]] Matrix normal_matrix(Index rows, Index cols, const Stream& stream);

/// Parameters with H heads of grid normals.
[[nodiscard]] Parameters normal_parameters(Index d, Index o, Index heads, const Stream& stream);

/// N sequences of n grid-normal tokens with the labels of `theta` (Definition 2.1, in double).
[[nodiscard]] Dataset planted_dataset(const Parameters& theta,
                                      Index num_sequences,
                                      Index n,
                                      const Stream& stream);

/// A matrix with orthonormal factors and the given singular values, rows ≥ cols = sigma.size().
[[nodiscard]] Matrix matrix_with_singular_values(Index rows,
                                                 const Vector& sigma,
                                                 const Stream& stream);

/// Draws for RapidCheck properties: call them inside RC_GTEST_PROP. Integers of magnitude ≤ 3 with
/// d ≤ 3 and n ≤ 4: every sum stays far below 2⁵³, so double, Rational and residues must agree with
/// tolerance 0.
[[nodiscard]] inline Index draw_index(Index low, Index high) {
    return *rc::gen::inRange<Index>(low, high + 1);
}

template <class Scalar = double>
[[nodiscard]] MatrixOf<Scalar> draw_integers(Index rows, Index cols) {
    MatrixOf<Scalar> A(rows, cols);
    for (Index j = 0; j < cols; ++j) {
        for (Index i = 0; i < rows; ++i) {
            A(i, j) = Scalar(*rc::gen::inRange(-3, 4));
        }
    }
    return A;
}

/// Z, d×n.
template <class Scalar = double>
[[nodiscard]] MatrixOf<Scalar> draw_tokens(Index d) {
    return draw_integers<Scalar>(d, draw_index(1, 4));
}

template <class Scalar = double>
[[nodiscard]] ParametersOf<Scalar> draw_parameters(Index d, Index o, Index heads) {
    ParametersOf<Scalar> theta{d, o, {}};
    for (Index h = 0; h < heads; ++h) {
        theta.heads.push_back({draw_integers<Scalar>(o, d), draw_integers<Scalar>(d, d)});
    }
    return theta;
}

/// Sequences of 1 to 4 tokens each, without labels.
[[nodiscard]] inline Dataset draw_dataset(Index d, Index num_sequences) {
    Dataset data;
    data.offsets.push_back(0);
    for (Index i = 0; i < num_sequences; ++i) {
        data.offsets.push_back(data.offsets.back() + draw_index(1, 4));
    }
    data.tokens = draw_integers(d, data.offsets.back());
    return data;
}

}  // namespace attest::test
