#pragma once

#include "core/algebra/matrix.hpp"
#include "core/stack/calculus.hpp"
#include "core/stack/stack_shape.hpp"

#include <numbers>
#include <type_traits>
#include <vector>

namespace attest {

// One forward evaluation of a stack for every number: doubles, residues, rationals, PowerNumber,
// and the duals of each. Tokens are columns.

/// Numbers that belong to a layer and are no parameters.
template <class N>
struct LayerConstants {
    std::vector<N> decay;   ///< γ_h of each head, of a fixed decay
    std::vector<N> cosine;  ///< of the angle of each pair of entries, of rotary keys
    std::vector<N> sine;
};

/// A stack at a point: its architecture and its numbers.
template <class N>
struct StackAt {
    StackShape shape;
    std::vector<N> parameters;
    std::vector<LayerConstants<N>> constants;  ///< one a layer
};

/// One sublayer with what it reads: views into a StackAt, or into duals of one.
template <class N>
struct SublayerAt {
    const StackLayer& layer;
    const Sublayer& slots;
    const LayerConstants<N>& constants;
    const N* parameters;
};

template <class N>
using SlotView =
    Eigen::Map<const Eigen::Matrix<N, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

/// The parameters of a slot as a matrix.
template <class N>
[[nodiscard]] SlotView<N> view_of(const Slot& slot, const N* parameters) {
    return {parameters + slot.first, slot.rows, slot.cols};
}

template <class N>
[[nodiscard]] MatrixOf<N> zeros(Index rows, Index cols) {
    return MatrixOf<N>::Constant(rows, cols, N(0));
}

/// Whether N is double or a Dual of it: what has roots, and is ordered.
template <class N>
inline constexpr bool kIsReal = std::is_same_v<N, double> || std::is_same_v<N, Dual<double>>;

[[nodiscard]] inline double value_of(double x) {
    return x;
}

[[nodiscard]] inline const Rational& value_of(const Rational& x) {
    return x;
}

template <class Value>
[[nodiscard]] const Value& value_of(const Dual<Value>& x) {
    return x.value;
}

template <class N>
[[noreturn]] void no_such_number(std::string_view what) {
    throw BrokenInvariant(formatted("forward: {} is asked of a number that has none", what));
}

/// Adds b (rows×1) to every column where the slot is there.
template <class N>
void add_bias(MatrixOf<N>& X, const Slot& slot, const N* parameters) {
    for (Index i = 0; i < slot.size(); ++i) {
        for (Index j = 0; j < X.cols(); ++j) {
            X(i, j) += parameters[slot.first + i];
        }
    }
}

/// Turns the pairs of entries of column i by i angles.
template <class N>
void rotate(MatrixOf<N>& X, const LayerConstants<N>& constants) {
    for (std::size_t pair = 0; pair < constants.cosine.size(); ++pair) {
        const N& c = constants.cosine[pair];
        const N& s = constants.sine[pair];
        const auto row = static_cast<Index>(2 * pair);
        N cosine(1);
        N sine(0);
        for (Index i = 0; i < X.cols(); ++i) {
            const N x = X(row, i);
            const N y = X(row + 1, i);
            X(row, i) = cosine * x - sine * y;
            X(row + 1, i) = sine * x + cosine * y;
            const N next = cosine * c - sine * s;
            sine = sine * c + cosine * s;
            cosine = next;
        }
    }
}

/// K x + b of every token, turned where the layer is rotary.
template <class N>
[[nodiscard]] MatrixOf<N> keys(const SublayerAt<N>& at,
                               const Slot& K,
                               const Slot& bias,
                               const MatrixOf<N>& X) {
    MatrixOf<N> result = view_of(K, at.parameters).lazyProduct(X);
    add_bias(result, bias, at.parameters);
    if (at.layer.rotary) {
        rotate(result, at.constants);
    }
    return result;
}

/// exp(x_i)/Σ exp(x_k) over the rows 0 … last of column j. Doubles are shifted by their largest.
template <class N>
void softmax_column(MatrixOf<N>& S, Index j, Index last) {
    if constexpr (requires(const N& x) { exponential(x); }) {
        N shift(0);
        if constexpr (kIsReal<N>) {
            double largest = value_of(S(0, j));
            for (Index i = 1; i <= last; ++i) {
                largest = std::max(largest, value_of(S(i, j)));
            }
            shift = N(largest);
        }
        N sum(0);
        for (Index i = 0; i <= last; ++i) {
            S(i, j) = exponential(S(i, j) - shift);
            sum += S(i, j);
        }
        for (Index i = 0; i <= last; ++i) {
            S(i, j) = S(i, j) / sum;
        }
    } else {
        no_such_number<N>("exp");
    }
}

/// Weights w_ij of scores, 0 where query j does not see key i.
template <class N>
[[nodiscard]] MatrixOf<N> weights(const SublayerAt<N>& at,
                                  const HeadSlots& head,
                                  Index number,
                                  MatrixOf<N> S) {
    const Index t = S.cols();
    const bool causal = at.layer.causal || at.layer.decay != StackDecay::none;
    for (Index j = 0; causal && j < t; ++j) {
        for (Index i = j + 1; i < t; ++i) {
            S(i, j) = N(0);
        }
    }
    if (at.layer.score == StackScore::softmax) {
        for (Index j = 0; j < t; ++j) {
            softmax_column(S, j, causal ? j : t - 1);
        }
    }
    if (at.layer.decay != StackDecay::none) {
        const N& gamma = at.layer.decay == StackDecay::learned
                             ? at.parameters[head.decay.first]
                             : at.constants.decay[static_cast<std::size_t>(number)];
        for (Index j = 0; j < t; ++j) {
            N power(1);
            for (Index i = j; i >= 0; --i) {
                S(i, j) = S(i, j) * power;
                power = power * gamma;
            }
        }
    }
    return S;
}

/// Σ_h O_h Σ_i w_ij (V x_i + b_V) over the heads of a group, d×t.
template <class N>
[[nodiscard]] MatrixOf<N> group_output(const SublayerAt<N>& at,
                                       const GroupSlots& group,
                                       const MatrixOf<N>& X) {
    const MatrixOf<N> K = keys(at, group.K, group.key_bias, X);
    MatrixOf<N> V = view_of(group.V, at.parameters).lazyProduct(X);
    add_bias(V, group.value_bias, at.parameters);
    MatrixOf<N> Y = zeros<N>(X.rows(), X.cols());
    for (std::size_t h = 0; h < group.heads.size(); ++h) {
        const HeadSlots& head = group.heads[h];
        const MatrixOf<N> Q = keys(at, head.Q, head.query_bias, X);
        const MatrixOf<N> W = weights<N>(
            at, head, group.first_head + static_cast<Index>(h), K.transpose().lazyProduct(Q));
        const MatrixOf<N> mixed = V.lazyProduct(W);
        Y += view_of(head.O, at.parameters).lazyProduct(mixed);
    }
    return Y;
}

/// σ(x).
template <class N>
[[nodiscard]] N activated(Activation activation, const N& x) {
    switch (activation) {
        case Activation::none:
            return x;
        case Activation::square:
            return x * x;
        case Activation::cube:
            return x * x * x;
        case Activation::relu:
            if constexpr (kIsReal<N>) {
                return value_of(x) > 0.0 ? x : N(0);
            } else if constexpr (std::is_same_v<N, Rational> || std::is_same_v<N, Dual<Rational>>) {
                if constexpr (std::is_same_v<N, Dual<Rational>>) {
                    require(x.value != 0,
                            "a relu is exactly 0 on an input, where it has no derivative; leave "
                            "this example out");
                }
                return value_of(x) > 0 ? x : N(0);
            } else {
                no_such_number<N>("a sign");
            }
        case Activation::gelu:
            if constexpr (std::is_same_v<N, double>) {
                return 0.5 * x * (1.0 + std::erf(x / std::numbers::sqrt2));
            } else if constexpr (std::is_same_v<N, Dual<double>>) {
                const double share = 0.5 * (1.0 + std::erf(x.value / std::numbers::sqrt2));
                const double slope = share + x.value * std::exp(-0.5 * x.value * x.value) *
                                                 std::numbers::inv_sqrtpi / std::numbers::sqrt2;
                return {x.value * share, slope * x.tangent};
            } else {
                no_such_number<N>("the error function");
            }
    }
    throw BrokenInvariant("activated: the activation has no value");
}

/// W₂ σ(W₁x + b₁) + b₂ of every token.
template <class N>
[[nodiscard]] MatrixOf<N> mlp_output(const SublayerAt<N>& at, const MatrixOf<N>& X) {
    const MlpSlots& slots = at.slots.mlp;
    MatrixOf<N> hidden = view_of(slots.W1, at.parameters).lazyProduct(X);
    add_bias(hidden, slots.b1, at.parameters);
    for (Index j = 0; j < hidden.cols(); ++j) {
        for (Index i = 0; i < hidden.rows(); ++i) {
            hidden(i, j) = activated(at.layer.activation, hidden(i, j));
        }
    }
    MatrixOf<N> Y = view_of(slots.W2, at.parameters).lazyProduct(hidden);
    add_bias(Y, slots.b2, at.parameters);
    return Y;
}

/// x / √(mean x² + ε), times the gain where there is one.
template <class N>
[[nodiscard]] MatrixOf<N> normalised(const SublayerAt<N>& at, MatrixOf<N> X) {
    if (at.slots.norm == StackNorm::none) {
        return X;
    }
    if constexpr (kIsReal<N>) {
        for (Index j = 0; j < X.cols(); ++j) {
            N squares(0);
            for (Index i = 0; i < X.rows(); ++i) {
                squares += X(i, j) * X(i, j);
            }
            const N mean = squares / N(X.rows()) + N(at.slots.epsilon);
            N root(0);
            if constexpr (std::is_same_v<N, double>) {
                root = std::sqrt(mean);
            } else {
                const double value = std::sqrt(mean.value);
                root = N(value, 0.5 * mean.tangent / value);
            }
            for (Index i = 0; i < X.rows(); ++i) {
                X(i, j) = X(i, j) / root;
                if (at.slots.gain.size() > 0) {
                    X(i, j) = X(i, j) * at.parameters[at.slots.gain.first + i];
                }
            }
        }
    } else {
        no_such_number<N>("a root");
    }
    return X;
}

/// f(x) of a sublayer behind its norm: the sum of its groups, or its MLP, or x itself.
template <class N>
[[nodiscard]] MatrixOf<N> inner_output(const SublayerAt<N>& at, const MatrixOf<N>& X) {
    if (at.slots.is_mlp()) {
        return mlp_output(at, X);
    }
    if (!at.slots.is_attention()) {
        return X;
    }
    MatrixOf<N> Y = zeros<N>(X.rows(), X.cols());
    for (const GroupSlots& group : at.slots.groups) {
        Y += group_output(at, group, X);
    }
    add_bias(Y, at.slots.output_bias, at.parameters);
    return Y;
}

/// X ↦ [X +] f(norm(X)), d×t.
template <class N>
[[nodiscard]] MatrixOf<N> sublayer_output(const SublayerAt<N>& at, const MatrixOf<N>& X) {
    MatrixOf<N> Y = inner_output(at, normalised(at, X));
    if (at.slots.residual) {
        Y += X;
    }
    return Y;
}

/// The layer that a sublayer is of; of a final norm, which is of none, the last one.
template <class N>
[[nodiscard]] SublayerAt<N> sublayer_at(const StackAt<N>& stack, const Sublayer& slots) {
    const std::size_t layer =
        std::min(static_cast<std::size_t>(slots.layer), stack.shape.layers.size() - 1);
    return {stack.shape.layers[layer], slots, stack.constants[layer], stack.parameters.data()};
}

/// What comes into each sublayer, and what comes out of the last: the last column of the result is
/// the output of the stack. X is d×t. O(sublayers · heads · (d(a + v)t + (a + v)t²)).
template <class N>
[[nodiscard]] std::vector<MatrixOf<N>> forward_trace(const StackAt<N>& stack,
                                                     const StackLayout& layout,
                                                     MatrixOf<N> X) {
    std::vector<MatrixOf<N>> trace{std::move(X)};
    for (const Sublayer& slots : layout.sublayers) {
        trace.push_back(sublayer_output(sublayer_at(stack, slots), trace.back()));
    }
    return trace;
}

/// The outputs that are read, token after token: o×1.
template <class N>
[[nodiscard]] VectorOf<N> read_out(Readout readout, const MatrixOf<N>& X) {
    const Index first = readout == Readout::all ? 0 : X.cols() - 1;
    VectorOf<N> y(X.rows() * (X.cols() - first));
    for (Index j = first; j < X.cols(); ++j) {
        y.segment((j - first) * X.rows(), X.rows()) = X.col(j);
    }
    return y;
}

/// The outputs of a stack on a d×t input.
template <class N>
[[nodiscard]] VectorOf<N> stack_outputs(const StackAt<N>& stack, const MatrixOf<N>& X) {
    return read_out(stack.shape.readout, forward_trace(stack, layout_of(stack.shape), X).back());
}

}  // namespace attest
