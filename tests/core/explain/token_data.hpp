#pragma once

#include "core/data/dataset.hpp"
#include "core/rng/stream.hpp"

#include <functional>

namespace attest::test {

/// Integers from −3 to 3.
inline Vector small_token(Draws& draws, Index d) {
    Vector z(d);
    for (Index j = 0; j < d; ++j) {
        z(j) = static_cast<double>(draws.below(7)) - 3.0;
    }
    return z;
}

/// `count` sequences as `draw` gives them, d×n each, without labels.
inline Dataset token_data(Index count, const std::function<Matrix(Draws&)>& draw) {
    Draws draws(Stream(7).child("tokens"));
    Dataset data;
    data.offsets.push_back(0);
    for (Index i = 0; i < count; ++i) {
        const Matrix Z = draw(draws);
        Matrix tokens(Z.rows(), data.tokens.cols() + Z.cols());
        tokens << data.tokens.view().reshaped(Z.rows(), data.tokens.cols()), Z;
        data.tokens = tokens;
        data.offsets.push_back(tokens.cols());
    }
    return data;
}

/// Sequences of n independent tokens.
inline Dataset token_data(Index count, Index n, const std::function<Vector(Draws&)>& draw) {
    return token_data(count, [&](Draws& draws) {
        const Vector first = draw(draws);
        Matrix Z(first.size(), n);
        Z.col(0) = first;
        for (Index t = 1; t < n; ++t) {
            Z.col(t) = draw(draws);
        }
        return Z;
    });
}

}  // namespace attest::test
