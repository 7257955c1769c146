#pragma once

#include "core/layers/layer.hpp"
#include "core/layers/polynomial.hpp"
#include "core/layers/token_products.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace attest {

/// What one more token brings, in the layer's arithmetic. Null where the layer has no use for it.
template <class Value>
struct LayerToken {
    const Value* z = nullptr;     ///< d entries
    const Value* phi = nullptr;   ///< TokenForm::mapped
    const Value* gate = nullptr;  ///< one entry, or one a key coordinate
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
        if (layer_.form == TokenForm::mapped) {
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
        return static_cast<std::size_t>(layer_.form == TokenForm::mapped ? input_.phi : input_.d);
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

}  // namespace attest
