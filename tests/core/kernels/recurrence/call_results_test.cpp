#include "core/kernels/recurrence/call_results.hpp"

#include "tests/core/kernels/recurrence/numbered_calls.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace attest {
namespace {

using test::numbered_calls;
using test::NumberedCall;

/// Σ(i+1)x_i over all entries of a result in the order of the dump: sequences, rows, heads,
/// entries.
double weighted_sum(const KernelCall& call,
                    const CallResults<long double>& results,
                    const std::string& array) {
    const CallArray& shape = call.arrays.at(array);
    const bool state = shape.extent == ArrayExtent::state;
    long double sum = 0.0L;
    Index row_before = 0;
    Index state_before = 0;
    for (Index s = 0; s < call.sequences(); ++s) {
        Index rows = 0;
        for (Index head = 0; head < shape.heads; ++head) {
            const bool parameter = shape.extent == ArrayExtent::head;
            const ResultName name{array, parameter ? ResultName::kAllSequences : s, head};
            const MatrixOf<long double>& values = results.at(name);
            rows = values.rows();
            for (Index t = 0; t < values.rows(); ++t) {
                for (Index c = 0; c < values.cols(); ++c) {
                    const Index in_state = state_before + t * values.cols() + c;
                    const Index in_rows =
                        ((row_before + t) * shape.heads + head) * values.cols() + c;
                    const Index at = state ? in_state : in_rows;
                    sum += static_cast<long double>(at + 1) * values(t, c);
                }
            }
            state_before += values.size();
        }
        row_before += rows;
    }
    return static_cast<double>(sum);
}

/// What a kernel without roundings gives, every head of every sequence.
CallResults<long double> exact_results(const KernelCall& call) {
    CallResults<long double> all;
    for (const HeadGroup& group : head_groups(call)) {
        add_results(all, evaluate_group(call, group, [](Index) { return ExactArithmetic(); }, {}));
    }
    return all;
}

class NumberedCalls : public ::testing::TestWithParam<std::size_t> {};

TEST_P(NumberedCalls, HaveTheReferenceResultsAndGradients) {
    const NumberedCall numbers = numbered_calls()[GetParam()];
    const KernelCall call = kernel_call(numbers.arrays, numbers.format);
    const CallResults<long double> results = exact_results(call);
    for (const auto& [array, expected] : numbers.sums) {
        // The references are printed to eleven digits.
        EXPECT_NEAR(weighted_sum(call, results, array), expected, 5e-11 * std::abs(expected) * 10)
            << numbers.what << ": " << array;
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels,
                         NumberedCalls,
                         ::testing::Range(std::size_t{0}, numbered_calls().size()));

/// The largest |x − y| over the largest |y| of any result.
double largest_difference(const CallResults<long double>& x, const CallResults<long double>& y) {
    double largest = 0.0;
    for (const auto& [name, values] : y) {
        const MatrixOf<long double> apart = x.at(name) - values;
        const auto size = static_cast<double>(values.cwiseAbs().maxCoeff());
        largest = std::max(
            largest, static_cast<double>(apart.cwiseAbs().maxCoeff()) / std::max(size, 1e-300));
    }
    return largest;
}

TEST_P(NumberedCalls, AreTheSameInChunks) {
    const NumberedCall numbers = numbered_calls()[GetParam()];
    const KernelCall call = kernel_call(numbers.arrays, numbers.format);
    for (const HeadGroup& group : head_groups(call)) {
        const auto exact = [](Index) { return ExactArithmetic(); };
        const auto token = evaluate_group(call, group, exact, {});
        for (const Index chunk : {1, 2, 3, 64}) {
            const auto chunked =
                evaluate_group(call, group, exact, {.chunked = ChunkedForm{chunk}});
            // Both are within some thousand roundings of long double.
            EXPECT_LT(largest_difference(chunked, token), 4096 * 0x1p-64)
                << numbers.what << ", chunks of " << chunk;
        }
    }
}

/// The call with tokens of zeros before its one sequence.
KernelCall behind_zeros(KernelCall call, Index tokens) {
    for (auto& [name, array] : call.arrays) {
        if (array.extent == ArrayExtent::token) {
            const Index entries = tokens * array.heads * array.width;
            array.values.insert(array.values.begin(), static_cast<std::size_t>(entries), 0.0);
        }
    }
    call.starts.back() += tokens;
    return call;
}

TEST_P(NumberedCalls, OfAGridThatBeganEarlierAreThoseBehindTokensOfZeros) {
    const NumberedCall numbers = numbered_calls()[GetParam()];
    const KernelCall call = kernel_call(numbers.arrays, numbers.format);
    if (call.sequences() > 1 || call.flags.changes_arguments() ||
        !(is_delta(call.recurrence) && call.contains("beta"))) {
        return;
    }
    const auto results = [](const KernelCall& of, Index offset) {
        return evaluate_group(
            of,
            {0, 0, 1},
            [](Index) { return ExactArithmetic(); },
            {.chunked = ChunkedForm{4, offset, ChunkedFault::wy_read_not_differentiated}});
    };
    const CallResults<long double> own = results(call, 0);
    const CallResults<long double> moved = results(call, 3);
    const CallResults<long double> padded = results(behind_zeros(call, 3), 0);
    for (const auto& [name, values] : moved) {
        const MatrixOf<long double>& wide = padded.at(name);
        const MatrixOf<long double> rows = wide.bottomRows(values.rows());
        EXPECT_LT((rows - values).cwiseAbs().maxCoeff(),
                  4096 * 0x1p-64L * (1.0L + values.cwiseAbs().maxCoeff()))
            << numbers.what << ": " << name.array;
    }
    EXPECT_GT(largest_difference(moved, own), 1e-3) << numbers.what << ": another grid shows";
}

}  // namespace
}  // namespace attest
