#include "core/stack/local_stack.hpp"

#include "tests/core/stack/stacks.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

namespace attest::test {
namespace {

StackShape two_layers() {
    return stack_shape(3, 1, 1, 2, 2, [](StackLayer& layer) { layer.residual = true; });
}

TEST(LocalStack, IsDeterminedFromAsManyExamplesOnAsCountingAllows) {
    const Stack stack = integer_stack(two_layers(), 1);
    const Index least = dimension({stack.shape, 3}).examples_least;
    const LocalStack found = local_stack(integer_sequences(least + 2, 3, 3, 1), stack);
    EXPECT_EQ(found.verdict, StackVerdict::determined);
    EXPECT_EQ(found.evidence, StackEvidence::symmetries);
    EXPECT_EQ(found.rank, found.dimension);
    EXPECT_EQ(found.rank + found.symmetry_rank, found.parameters);
    EXPECT_FALSE(found.open.has_value());
}

TEST(LocalStack, IsNotDeterminedByFewExamplesAndShowsWhere) {
    const Stack stack = integer_stack(two_layers(), 1);
    const LocalStack found = local_stack(integer_sequences(2, 3, 3, 1), stack);
    EXPECT_EQ(found.verdict, StackVerdict::not_determined);
    EXPECT_EQ(found.evidence, StackEvidence::full_row_rank);
    EXPECT_EQ(found.rank, found.numbers);
    EXPECT_EQ(found.open_directions(), found.dimension - found.rank);
    ASSERT_TRUE(found.open.has_value());
    // Moved along the direction the outputs on the data stay to first order, elsewhere they move.
    const auto moved = [&](double step, const Matrix& X) {
        Stack other = stack;
        for (std::size_t k = 0; k < other.parameters.size(); ++k) {
            other.parameters[k] += step * found.open->direction[k];
        }
        return Vector((outputs(other, X) - outputs(stack, X)) / step);
    };
    const Matrix seen = integer_sequences(2, 3, 3, 1).sequence(0);
    constexpr double kStep = 1e-6;
    const double elsewhere = moved(kStep, found.open->input).norm();
    EXPECT_LT(moved(kStep, seen).norm(), 1e-2 * elsewhere);
    EXPECT_LT((moved(kStep, found.open->input) - found.open->change).norm(), 1e-2 * elsewhere);
}

// The only number of the data is the product of both primes, modulo which ranks are computed.
TEST(LocalStack, OfNumbersThatVanishModuloBothPrimesIsUndecided) {
    const Stack stack = integer_stack(stack_shape(1, 1, 1, 1, 1, [](StackLayer&) {}), 1);
    Dataset data;
    data.offsets = {0, 2};
    data.tokens = TokenMatrix(Matrix{{0.0, 4194301.0 * 4194287.0}});
    EXPECT_EQ(local_stack(data, stack).verdict, StackVerdict::undecided);
    data.tokens = TokenMatrix(Matrix{{0.0, 4194301.0 * 4194287.0 + 1.0}});
    EXPECT_EQ(local_stack(data, stack).verdict, StackVerdict::determined);
}

/// Repeated examples do not count twice; else full row rank could never be seen.
TEST(LocalStack, TakesARepeatedExampleOnce) {
    const Stack stack = integer_stack(two_layers(), 1);
    Dataset data = integer_sequences(2, 3, 3, 1);
    Matrix twice(3, 12);
    twice << data.tokens.view(), data.tokens.view();
    data.tokens = TokenMatrix(twice);
    data.offsets = {0, 3, 6, 9, 12};
    const LocalStack found = local_stack(data, stack);
    EXPECT_EQ(found.examples, 2);
    EXPECT_EQ(found.verdict, StackVerdict::not_determined);
}

/// A coordinate that is 0 in every token: what reads it is open.
TEST(LocalStack, NamesWhatNoExampleExercises) {
    const Stack stack = integer_stack(stack_shape(3, 2, 2, 1, 1), 2);
    Dataset data = integer_sequences(30, 3, 3, 3);
    Matrix blind = data.tokens.view();
    blind.row(2).setZero();
    data.tokens = TokenMatrix(blind);
    const LocalStack found = local_stack(data, stack);
    EXPECT_EQ(found.verdict, StackVerdict::first_order_open);
    ASSERT_TRUE(found.open.has_value());
    const Slot K = layout_of(stack.shape).sublayers[0].groups[0].K;
    const Slot V = layout_of(stack.shape).sublayers[0].groups[0].V;
    const Slot Q = layout_of(stack.shape).sublayers[0].groups[0].heads[0].Q;
    double of_column = 0.0;
    for (const Slot& slot : {K, V, Q}) {
        for (Index i = 0; i < slot.rows; ++i) {
            const double entry = found.open->direction[static_cast<std::size_t>(slot.at(i, 2))];
            of_column += entry * entry;
        }
    }
    EXPECT_GT(of_column, 0.999) << "the columns that read the silent coordinate";
}

TEST(LocalStack, CallsAHeadOfZeroSingularAndNotUndetermined) {
    Stack stack = integer_stack(two_layers(), 1);
    const GroupSlots group = layout_of(stack.shape).sublayers[1].groups[0];
    for (const Slot& slot : {group.K, group.V, group.heads[0].Q, group.heads[0].O}) {
        std::fill_n(stack.parameters.begin() + slot.first, slot.size(), 0.0);
    }
    const LocalStack found = local_stack(integer_sequences(40, 3, 3, 1), stack);
    EXPECT_EQ(found.verdict, StackVerdict::singular);
    EXPECT_LT(found.at_model, found.dimension);
}

TEST(LocalStack, SuggestsCandidatesThatCloseWhatIsOpen) {
    const Stack stack = integer_stack(two_layers(), 1);
    const Dataset pool = integer_sequences(8, 3, 3, 9);
    LocalStackRequest request;
    request.pool = &pool;
    request.suggest = 8;
    const LocalStack found = local_stack(integer_sequences(2, 3, 3, 1), stack, request);
    ASSERT_FALSE(found.suggestions.empty());
    EXPECT_EQ(found.suggestions.back().rank, found.dimension);
    Index before = found.rank;
    for (const StackSuggestion& each : found.suggestions) {
        EXPECT_GT(each.rank, before);
        before = each.rank;
    }
}

TEST(LocalStack, SeesReluInItsCellExactly) {
    const Stack stack = integer_stack(stack_shape(2,
                                                  1,
                                                  1,
                                                  1,
                                                  1,
                                                  [](StackLayer& layer) {
                                                      layer.residual = true;
                                                      layer.activation = Activation::relu;
                                                      layer.width = 2;
                                                  }),
                                      4);
    Dataset data = integer_sequences(30, 2, 3, 5);
    EXPECT_EQ(
        invalid_input_message([&] { static_cast<void>(local_stack(data, stack)); }),
        "a relu is exactly 0 on an input, where it has no derivative; leave this example out");
    data.tokens = TokenMatrix(Matrix(data.tokens.view().array() + 0.0625));
    const LocalStack found = local_stack(data, stack);
    EXPECT_EQ(found.arithmetic, StackArithmetic::rationals);
    EXPECT_EQ(found.rank, found.at_model);
}

TEST(LocalStack, OfSoftmaxIsNumericalAndSaysSo) {
    const Stack stack = integer_stack(stack_shape(3,
                                                  1,
                                                  1,
                                                  1,
                                                  2,
                                                  [](StackLayer& layer) {
                                                      layer.score = StackScore::softmax;
                                                      layer.residual = true;
                                                  }),
                                      6);
    Dataset data = integer_sequences(30, 3, 3, 7);
    data.tokens = TokenMatrix(Matrix(data.tokens.view() / 4.0));
    Stack small = stack;
    for (double& parameter : small.parameters) {
        parameter /= 4.0;
    }
    const LocalStack found = local_stack(data, small);
    EXPECT_EQ(found.verdict, StackVerdict::numerically_determined);
    EXPECT_EQ(found.evidence, StackEvidence::none);
    EXPECT_TRUE(found.gap.has_value());
}

TEST(LocalStack, RefusesDataOfAnotherSize) {
    EXPECT_EQ(invalid_input_message([] {
                  static_cast<void>(
                      local_stack(integer_sequences(2, 4, 3, 1), integer_stack(two_layers(), 1)));
              }),
              "local_stack: the data have tokens of 4 numbers, the stack of 3");
}

}  // namespace
}  // namespace attest::test
