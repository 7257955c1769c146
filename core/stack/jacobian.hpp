#pragma once

#include "core/stack/forward.hpp"

namespace attest {

/// Derivatives of the outputs of a stack by its parameters, and its outputs, on one input.
template <class Value>
struct StackDerivative {
    MatrixOf<TangentOf<Value>> J;  ///< o×P
    MatrixOf<Value> output;        ///< d×t, of all tokens
};

/// The derivative at a point, by forward differentiation of each sublayer in its parameters and in
/// its input, and the chain rule: of a head's parameters only its group is evaluated. The views of
/// `stack` must outlive it.
template <class Value>
class StackJacobian {
public:
    explicit StackJacobian(const StackAt<Value>& stack);

    [[nodiscard]] const StackLayout& layout() const { return layout_; }

    /// X is d×t. O(P · group + sublayers · (d t)² (P/sublayers + group)).
    [[nodiscard]] StackDerivative<Value> at(const MatrixOf<Value>& X);

private:
    using Tangent = TangentOf<Value>;

    /// The d·t×P columns of one sublayer's parameters, in its own outputs.
    void add_parameters(const Sublayer& slots, const MatrixOf<Value>& X, MatrixOf<Tangent>& local);
    /// ∂(output)/∂(input) of one sublayer, d·t×d·t.
    [[nodiscard]] MatrixOf<Tangent> transport(const Sublayer& slots, const MatrixOf<Value>& X);

    StackLayout layout_;
    StackAt<Dual<Value>> dual_;
};

extern template class StackJacobian<double>;
extern template class StackJacobian<Rational>;
extern template class StackJacobian<PowerNumber>;
extern template class StackJacobian<ResidueNumber<kStackPrime>>;
extern template class StackJacobian<ResidueNumber<PowerNumber::kPrime>>;

}  // namespace attest
