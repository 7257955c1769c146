#include "core/stack/jacobian.hpp"

namespace attest {

namespace {

template <class Value>
std::vector<Dual<Value>> constants_of(const std::vector<Value>& values) {
    return std::vector<Dual<Value>>(values.begin(), values.end());
}

template <class Value>
StackAt<Dual<Value>> dual_of(const StackAt<Value>& stack) {
    StackAt<Dual<Value>> dual{stack.shape, constants_of(stack.parameters), {}};
    for (const LayerConstants<Value>& each : stack.constants) {
        dual.constants.push_back(
            {constants_of(each.decay), constants_of(each.cosine), constants_of(each.sine)});
    }
    return dual;
}

template <class Value>
MatrixOf<Dual<Value>> constants_of(const MatrixOf<Value>& X) {
    MatrixOf<Dual<Value>> result(X.rows(), X.cols());
    for (Index j = 0; j < X.cols(); ++j) {
        for (Index i = 0; i < X.rows(); ++i) {
            result(i, j) = Dual<Value>(X(i, j));
        }
    }
    return result;
}

/// Writes the derivative of a d×t result, token after token, into a column.
template <class Value, class Column>
void write_tangents(const MatrixOf<Dual<Value>>& Y, Column&& column) {
    for (Index j = 0; j < Y.cols(); ++j) {
        for (Index i = 0; i < Y.rows(); ++i) {
            column(j * Y.rows() + i) = Y(i, j).tangent;
        }
    }
}

/// The slots of a group that hold parameters.
std::vector<Slot> slots_of(const GroupSlots& group) {
    std::vector<Slot> slots{group.K, group.V, group.key_bias, group.value_bias};
    for (const HeadSlots& head : group.heads) {
        slots.insert(slots.end(), {head.Q, head.O, head.query_bias, head.decay});
    }
    return slots;
}

}  // namespace

template <class Value>
StackJacobian<Value>::StackJacobian(const StackAt<Value>& stack)
    : layout_(layout_of(stack.shape)), dual_(dual_of(stack)) {
    require(static_cast<Index>(stack.parameters.size()) == layout_.num_parameters,
            "StackJacobian: got {} parameters, expected {}",
            stack.parameters.size(),
            layout_.num_parameters);
}

template <class Value>
void StackJacobian<Value>::add_parameters(const Sublayer& slots,
                                          const MatrixOf<Value>& X,
                                          MatrixOf<Tangent>& local) {
    using N = Dual<Value>;
    const SublayerAt<N> at = sublayer_at(dual_, slots);
    const MatrixOf<N> input = constants_of(X);
    const MatrixOf<N> normed = normalised(at, input);
    const auto differentiate = [&](const Slot& slot, const auto& function) {
        for (Index k = slot.first; k < slot.first + slot.size(); ++k) {
            N& parameter = dual_.parameters[static_cast<std::size_t>(k)];
            parameter.tangent = Tangent(1);
            write_tangents<Value>(function(), local.col(k));
            parameter.tangent = Tangent(0);
        }
    };
    differentiate(slots.gain, [&] { return inner_output(at, normalised(at, input)); });
    for (const GroupSlots& group : slots.groups) {
        for (const Slot& slot : slots_of(group)) {
            differentiate(slot, [&] { return group_output(at, group, normed); });
        }
    }
    // The derivative by a bias of the output is a unit vector of every token.
    const auto by_output_bias = [&](const Slot& slot) {
        for (Index i = 0; i < slot.size(); ++i) {
            for (Index j = 0; j < X.cols(); ++j) {
                local(j * X.rows() + i, slot.first + i) = Tangent(1);
            }
        }
    };
    by_output_bias(slots.output_bias);
    for (const Slot& slot : {slots.mlp.W1, slots.mlp.b1, slots.mlp.W2}) {
        differentiate(slot, [&] { return mlp_output(at, normed); });
    }
    by_output_bias(slots.mlp.b2);
}

template <class Value>
MatrixOf<TangentOf<Value>> StackJacobian<Value>::transport(const Sublayer& slots,
                                                           const MatrixOf<Value>& X) {
    const SublayerAt<Dual<Value>> at = sublayer_at(dual_, slots);
    MatrixOf<Dual<Value>> input = constants_of(X);
    MatrixOf<Tangent> M(X.size(), X.size());
    for (Index j = 0; j < X.cols(); ++j) {
        for (Index i = 0; i < X.rows(); ++i) {
            input(i, j).tangent = Tangent(1);
            write_tangents<Value>(sublayer_output(at, input), M.col(j * X.rows() + i));
            input(i, j).tangent = Tangent(0);
        }
    }
    return M;
}

template <class Value>
StackDerivative<Value> StackJacobian<Value>::at(const MatrixOf<Value>& X) {
    require(X.rows() == dual_.shape.d && X.cols() >= 1,
            "StackJacobian: the input is {}x{}, expected {} rows and at least one column",
            X.rows(),
            X.cols(),
            dual_.shape.d);
    // What comes into each sublayer; values only.
    std::vector<MatrixOf<Value>> trace{X};
    for (const Sublayer& slots : layout_.sublayers) {
        const MatrixOf<Dual<Value>> next =
            sublayer_output(sublayer_at(dual_, slots), constants_of(trace.back()));
        MatrixOf<Value> values(X.rows(), X.cols());
        for (Index k = 0; k < X.size(); ++k) {
            values(k) = next(k).value;
        }
        trace.push_back(std::move(values));
    }
    MatrixOf<Tangent> local = zeros<Tangent>(X.size(), layout_.num_parameters);
    const Index read = dual_.shape.outputs(X.cols());
    // ∂(what is read)/∂(output of the sublayer at hand), o×d·t.
    MatrixOf<Tangent> behind = zeros<Tangent>(read, X.size());
    for (Index a = 0; a < read; ++a) {
        behind(a, X.size() - read + a) = Tangent(1);
    }
    StackDerivative<Value> found{zeros<Tangent>(read, layout_.num_parameters), trace.back()};
    for (std::size_t s = layout_.sublayers.size(); s-- > 0;) {
        const Sublayer& slots = layout_.sublayers[s];
        add_parameters(slots, trace[s], local);
        const Index count = slots.end - slots.first;
        if (count > 0) {
            found.J.middleCols(slots.first, count) =
                behind.lazyProduct(local.middleCols(slots.first, count));
        }
        if (s > 0) {
            behind = MatrixOf<Tangent>(behind.lazyProduct(transport(slots, trace[s])));
        }
    }
    return found;
}

template class StackJacobian<double>;
template class StackJacobian<Rational>;
template class StackJacobian<PowerNumber>;
template class StackJacobian<ResidueNumber<kStackPrime>>;
template class StackJacobian<ResidueNumber<PowerNumber::kPrime>>;

}  // namespace attest
