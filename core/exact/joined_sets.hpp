#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace attest {

/// Sets of the numbers below a count that grow together; each begins alone.
class JoinedSets {
public:
    explicit JoinedSets(std::size_t count) : parent_(count) {
        std::iota(parent_.begin(), parent_.end(), std::size_t{0});
    }

    /// The member that stands for the set of i.
    [[nodiscard]] std::size_t root(std::size_t i) {
        while (parent_[i] != i) {
            parent_[i] = parent_[parent_[i]];
            i = parent_[i];
        }
        return i;
    }

    void join(std::size_t i, std::size_t j) { parent_[root(i)] = root(j); }

private:
    std::vector<std::size_t> parent_;
};

}  // namespace attest
