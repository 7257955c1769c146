#include "core/stack/symmetries.hpp"

#include "core/stack/jacobian.hpp"
#include "core/stack/residue_matrix.hpp"
#include "tests/core/stack/stacks.hpp"
#include "tests/reference/elimination.hpp"
#include "tests/reference/stack.hpp"

#include <gtest/gtest.h>

#include <set>

namespace attest::test {
namespace {

using R = ResidueNumber<kStackPrime>;

template <class Residue>
bool all_zero(const MatrixOf<Residue>& A) {
    return A == zeros<Residue>(A.rows(), A.cols());
}

/// A stack at random residues.
template <class Value>
StackAt<Value> random_point(const StackShape& shape, std::uint64_t seed) {
    Draws draws(Stream(seed).child("point"));
    StackAt<Value> stack{shape, {}, {}};
    for (Index k = 0; k < layout_of(shape).num_parameters; ++k) {
        stack.parameters.push_back(Value(static_cast<std::int64_t>(draws.below(7)) - 3));
    }
    for (const StackLayer& layer : shape.layers) {
        LayerConstants<Value> constants;
        for (Index h = 0; layer.decay == StackDecay::fixed && h < layer.heads; ++h) {
            constants.decay.push_back(Value(h + 2));
        }
        for (Index k = 0; layer.rotary && k < layer.key_size / 2; ++k) {
            constants.cosine.push_back(Value(3) / Value(5));
            constants.sine.push_back(Value(4) / Value(5));
        }
        stack.constants.push_back(constants);
    }
    return stack;
}

template <class Value>
MatrixOf<TangentOf<Value>> derivative(const StackAt<Value>& stack, Index tokens) {
    StackJacobian<Value> jacobian(stack);
    Draws draws(Stream(3).child("input"));
    MatrixOf<Value> X(stack.shape.d, tokens);
    for (Index k = 0; k < X.size(); ++k) {
        X(k) = Value(static_cast<std::int64_t>(draws.below(5)) - 2);
    }
    return jacobian.at(X).J;
}

/// Every architecture here has symmetries of kinds that the others lack.
std::vector<StackShape> polynomial_shapes() {
    const auto biased = [](StackLayer& layer) {
        layer.query_bias = layer.key_bias = layer.value_bias = layer.output_bias = true;
    };
    return {
        stack_shape(2, 2, 2, 3, 2),
        stack_shape(3, 2, 1, 2, 2, [](StackLayer& layer) { layer.residual = true; }),
        stack_shape(3, 2, 2, 4, 1, [](StackLayer& layer) { layer.groups = 2; }),
        stack_shape(3,
                    2,
                    2,
                    4,
                    1,
                    [](StackLayer& layer) {
                        layer.groups = 2;
                        layer.decay = StackDecay::learned;
                    }),
        stack_shape(2,
                    1,
                    2,
                    2,
                    2,
                    [&](StackLayer& layer) {
                        biased(layer);
                        layer.residual = true;
                    }),
        stack_shape(2, 1, 2, 2, 2, biased),
        stack_shape(2,
                    1,
                    2,
                    1,
                    2,
                    [&](StackLayer& layer) {
                        biased(layer);
                        layer.residual = layer.mlp_biases = true;
                        layer.activation = Activation::square;
                        layer.width = 3;
                    }),
        stack_shape(2,
                    1,
                    1,
                    1,
                    2,
                    [](StackLayer& layer) {
                        layer.activation = Activation::cube;
                        layer.width = 2;
                        layer.mlp_biases = true;
                    }),
        stack_shape(4,
                    4,
                    2,
                    2,
                    1,
                    [](StackLayer& layer) { layer.residual = layer.causal = layer.rotary = true; }),
    };
}

std::vector<StackShape> softmax_shapes() {
    const auto softmax = [](StackLayer& layer) { layer.score = StackScore::softmax; };
    return {
        stack_shape(3, 2, 2, 2, 2, softmax),
        stack_shape(3,
                    1,
                    2,
                    2,
                    2,
                    [&](StackLayer& layer) {
                        softmax(layer);
                        layer.residual = layer.query_bias = layer.key_bias = layer.value_bias =
                            layer.output_bias = true;
                    }),
        stack_shape(3,
                    1,
                    1,
                    1,
                    2,
                    [&](StackLayer& layer) {
                        softmax(layer);
                        layer.residual = layer.mlp_biases = true;
                        layer.activation = Activation::square;
                        layer.width = 2;
                    }),
    };
}

template <class Value>
void expect_constant_along_every_field(const StackShape& shape) {
    const StackAt<Value> stack = random_point<Value>(shape, 5);
    std::vector<TangentOf<Value>> images;
    for (const Value& value : stack.parameters) {
        images.push_back(Calculus<Value>::image(value));
    }
    const MatrixOf<TangentOf<Value>> J = derivative(stack, 3);
    for (const auto& each : symmetries(shape, images)) {
        const MatrixOf<TangentOf<Value>> change = J.lazyProduct(each.fields.transpose());
        EXPECT_TRUE(all_zero(change)) << in_words(shape) << ": " << in_words(each.kind);
    }
}

TEST(Symmetries, LeaveTheFunctionAsItIs) {
    for (const StackShape& shape : polynomial_shapes()) {
        expect_constant_along_every_field<R>(shape);
    }
    for (const StackShape& shape : softmax_shapes()) {
        expect_constant_along_every_field<PowerNumber>(shape);
    }
}

TEST(Symmetries, OfNormsAreNoticedByNoOutputInDoubles) {
    for (const StackNorm norm : {StackNorm::rms, StackNorm::rms_gain}) {
        const StackShape shape =
            stack_shape(3, 2, 2, 2, 2, [&](StackLayer& layer) { layer.norm = norm; });
        // Integers of one value in both arithmetics, so that fields and derivative are of one
        // point.
        const StackAt<double> stack = random_point<double>(shape, 5);
        std::vector<R> images;
        for (const double value : stack.parameters) {
            images.emplace_back(static_cast<std::int64_t>(value));
        }
        const Matrix J = derivative(stack, 3);
        for (const auto& each : symmetries(shape, images)) {
            if (each.kind == SymmetryKind::norm_rotation && norm == StackNorm::rms_gain) {
                continue;  // its fields hold quotients of gains, which are no small integers
            }
            Matrix fields(each.fields.rows(), each.fields.cols());
            for (Index k = 0; k < fields.size(); ++k) {
                fields(k) =
                    static_cast<double>(Modulus(kStackPrime).balanced(each.fields(k).value()));
            }
            const Matrix change = J * fields.transpose();
            const double size = J.norm() * fields.norm();
            EXPECT_LT(change.norm(), 30.0 * std::numeric_limits<double>::epsilon() * size)
                << in_words(each.kind);
        }
    }
}

/// Each kind is asked somewhere above or below.
TEST(Symmetries, AreAllThere) {
    std::set<SymmetryKind> kinds;
    std::vector<StackShape> shapes = polynomial_shapes();
    for (const StackShape& shape : softmax_shapes()) {
        shapes.push_back(shape);
    }
    for (const StackShape& shape : shapes) {
        const StackAt<R> stack = random_point<R>(shape, 5);
        for (const auto& each : symmetries(shape, stack.parameters)) {
            kinds.insert(each.kind);
        }
    }
    EXPECT_EQ(kinds.size(), 10U) << "all but those of norms";
}

/// Two heads with the same queries: a second constant is unseen there, but not near it, so that its
/// field would bound nothing.
TEST(Symmetries, OfDependentQueriesAreLeftOut) {
    StackShape shape = stack_shape(3, 1, 1, 2, 2, [](StackLayer& layer) {
        layer.score = StackScore::softmax;
        layer.residual = layer.mlp_biases = true;
        layer.activation = Activation::square;
        layer.width = 2;
    });
    StackAt<R> stack = random_point<R>(shape, 5);
    const auto shifts = [&] {
        Index count = 0;
        for (const auto& each : symmetries(shape, stack.parameters)) {
            count += each.kind == SymmetryKind::shift_into_mlp ? each.fields.rows() : 0;
        }
        return count;
    };
    EXPECT_EQ(shifts(), 1);
    const Sublayer attention = layout_of(shape).sublayers[2];
    const Slot first = attention.groups[0].heads[0].Q;
    const Slot second = attention.groups[1].heads[0].Q;
    std::copy_n(stack.parameters.begin() + first.first,
                first.size(),
                stack.parameters.begin() + second.first);
    EXPECT_EQ(shifts(), 0);
}

/// A planted fault: a sign in one entry of one field.
TEST(Symmetries, AFieldWithAFaultIsNoticed) {
    const StackShape shape = stack_shape(3, 2, 1, 2, 2);
    const StackAt<R> stack = random_point<R>(shape, 5);
    const MatrixOf<R> J = derivative(stack, 3);
    for (auto each : symmetries(shape, stack.parameters)) {
        Index at = 0;
        while (each.fields(0, at) == R(0) || all_zero(MatrixOf<R>(J.col(at)))) {
            ++at;
        }
        each.fields(0, at) = -each.fields(0, at);
        const MatrixOf<R> change = J.lazyProduct(each.fields.row(0).transpose());
        EXPECT_FALSE(all_zero(change)) << in_words(each.kind);
    }
}

// The derivative itself, beside a naive one over Q that shares no code with it.

reference::Rows rows_of(const Slot& slot, const std::vector<reference::Rational>& parameters) {
    reference::Rows rows =
        reference::zeros(static_cast<std::size_t>(slot.rows), static_cast<std::size_t>(slot.cols));
    for (Index i = 0; i < slot.rows; ++i) {
        for (Index j = 0; j < slot.cols; ++j) {
            rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
                parameters[static_cast<std::size_t>(slot.at(i, j))];
        }
    }
    return rows;
}

std::vector<reference::StackLayer> reference_layers(
    const StackShape& shape, const std::vector<reference::Rational>& parameters) {
    std::vector<reference::StackLayer> layers;
    for (const Sublayer& sublayer : layout_of(shape).sublayers) {
        const StackLayer& layer = shape.layers[static_cast<std::size_t>(sublayer.layer)];
        reference::StackLayer naive;
        naive.residual = layer.residual;
        naive.causal = layer.causal;
        for (const GroupSlots& group : sublayer.groups) {
            for (const HeadSlots& head : group.heads) {
                naive.heads.push_back({rows_of(group.K, parameters),
                                       rows_of(head.Q, parameters),
                                       rows_of(group.V, parameters),
                                       rows_of(head.O, parameters)});
            }
        }
        layers.push_back(naive);
    }
    return layers;
}

TEST(StackJacobian, IsTheNaiveDerivativeOverTheRationals) {
    Draws draws(Stream(11).child("shapes"));
    for (std::uint64_t trial = 0; trial < 40; ++trial) {
        const auto size = [&](std::uint64_t most) {
            return static_cast<Index>(1 + draws.below(most));
        };
        const Index groups = size(2);
        StackShape shape =
            stack_shape(size(2), size(2), size(2), groups * size(2), size(2), [&](auto& layer) {
                layer.groups = groups;
                layer.residual = draws.below(2) == 0;
                layer.causal = draws.below(2) == 0;
            });
        const StackAt<R> stack = random_point<R>(shape, trial);
        const Index tokens = size(3);
        const MatrixOf<R> J = derivative(stack, tokens);
        std::vector<reference::Rational> parameters;
        for (const R& value : stack.parameters) {
            parameters.emplace_back(
                static_cast<long>(Modulus(kStackPrime).balanced(value.value())));
        }
        Draws inputs(Stream(3).child("input"));
        reference::Rows Z =
            reference::zeros(static_cast<std::size_t>(shape.d), static_cast<std::size_t>(tokens));
        for (Index k = 0; k < shape.d * tokens; ++k) {
            Z[static_cast<std::size_t>(k % shape.d)][static_cast<std::size_t>(k / shape.d)] =
                static_cast<long>(inputs.below(5)) - 2;
        }
        // One parameter enters the last layer's cubic maps at most three times.
        constexpr long kDegree = 3;
        for (std::size_t k = 0; k < parameters.size(); ++k) {
            std::vector<reference::Rows> outputs;
            for (long step = 0; step <= kDegree; ++step) {
                std::vector<reference::Rational> moved = parameters;
                moved[k] += step;
                outputs.push_back(reference_stack(reference_layers(shape, moved), Z));
            }
            for (Index row = 0; row < J.rows(); ++row) {
                reference::Row values;
                for (const reference::Rows& Y : outputs) {
                    values.push_back(Y[static_cast<std::size_t>(row % shape.d)]
                                      [static_cast<std::size_t>(row / shape.d)]);
                }
                const reference::Rational slope = reference::reference_slope(values);
                ASSERT_EQ(J(row, static_cast<Index>(k)).value(),
                          Calculus<Rational>::image(Rational(slope)).value())
                    << in_words(shape) << ", parameter " << k;
            }
        }
    }
}

}  // namespace
}  // namespace attest::test
