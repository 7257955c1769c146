#include "core/questions/probe_stack.hpp"

#include "core/rng/sample.hpp"
#include "tests/support/error_message.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace attest::test {
namespace {

StackProbeRequest causal_layers(Index d, Index heads = 1) {
    StackProbeRequest request;
    request.d = d;
    request.heads = heads;
    request.causal = true;
    return request;
}

/// A box of this architecture with random weights.
Stack box_of(StackShape shape, const std::string& name = "box") {
    Stack box;
    box.shape = std::move(shape);
    const Matrix theta =
        0.5 *
        grid_matrix(grid_normal(), layout_of(box.shape).num_parameters, 1, Stream(0).child(name));
    box.parameters.assign(theta.data(), theta.data() + theta.size());
    box.constants.resize(box.shape.layers.size());
    return box;
}

/// The answers of a box, after `change` of each, which is told the query's number.
Dataset answered(
    Dataset queries,
    const Stack& box,
    const std::function<void(Index, Vector&)>& change = [](Index, Vector&) {}) {
    queries.labels = LabelKind::per_sequence;
    queries.y = Matrix(box.shape.d, queries.num_sequences());
    for (Index i = 0; i < queries.num_sequences(); ++i) {
        Vector y = outputs(box, queries.sequence(i));
        change(i, y);
        queries.y.col(i) = y;
    }
    return queries;
}

FoundStack read_box(const StackProbeRequest& request, const Stack& box, Index starts = 40) {
    return read_stack_answers(answered(probe_stack(request).queries, box), request, starts);
}

TEST(StackProbe, AsksSixScalesOfEnoughInputs) {
    const StackProbe found = probe_stack(causal_layers(2));
    EXPECT_EQ(found.dimension.rank, 14) << "7 a layer: V and Q of 8 numbers, known up to a scale";
    const Index inputs = found.dimension.examples_least + 4;
    EXPECT_EQ(found.queries.num_sequences(), 6 * inputs);
    EXPECT_EQ(found.queries.sequence(7), found.queries.sequence(6) * 1.5);
}

// Not by the same parameters: those of queries and keys, and of values and outputs, are free up to
// a basis each.
TEST(StackProbe, FindsTheFunctionOfABox) {
    for (const StackProbeRequest& request : {causal_layers(2), causal_layers(2, 2)}) {
        const Stack box = box_of(probed_shape(request));
        const FoundStack found = read_box(request, box);
        ASSERT_EQ(found.verdict, BoxVerdict::found) << describe(found).text();
        EXPECT_EQ(found.local->rank, found.local->dimension);
        EXPECT_EQ(decision(found), Decision::yes);
        for (Index i = 0; i < 5; ++i) {
            const Matrix Z = grid_matrix(grid_normal(), 2, 4, Stream(0).child("fresh").child(i));
            const Vector truth = outputs(box, Z);
            EXPECT_LT((outputs(*found.stack, Z) - truth).norm(), 1e-6 * truth.norm());
        }
    }
}

TEST(StackProbe, ABoxOfAnotherKindShowsInItsDegrees) {
    const StackProbeRequest request = causal_layers(2);
    StackShape three = probed_shape(request);
    three.layers.push_back(three.layers.front());
    StackShape softmax = probed_shape(request);
    softmax.layers.front().score = StackScore::softmax;
    StackShape plain = probed_shape(request);
    plain.layers.back().residual = false;
    for (const StackShape& shape : {three, softmax, plain}) {
        const FoundStack found = read_box(request, box_of(shape));
        EXPECT_EQ(found.verdict, BoxVerdict::another_layer) << in_words(shape);
        EXPECT_EQ(found.starts, 0);
        EXPECT_FALSE(found.stack.has_value());
        EXPECT_EQ(decision(found), Decision::no);
    }
}

/// The fit has not seen degree 9: one that is not F₂∘F₁ tells of another box.
TEST(StackProbe, ComparesTheDegreeThatWasNotFitted) {
    const StackProbeRequest request = causal_layers(2);
    const Stack box = box_of(probed_shape(request));
    const Dataset answers = answered(probe_stack(request).queries, box, [](Index i, Vector& y) {
        y(0) += 1e-3 * std::pow(0.5 + 0.25 * static_cast<double>(i % 6), 9.0);
    });
    const FoundStack found = read_stack_answers(answers, request, 40);
    EXPECT_EQ(found.verdict, BoxVerdict::another_layer);
    ASSERT_TRUE(found.misfit && found.degree_9);
    EXPECT_LT(*found.misfit, 1e-9);
    EXPECT_GT(*found.degree_9, 1e-6);
}

TEST(StackProbe, FewerHeadsThanTheBoxHasFindNothingAndProveNothing) {
    const FoundStack found =
        read_box(causal_layers(2), box_of(probed_shape(causal_layers(2, 2)), "two heads"), 3);
    EXPECT_EQ(found.verdict, BoxVerdict::not_found);
    EXPECT_EQ(found.starts, 3);
    EXPECT_GT(*found.misfit, 1e-6);
    EXPECT_EQ(decision(found), Decision::undecided);
}

TEST(StackProbe, AnswersToOtherQueriesAreRefused) {
    const StackProbeRequest request = causal_layers(2);
    const Stack box = box_of(probed_shape(request));
    const Dataset answers = answered(probe_stack(request).queries, box);
    Dataset swapped = answers;
    Matrix tokens = answers.tokens.middleCols(0, answers.tokens.cols());
    tokens.col(3) = tokens.col(4);
    swapped.tokens = TokenMatrix(tokens);
    EXPECT_REFUSED("query 1 is not 1.5 times query 0", read_stack_answers(swapped, request, 1));
    Dataset wide = answers;
    wide.y = Matrix::Ones(3, answers.num_sequences());
    EXPECT_REFUSED("answers of 3 entries, expected y (N,2)", read_stack_answers(wide, request, 1));
    Dataset few = answers;
    few.offsets.pop_back();
    few.y = answers.y.leftCols(few.num_sequences());
    EXPECT_REFUSED("expected six for each input", read_stack_answers(few, request, 1));
}

}  // namespace
}  // namespace attest::test
