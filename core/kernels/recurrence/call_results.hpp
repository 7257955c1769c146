#pragma once

#include "core/kernels/recurrence/evaluate_head.hpp"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace attest {

/// A result: one head of an array of the call, in one sequence or, for the gradient of a parameter
/// of the head, in all.
struct ResultName {
    std::string array;
    Index sequence = 0;  ///< kAllSequences for parameters
    Index head = 0;      ///< of the array itself

    static constexpr Index kAllSequences = -1;

    [[nodiscard]] friend bool operator<(const ResultName& x, const ResultName& y) {
        return std::tie(x.sequence, x.head, x.array) < std::tie(y.sequence, y.head, y.array);
    }
};

template <class Scalar>
using CallResults = std::map<ResultName, MatrixOf<Scalar>>;

/// Heads of one sequence that share arrays with one another and with no other head.
struct HeadGroup {
    Index sequence = 0;
    Index first = 0;
    Index count = 1;
};

[[nodiscard]] std::vector<HeadGroup> head_groups(const KernelCall& call);

/// The name under which head h's result of this array belongs.
[[nodiscard]] ResultName result_name(const KernelCall& call,
                                     const std::string& array,
                                     Index sequence,
                                     Index h);

/// Adds the shares of heads, and of sequences.
template <class Scalar>
void add_results(CallResults<Scalar>& sums, const CallResults<Scalar>& shares) {
    for (const auto& [name, values] : shares) {
        const auto found = sums.find(name);
        if (found == sums.end()) {
            sums.emplace(name, values);
        } else {
            found->second += values;
        }
    }
}

/// The results of a group of heads, shares added; the arithmetic of head h is make(h).
template <class MakeArithmetic>
[[nodiscard]] auto evaluate_group(const KernelCall& call,
                                  const HeadGroup& group,
                                  const MakeArithmetic& make,
                                  const HeadEvaluation& evaluation) {
    using Arithmetic = decltype(make(Index{0}));
    CallResults<typename Arithmetic::Scalar> results;
    for (Index h = group.first; h < group.first + group.count; ++h) {
        Arithmetic arithmetic = make(h);
        CallResults<typename Arithmetic::Scalar> shares;
        for (auto& [array, values] :
             evaluate_head(call, group.sequence, h, arithmetic, evaluation)) {
            shares.emplace(result_name(call, array, group.sequence, h), std::move(values));
        }
        add_results(results, shares);
    }
    return results;
}

/// What the call's kernel wrote under this name; none where the array is not there.
[[nodiscard]] std::optional<Matrix> found_result(const KernelCall& call, const ResultName& name);

}  // namespace attest
