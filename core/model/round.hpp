#pragma once

#include "core/algebra/matrix.hpp"
#include "core/base/error.hpp"

namespace attest {

/// Round(v) = e_j with j = argmax_i v_i (Definition G.2); the first of equal maxima wins.
template <class Scalar>
[[nodiscard]] VectorOf<Scalar> round_one_hot(const VectorOf<Scalar>& v) {
    require(v.size() >= 1, "round_one_hot: the vector is empty");
    Index best = 0;
    for (Index i = 1; i < v.size(); ++i) {
        if (v(i) > v(best)) {
            best = i;
        }
    }
    VectorOf<Scalar> e = VectorOf<Scalar>::Zero(v.size());
    e(best) = Scalar(1);
    return e;
}

}  // namespace attest
