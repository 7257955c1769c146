#pragma once

#include "core/layers/kernel_sums.hpp"
#include "core/layers/layer.hpp"
#include "core/layers/token_terms.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace attest {

/// The state s of one sequence while it grows, and the query features u: the definition of every
/// layer but `moments`, in any arithmetic. A step costs O(q) for decays and gates; other kernels
/// keep what every token added (kernel_sums.hpp).
template <class Arithmetic>
class LayerState {
public:
    using Value = typename Arithmetic::Value;

    LayerState(const Layer& layer, const LayerInput& input, Arithmetic arithmetic)
        : layer_(layer),
          arithmetic_(arithmetic),
          terms_(layer, input, arithmetic),
          size_(static_cast<std::size_t>(summand_size(layer, input))),
          others_(layer.kernels, size_, arithmetic) {
        recurrent_ = std::all_of(layer.kernels.begin(), layer.kernels.end(), [](const Kernel& k) {
            return k.kind == KernelKind::decay;
        });
        for (const Kernel& kernel : layer.kernels) {
            rates_.push_back(arithmetic_.number(kernel.rate));
        }
        start();
    }

    /// Begins a new sequence.
    void start() {
        const auto sums = static_cast<std::size_t>(num_sums(layer_));
        sums_.assign(recurrent_ ? sums * size_ : 0, arithmetic_.zero());
        others_.start();
    }

    void add(const LayerToken<Value>& token) {
        const std::vector<Value> summand = terms_.summand(token);
        if (!recurrent_) {
            others_.add(summand);
            return;
        }
        for (std::size_t g = 0; g * size_ < sums_.size(); ++g) {
            Value* const sum = sums_.data() + g * size_;
            fade(sum, g, token);
            for (std::size_t k = 0; k < size_; ++k) {
                sum[k] = arithmetic_.add(sum[k], summand[k]);
            }
        }
    }

    /// Writes s, the layout's q entries.
    void write_state(Value* to) const {
        Value* const end =
            recurrent_ ? std::copy(sums_.begin(), sums_.end(), to) : others_.write(to);
        if (layer_.affine) {
            *end = arithmetic_.one();
        }
    }

    /// Writes u, the layout's m entries: of the query token, of φ of that token, or of x.
    void write_query(const Value* asking, Value* to) const { terms_.write_query(asking, to); }

private:
    /// Multiplies the entries of sum g before a token joins.
    void fade(Value* sum, std::size_t g, const LayerToken<Value>& token) const {
        if (layer_.gates == GateForm::vector) {
            for (std::size_t k = 0; k < size_; ++k) {
                sum[k] = arithmetic_.multiply(token.gate[k % terms_.key_size()], sum[k]);
            }
        } else if (layer_.gates == GateForm::scalar || !rates_.empty()) {
            const Value rate = layer_.gates == GateForm::scalar ? *token.gate : rates_[g];
            for (std::size_t k = 0; k < size_; ++k) {
                sum[k] = arithmetic_.multiply(rate, sum[k]);
            }
        }
    }

    Layer layer_;
    Arithmetic arithmetic_;
    TokenTerms<Arithmetic> terms_;
    std::size_t size_;       ///< entries of what one token adds to a sum
    bool recurrent_ = true;  ///< no kernel but decays
    std::vector<Value> rates_;
    std::vector<Value> sums_;        ///< recurrent: one after the other
    KernelSums<Arithmetic> others_;  ///< otherwise
};

}  // namespace attest
