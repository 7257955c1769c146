#include "core/data/sources/sequences.hpp"

#include "core/data/shards.hpp"
#include "core/data/sources/moments.hpp"
#include "tests/support/arbitrary_dataset.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/layer_examples.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <limits>

namespace attest::test {
namespace {

/// Sequences of one length, laid out anew: axis order[0] varies slowest, and some run backwards.
struct Elsewhere {
    std::shared_ptr<const Matrix> memory;
    StridedTokens tokens;
    Dataset rest;
};

Elsewhere laid_out(const Dataset& data,
                   const std::array<std::size_t, 3>& order,
                   const std::array<bool, 3>& backwards,
                   Index gap = 1) {
    const std::array<Index, 3> sizes{data.num_sequences(), data.d(), data.length(0)};
    std::array<Index, 3> steps{};
    Index step = gap;
    for (std::size_t k = 3; k-- > 0;) {
        steps.at(order.at(k)) = step;
        step *= sizes.at(order.at(k));
    }
    auto memory = std::make_shared<Matrix>(Matrix::Constant(step, 1, -7.5));
    Index first = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (backwards.at(axis)) {
            first += (sizes.at(axis) - 1) * steps.at(axis);
            steps.at(axis) = -steps.at(axis);
        }
    }
    for (Index i = 0; i < sizes[0]; ++i) {
        for (Index j = 0; j < sizes[1]; ++j) {
            for (Index t = 0; t < sizes[2]; ++t) {
                (*memory)(first + i * steps[0] + j * steps[1] + t * steps[2]) =
                    data.tokens(j, i * sizes[2] + t);
            }
        }
    }
    const auto bytes = [](Index numbers) { return numbers * Index{sizeof(double)}; };
    StridedTokens tokens{reinterpret_cast<const std::byte*>(memory->data() + first),
                         sizes[0],
                         sizes[1],
                         sizes[2],
                         bytes(steps[0]),
                         bytes(steps[1]),
                         bytes(steps[2]),
                         memory};
    Dataset rest = data;
    rest.tokens = {};
    return {std::move(memory), std::move(tokens), std::move(rest)};
}

RC_GTEST_PROP(StridedSequences, AreTheDataSetWhateverTheirOrder, ()) {
    const auto labels = *rc::gen::element(LabelKind::per_sequence, LabelKind::per_prefix);
    const auto N = *rc::gen::inRange<Index>(1, 40);
    const auto n = *rc::gen::inRange<Index>(1, 6);
    const auto layer = *rc::gen::element<std::string>("linear", "decay=1/2", "affine", "lags=2");
    Dataset data = layer_data({.layer = layer, .n = {n, n}, .labels = labels, .count = N});
    data.truth = {};
    data.meta = "";
    if (*rc::gen::arbitrary<bool>()) {
        data.labels = LabelKind::none;
        data.y = Matrix();
    }
    std::array<std::size_t, 3> order{0, 1, 2};
    for (auto k = *rc::gen::inRange(0, 6); k > 0; --k) {
        std::next_permutation(order.begin(), order.end());
    }
    const auto backwards = *rc::gen::container<std::array<bool, 3>>(rc::gen::arbitrary<bool>());
    const Elsewhere at = laid_out(data, order, backwards, *rc::gen::inRange<Index>(1, 3));

    const StridedSequences strided(at.tokens, at.rest);

    RC_ASSERT(strided.digest() == digest(data));
    RC_ASSERT(same_blocks(SlicedSource(strided), DatasetSource(data)));
    if (data.layer.is_linear()) {
        const auto first = *rc::gen::inRange<Index>(0, data.num_examples());
        const auto last = *rc::gen::inRange<Index>(first + 1, data.num_examples() + 1);
        RC_ASSERT(same_numbers(strided.examples(first, last),
                               SequencesInMemory(data).examples(first, last)));
    }
    std::vector<Dataset> parts;
    strided.for_each_part([&](const Dataset& part) { parts.push_back(part); });
    RC_ASSERT(same_numbers(joined(std::move(parts)), data));
}

TEST(StridedSequences, HaveTheBlocksOfLongSequences) {
    for (const LabelKind labels : {LabelKind::per_sequence, LabelKind::per_prefix}) {
        // A part holds four sequences, a run of a block one.
        const Dataset data =
            layer_data({.layer = "linear", .n = {50'000, 50'000}, .labels = labels, .count = 11});
        const Elsewhere at = laid_out(data, {0, 1, 2}, {});
        const StridedSequences strided(at.tokens, at.rest);
        EXPECT_TRUE(same_blocks(SlicedSource(strided), DatasetSource(data)));
        EXPECT_EQ(strided.digest(), digest(data));
    }
}

TEST(StridedSequences, HaveTheBlocksOfASequenceOfSeveralRuns) {
    const Index n = kRunNumbers;  // d = 2: two runs
    for (const LabelKind labels : {LabelKind::per_sequence, LabelKind::per_prefix}) {
        const Dataset data =
            layer_data({.layer = "linear", .n = {n, n}, .labels = labels, .count = 2});
        const Elsewhere at = laid_out(data, {0, 1, 2}, {});
        const StridedSequences strided(at.tokens, at.rest);
        EXPECT_TRUE(same_blocks(SlicedSource(strided), DatasetSource(data)));
    }
}

TEST(TokenRuns, HaveEveryTokenAndEveryLabelOnce) {
    for (const LabelKind labels : {LabelKind::per_sequence, LabelKind::per_prefix}) {
        const Dataset data =
            layer_data({.layer = "linear", .n = {60'000, 60'000}, .labels = labels, .count = 5});
        const Elsewhere at = laid_out(data, {0, 1, 2}, {});
        const StridedSequences strided(at.tokens, at.rest);
        const Index first = 59'999;  // the last token of the first sequence
        const Index end = 240'001;   // of five the last begins at 240 000

        Index token = first;
        Index example = data.labels == LabelKind::per_prefix ? first : 0;
        for_each_run(strided, first, end, [&](const TokenRun& run) {
            EXPECT_EQ(run.first_token, token);
            EXPECT_EQ(run.first_example, example);
            EXPECT_EQ(run.tokens, data.tokens.middleCols(token, run.tokens.cols()));
            EXPECT_EQ(run.labels, data.y.middleCols(example, run.labels.cols()));
            token = run.end();
            example += run.labels.cols();
        });
        EXPECT_EQ(token, end);
        EXPECT_EQ(example, data.labels == LabelKind::per_prefix ? end : 4);
    }
}

TEST(StridedSequences, SayWhatIsWrongAsADataSetDoes) {
    Dataset data = layer_data({.layer = "linear", .n = {4, 4}, .count = 9});
    data.tokens.own()(1, 30) = std::numeric_limits<double>::quiet_NaN();
    const Elsewhere at = laid_out(data, {0, 1, 2}, {});
    const auto message = invalid_input_message([&] { StridedSequences(at.tokens, at.rest); });
    EXPECT_EQ(message, invalid_input_message([&] { check(data); }));
    EXPECT_NE(message.find("Z[7] holds a NaN at (1,2)"), message.npos) << message;

    Dataset few = at.rest;
    few.offsets.pop_back();
    EXPECT_THROW(StridedSequences(at.tokens, few), InvalidInput);
}

}  // namespace
}  // namespace attest::test
