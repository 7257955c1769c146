#include "proofs_check/claims/fewest_heads/tangents.hpp"

#include "core/features/coefficients.hpp"

namespace attest::fewest_heads {

Tangents tangents(const RationalParameters& theta) {
    const Index d = theta.d;
    const Index o = theta.o;
    const Index rows = theta.num_heads() * (o * d + d * d);
    RationalMatrix tensors(rows, o * d * d * d);
    RationalMatrix coefficient_rows(rows, feature_dim(d) * o);
    Index row = 0;
    const auto add = [&](const RationalMatrix& V, const RationalMatrix& Q) {
        const RationalParameters one{d, o, {{V, Q}}};
        const RationalMatrix W = head_tensor(one);
        const RationalMatrix P = coefficients(one);
        tensors.row(row) = W.reshaped().transpose();
        coefficient_rows.row(row++) = P.reshaped().transpose();
    };
    for (const auto& head : theta.heads) {
        for (Index i = 0; i < o * d; ++i) {
            RationalMatrix V = RationalMatrix::Zero(o, d);
            V(i % o, i / o) = 1;
            add(V, head.Q);
        }
        for (Index i = 0; i < d * d; ++i) {
            RationalMatrix Q = RationalMatrix::Zero(d, d);
            Q(i % d, i / d) = 1;
            add(head.V, Q);
        }
    }
    return {rational_rank(tensors), rational_rank(coefficient_rows)};
}

}  // namespace attest::fewest_heads
