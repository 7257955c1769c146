#pragma once

#include "core/algebra/matrix.hpp"
#include "core/base/error.hpp"
#include "core/model/forward.hpp"

namespace attest {

/// Autoregressive attention, Definitions C.1 and C.2: appends y^{t+1} = MHLA_Θ(Z^t) as a new
/// column, `steps` times, and returns Z^{steps} (d×(n+steps)). Needs o = d. `token` maps an output
/// to the token that is appended (the identity, or a rounding as in Definition G.2).
template <class Scalar, class Token>
[[nodiscard]] MatrixOf<Scalar> computation_history(const ParametersOf<Scalar>& theta,
                                                   const MatrixOf<Scalar>& prompt,
                                                   Index steps,
                                                   const Token& token) {
    require(theta.o == theta.d, "computation_history: a model that feeds itself needs o = d");
    require(prompt.cols() >= 1, "computation_history: the prompt has no token");
    MatrixOf<Scalar> Z(prompt.rows(), prompt.cols() + steps);
    Z.leftCols(prompt.cols()) = prompt;
    MatrixOf<Scalar> S = prompt * prompt.transpose();
    for (Index t = prompt.cols(); t < Z.cols(); ++t) {
        const VectorOf<Scalar> last = Z.col(t - 1);
        const VectorOf<Scalar> next = token(attend_moments(theta, S, last));
        Z.col(t) = next;
        S += next * next.transpose();
    }
    return Z;
}

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
