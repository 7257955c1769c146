#include "proofs_check/checker/layout.hpp"

#include <algorithm>

namespace attest::checker {
namespace {
constexpr Index kMostBits = 1LL << 20;       // of weights
constexpr Index kMostStateBits = 1LL << 31;  // of s, estimated
constexpr Index kMostFeatures = 1LL << 25;

Index capped(const Integer& size) {
    return static_cast<Index>(std::min<Integer>(size, Integer(1) << 31));
}

/// Monomials of this degree in d unknowns.
Integer num_monomials(Index d, Index degree) {
    Integer count = 1;
    for (Index k = 1; k <= degree; ++k) {
        count = count * (d + k - 1) / k;
    }
    return count;
}

/// ⌈log2 value⌉.
Index ceil_log2(const Integer& value) {
    return value > 1 ? static_cast<Index>(msb(Integer(value - 1))) + 1 : 0;
}

Layout graded_layout(const Layer& layer, Index d) {
    Layout layout{{}, 0, 0, 0, 2 * layer.last_degree + 1};
    for (Index p = layer.first_degree; p <= layer.last_degree; ++p) {
        const Block block{
            layout.q, capped(num_monomials(d, p + 1)), layout.m, capped(num_monomials(d, p))};
        layout.blocks.push_back(block);
        layout.q = capped(layout.q + block.q);
        layout.m = capped(layout.m + block.m);
        layout.psi = capped(layout.psi + Integer(block.q) * block.m);
    }
    return layout;
}

/// Doubles, all multiples of 2^-bits, bits ≥ 0 the least, and the largest |x|·2^bits.
struct Scaled {
    Index bits = 0;
    Integer largest = 0;
};

Scaled scaled_numbers(const Matrix& some, const Matrix& more) {
    Scaled found;
    for (const Matrix* matrix : {&some, &more}) {
        for (const double x : matrix->values) {
            found.bits = std::max(found.bits, Index(msb(denominator(Rational(x)))));
        }
    }
    for (const Matrix* matrix : {&some, &more}) {
        for (const double x : matrix->values) {
            const Rational scaled = abs(Rational(x)) * (Integer(1) << found.bits);
            found.largest = std::max(found.largest, Integer(numerator(scaled)));
        }
    }
    return found;
}

/// The data have no column that the layer reads.
std::string missing(const Layer& layer, const Dataset& data) {
    const Index keys = layer.mapped ? data.phi.rows : layer.delta ? data.keys.rows : data.d;
    const Index gates = layer.vector_gates ? keys : 1;
    return layer.moments                             ? data.s.rows == 0 ? "no s and u" : ""
           : data.d == 0                             ? "no tokens"
           : layer.mapped && data.phi.rows == 0      ? "no phi"
           : layer.delta && data.keys.rows == 0      ? "no keys"
           : layer.delta && data.beta.rows != 1      ? "no beta, or of another size"
           : layer.cross && data.x.rows == 0         ? "no x"
           : layer.gated && data.gates.rows != gates ? "no gates, or of another size"
                                                     : "";
}
}  // namespace

Layout layout_of(const Layer& layer, const Dataset& data) {
    if (layer.graded) {
        return graded_layout(layer, data.d);
    }
    const Index one = layer.affine ? 1 : 0;
    const Integer D = data.d + one;
    const Integer sum = layer.mapped         ? D * data.phi.rows
                        : layer.delta        ? D * data.keys.rows
                        : layer.vector_gates ? Integer(D * D)
                                             : Integer(D * (D + 1) / 2);
    const Index q = layer.moments ? capped(data.s.rows) : capped(sum * layer.kernels.size() + one);
    const Index m = layer.moments  ? data.u.rows
                    : layer.mapped ? data.phi.rows
                    : layer.cross  ? data.x.rows + one
                                   : data.d + one;
    const Index degree = layer.moments ? 2 : layer.delta ? 4 : 3;
    return {{{0, q, 0, m}}, q, m, capped(Integer(q) * m), degree};
}

Weights weights_of(const Layer& layer, const Dataset& data, const Dataset& queries) {
    Weights weights{1, 0, 0, 0, 0};
    for (const Dataset* set : {&data, &queries}) {
        for (std::size_t s = 1; s < set->offsets.size(); ++s) {
            weights.longest = std::max(weights.longest, set->offsets[s] - set->offsets[s - 1]);
        }
    }
    const auto scaled = [&](bool read, Matrix Dataset::*which) {
        return read ? scaled_numbers(data.*which, queries.*which) : Scaled{};
    };
    const Scaled gates = scaled(layer.gated, &Dataset::gates);
    const Scaled keys = scaled(layer.delta, &Dataset::keys);
    const Scaled beta = scaled(layer.delta, &Dataset::beta);
    weights.gate_bits = gates.bits;
    weights.key_bits = keys.bits;
    weights.beta_bits = beta.bits;
    const Integer one = 1;
    const Integer kept = (one << (2 * keys.bits + beta.bits)) +
                         data.keys.rows * beta.largest * keys.largest * keys.largest;
    const Index step = ceil_log2(layer.rate_denominator) +
                       ceil_log2(std::max(gates.largest, Integer(one << gates.bits))) +
                       (layer.delta ? ceil_log2(kept) : 0);
    weights.bits = Integer(step) * (weights.longest - 1) + ceil_log2(layer.table_denominator);
    return weights;
}

std::string misfit(const Layer& layer, const Dataset& data, const Dataset& queries) {
    const bool queried = queries.num_examples > 0;
    const std::string lacking =
        missing(layer, data) + (queried ? missing(layer, queries) : std::string());
    if (!lacking.empty()) {
        return "the layer finds " + lacking;
    }
    const Layout layout = layout_of(layer, data);
    const Integer bits = weights_of(layer, data, queries).bits;
    if (bits > kMostBits || (bits + 64) * layout.q > kMostStateBits || layout.psi > kMostFeatures) {
        return "the layer has too many features, or too large weights";
    }
    const Layout asked = layout_of(layer, queried ? queries : data);
    const bool alike =
        (!queried || queries.d == data.d) && asked.q == layout.q && asked.m == layout.m;
    return alike ? "" : "the queries have another dimension";
}
}  // namespace attest::checker
