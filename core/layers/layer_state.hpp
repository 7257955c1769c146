#pragma once

#include "core/base/shape.hpp"
#include "core/layers/layer.hpp"
#include "core/layers/polynomial.hpp"

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

/// Products of degree as many as a list of factors is long: Π_{j ∈ factors} x_j for every list.
template <class Arithmetic>
[[nodiscard]] std::vector<typename Arithmetic::Value> monomials_of(
    const Arithmetic& arithmetic,
    const std::vector<std::vector<Index>>& lists,
    const typename Arithmetic::Value* x) {
    std::vector<typename Arithmetic::Value> products;
    products.reserve(lists.size());
    for (const std::vector<Index>& factors : lists) {
        typename Arithmetic::Value product = arithmetic.one();
        for (const Index j : factors) {
            product = arithmetic.multiply(product, x[j]);
        }
        products.push_back(product);
    }
    return products;
}

/// vec(z kᵀ), entry j·|k| + l is z_j k_l.
template <class Arithmetic>
[[nodiscard]] std::vector<typename Arithmetic::Value> outer_product(
    const Arithmetic& arithmetic,
    std::span<const typename Arithmetic::Value> z,
    std::span<const typename Arithmetic::Value> key) {
    std::vector<typename Arithmetic::Value> products;
    products.reserve(z.size() * key.size());
    for (const auto& value : z) {
        for (const auto& other : key) {
            products.push_back(arithmetic.multiply(value, other));
        }
    }
    return products;
}

/// pack(z zᵀ) in Algorithm 2's order: pairs first, then squares.
template <class Arithmetic>
[[nodiscard]] std::vector<typename Arithmetic::Value> packed_square(
    const Arithmetic& arithmetic, std::span<const typename Arithmetic::Value> z) {
    std::vector<typename Arithmetic::Value> products;
    products.reserve(z.size() * (z.size() + 1) / 2);
    for (std::size_t j = 0; j < z.size(); ++j) {
        for (std::size_t k = j + 1; k < z.size(); ++k) {
            products.push_back(arithmetic.multiply(z[j], z[k]));
        }
    }
    for (const auto& value : z) {
        products.push_back(arithmetic.multiply(value, value));
    }
    return products;
}

/// What one more token brings, in the layer's arithmetic. Null where the layer has no use for it.
template <class Value>
struct LayerToken {
    const Value* z = nullptr;     ///< d entries
    const Value* phi = nullptr;   ///< TokenForm::mapped; TokenForm::delta: the key
    const Value* gate = nullptr;  ///< one entry, or one a key coordinate
    const Value* beta = nullptr;  ///< TokenForm::delta: one entry
};

/// What one token adds to the sums of a layer, and the features of one that asks: any layer but
/// `moments`, in any arithmetic.
template <class Arithmetic>
class TokenTerms {
public:
    using Value = typename Arithmetic::Value;

    TokenTerms(const Layer& layer, const LayerInput& input, Arithmetic arithmetic)
        : layer_(layer), input_(input), arithmetic_(std::move(arithmetic)) {
        if (layer.form == TokenForm::degree) {
            for (Index p = layer.lowest_degree; p <= layer.highest_degree; ++p) {
                append(state_monomials_, monomials(input.d, p + 1));
                append(query_monomials_, monomials(input.d, p));
            }
        }
    }

    /// The summand_size entries that a token adds to every sum.
    [[nodiscard]] std::vector<Value> summand(const LayerToken<Value>& token) const {
        if (layer_.form == TokenForm::degree) {
            return monomials_of(arithmetic_, state_monomials_, token.z);
        }
        std::vector<Value> z;
        z.reserve(static_cast<std::size_t>(input_.d) + 1);
        if (layer_.affine) {
            z.push_back(arithmetic_.one());
        }
        z.insert(z.end(), token.z, token.z + input_.d);
        if (layer_.form == TokenForm::delta) {
            for (Value& value : z) {
                value = arithmetic_.multiply(*token.beta, value);
            }
        }
        if (layer_.has_own_keys()) {
            return outer_product<Arithmetic>(arithmetic_, z, {token.phi, key_size()});
        }
        return layer_.gates == GateForm::vector ? outer_product<Arithmetic>(arithmetic_, z, z)
                                                : packed_square<Arithmetic>(arithmetic_, z);
    }

    /// Writes u, the layout's m entries: of the query token, of φ of that token, or of x.
    void write_query(const Value* asking, Value* to) const {
        if (layer_.form == TokenForm::degree) {
            const std::vector<Value> u = monomials_of(arithmetic_, query_monomials_, asking);
            std::copy(u.begin(), u.end(), to);
            return;
        }
        if (layer_.affine) {
            *to++ = arithmetic_.one();
        }
        std::copy_n(asking, asking_size(), to);
    }

    /// Entries of a token's key.
    [[nodiscard]] std::size_t key_size() const {
        return static_cast<std::size_t>(layer_.has_own_keys() ? input_.phi : input_.d);
    }

private:
    using Monomials = std::vector<std::vector<Index>>;

    static void append(Monomials& to, const Monomials& more) {
        to.insert(to.end(), more.begin(), more.end());
    }

    [[nodiscard]] Index asking_size() const {
        return layer_.form == TokenForm::mapped ? input_.phi : layer_.cross ? input_.x : input_.d;
    }

    Layer layer_;
    LayerInput input_;
    Arithmetic arithmetic_;
    Monomials state_monomials_;
    Monomials query_monomials_;
};

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
            if (layer_.form == TokenForm::delta) {
                forget(sum, token);
            }
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

    /// M ← M (I − β k kᵀ): what the state holds under the token's key, as far as β says.
    void forget(Value* sum, const LayerToken<Value>& token) const {
        const std::size_t keys = terms_.key_size();
        const Value factor = arithmetic_.multiply(arithmetic_.number(Rational(-1)), *token.beta);
        for (Value* row = sum; row != sum + size_; row += keys) {
            Value held = arithmetic_.zero();
            for (std::size_t k = 0; k < keys; ++k) {
                held = arithmetic_.add(held, arithmetic_.multiply(row[k], token.phi[k]));
            }
            held = arithmetic_.multiply(factor, held);
            for (std::size_t k = 0; k < keys; ++k) {
                row[k] = arithmetic_.add(row[k], arithmetic_.multiply(held, token.phi[k]));
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
