#include "core/kernels/recurrence/call_results.hpp"

#include <algorithm>
#include <numeric>

namespace attest {

std::vector<HeadGroup> head_groups(const KernelCall& call) {
    Index groups = call.heads;
    for (const auto& [name, array] : call.arrays) {
        if (array.extent != ArrayExtent::head) {
            groups = std::gcd(groups, array.heads);
        }
    }
    std::vector<HeadGroup> all;
    for (Index s = 0; s < call.sequences(); ++s) {
        for (Index at = 0; at < groups && call.length(s) > 0; ++at) {
            const Index count = call.heads / groups;
            all.push_back({s, at * count, count});
        }
    }
    return all;
}

namespace {

/// The array whose shape a result has: that of which it is the gradient, or itself.
const CallArray* shape_of(const KernelCall& call, const std::string& array) {
    const auto itself = call.arrays.find(array);
    if (itself != call.arrays.end()) {
        return &itself->second;
    }
    const auto of = array.front() == 'd' ? call.arrays.find(array.substr(1)) : call.arrays.end();
    return of == call.arrays.end() ? nullptr : &of->second;
}

}  // namespace

ResultName result_name(const KernelCall& call, const std::string& array, Index sequence, Index h) {
    const CallArray* const shape = shape_of(call, array);
    if (shape == nullptr) {
        return {array, sequence, h};
    }
    const bool parameter = shape->extent == ArrayExtent::head;
    return {array, parameter ? ResultName::kAllSequences : sequence, head_of(call, *shape, h)};
}

std::optional<Matrix> found_result(const KernelCall& call, const ResultName& name) {
    const auto found = call.arrays.find(name.array);
    if (found == call.arrays.end()) {
        return std::nullopt;
    }
    return head_rows(call, found->second, std::max<Index>(0, name.sequence), name.head);
}

}  // namespace attest
