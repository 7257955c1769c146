#pragma once

#include "core/algebra/matrix.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <vector>

namespace attest {

/// One attention head: value matrix V (o×d) and query-key matrix Q (d×d). The paper's square V is o
/// = d.
template <class Scalar>
struct HeadOf {
    MatrixOf<Scalar> V;
    MatrixOf<Scalar> Q;
};

/// Θ = {(V_h, Q_h)}, any number of heads, zero included. d rows a token, o outputs.
template <class Scalar>
struct ParametersOf {
    Index d = 0;
    Index o = 0;
    std::vector<HeadOf<Scalar>> heads;

    [[nodiscard]] Index num_heads() const { return static_cast<Index>(heads.size()); }
};

using Head = HeadOf<double>;
using Parameters = ParametersOf<double>;

/// Throws InvalidInput unless every head has V o×d and Q d×d.
template <class Scalar>
void check_shapes(const ParametersOf<Scalar>& theta) {
    for (const HeadOf<Scalar>& head : theta.heads) {
        require(head.V.rows() == theta.o && head.V.cols() == theta.d && head.Q.rows() == theta.d &&
                    head.Q.cols() == theta.d,
                "parameters: got V {}x{} and Q {}x{}, expected {}x{} and {}x{}",
                head.V.rows(),
                head.V.cols(),
                head.Q.rows(),
                head.Q.cols(),
                theta.o,
                theta.d,
                theta.d,
                theta.d);
    }
}

}  // namespace attest
