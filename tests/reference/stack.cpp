#include "tests/reference/stack.hpp"

namespace attest::reference {

namespace {

Rational entry_of_product(const Rows& A, std::size_t i, const Rows& Z, std::size_t j) {
    Rational sum = 0;
    for (std::size_t k = 0; k < Z.size(); ++k) {
        sum += A[i][k] * Z[k][j];
    }
    return sum;
}

Rational score(const StackHead& head, const Rows& Z, std::size_t i, std::size_t j) {
    Rational sum = 0;
    for (std::size_t r = 0; r < head.K.size(); ++r) {
        sum += entry_of_product(head.K, r, Z, i) * entry_of_product(head.Q, r, Z, j);
    }
    for (std::size_t steps = i < j ? j - i : i - j; steps > 0; --steps) {
        sum *= head.decay;
    }
    return sum;
}

}  // namespace

Rows reference_stack(const std::vector<StackLayer>& layers, Rows Z) {
    const std::size_t t = Z.front().size();
    for (const StackLayer& layer : layers) {
        Rows Y = layer.residual ? Z : zeros(Z.size(), t);
        for (const StackHead& head : layer.heads) {
            for (std::size_t j = 0; j < t; ++j) {
                for (std::size_t i = 0; i < (layer.causal ? j + 1 : t); ++i) {
                    const Rational s = score(head, Z, i, j);
                    for (std::size_t row = 0; row < Z.size(); ++row) {
                        for (std::size_t k = 0; k < head.V.size(); ++k) {
                            Y[row][j] += s * head.O[row][k] * entry_of_product(head.V, k, Z, i);
                        }
                    }
                }
            }
        }
        Z = Y;
    }
    return Z;
}

Rational reference_slope(Row values) {
    Rational slope = 0;
    for (std::size_t k = 1; k < values.size(); ++k) {
        for (std::size_t i = 0; i + k < values.size(); ++i) {
            values[i] = values[i + 1] - values[i];
        }
        const Rational term = values[0] / Rational(static_cast<long>(k));
        slope += k % 2 == 1 ? term : Rational(-term);
    }
    return slope;
}

}  // namespace attest::reference
