#pragma once

#include "core/base/shape.hpp"

#include <cstddef>
#include <vector>

namespace attest {

/// The values at these places, in this order.
template <class Value>
[[nodiscard]] std::vector<Value> pick(const std::vector<Value>& values,
                                      const std::vector<Index>& at) {
    std::vector<Value> picked;
    picked.reserve(at.size());
    for (const Index i : at) {
        picked.push_back(values[static_cast<std::size_t>(i)]);
    }
    return picked;
}

}  // namespace attest
