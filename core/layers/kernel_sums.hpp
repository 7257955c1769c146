#pragma once

#include "core/layers/layer.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace attest {

/// The sums Σ_t κ_g(T − t) a_t of every kernel g over what T tokens added, for kernels that are no
/// decay: it keeps every a_t and sums anew, since subtracting would cancel. O(T) a sum and entry.
template <class Arithmetic>
class KernelSums {
public:
    using Value = typename Arithmetic::Value;

    /// Of `size` entries a sum.
    KernelSums(std::span<const Kernel> kernels, std::size_t size, Arithmetic arithmetic)
        : kernels_(kernels.begin(), kernels.end()),
          weights_(kernels.size()),
          size_(size),
          arithmetic_(std::move(arithmetic)) {}

    /// Begins a new sequence.
    void start() { summands_.clear(); }

    void add(const std::vector<Value>& summand) {
        summands_.insert(summands_.end(), summand.begin(), summand.end());
        if (weights_.front().size() * size_ < summands_.size()) {
            extend_weights();
        }
    }

    /// Writes the sums of all kernels, one after the other; where the last one ends.
    Value* write(Value* to) const {
        for (const Weights& weights : weights_) {
            write_sum(weights, to);
            to += size_;
        }
        return to;
    }

private:
    /// κ(δ) for δ = 0, 1, …; none where it is 0.
    using Weights = std::vector<std::optional<Value>>;

    void write_sum(const Weights& weights, Value* to) const {
        std::fill_n(to, size_, arithmetic_.zero());
        const std::size_t count = summands_.size() / size_;
        for (std::size_t t = 0; t < count; ++t) {
            const std::optional<Value>& kappa = weights[count - 1 - t];
            for (std::size_t k = 0; kappa && k < size_; ++k) {
                const Value& summand = summands_[t * size_ + k];
                to[k] = arithmetic_.add(to[k], arithmetic_.multiply(*kappa, summand));
            }
        }
    }

    /// κ_g(δ) of every kernel for one more distance.
    void extend_weights() {
        for (std::size_t g = 0; g < kernels_.size(); ++g) {
            const Rational weight = value_at(kernels_[g], std::ssize(weights_[g]));
            weights_[g].push_back(weight == 0 ? std::optional<Value>()
                                              : std::optional<Value>(arithmetic_.number(weight)));
        }
    }

    std::vector<Kernel> kernels_;
    std::vector<Weights> weights_;
    std::size_t size_;
    std::vector<Value> summands_;  ///< of every token so far
    Arithmetic arithmetic_;
};

}  // namespace attest
