#include "core/certify/rank/row_scale.hpp"

#include "core/exact/dyadic.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace attest {

namespace {

/// Numbers that are multiples of 2^low and below 2^high.
struct Grid {
    Index low = 0;
    Index high = 0;
};

Grid product(const Grid& a, const Grid& b) {
    return {a.low + b.low, a.high + b.high};
}

/// A grid that holds what either holds.
Grid either(const Grid& a, const Grid& b) {
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

Grid power(const Grid& a, Index exponent) {
    return {exponent * a.low, exponent * a.high};
}

constexpr Grid kOne{0, 1};

/// Zeros are on any grid.
Grid grid_of(const DyadicRange& range) {
    return range.is_zero() ? Grid{} : Grid{range.low, range.high};
}

/// The columns first … first + count − 1 of A.
Grid grid_of(const Eigen::Ref<const Matrix>& A, Index first, Index count) {
    DyadicRange range;
    for (Index t = first; A.cols() > 0 && t < first + count; ++t) {
        for (Index j = 0; j < A.rows(); ++j) {
            range.include(A(j, t));
        }
    }
    return grid_of(range);
}

Index length_bits(Index n) {
    return static_cast<Index>(std::bit_width(static_cast<std::uint64_t>(n)));
}

Integer common_denominator(const Layer& layer) {
    Integer common = 1;
    for (const Kernel& kernel : layer.kernels) {
        common = lcm(common, denominator_of(kernel));
    }
    return common;
}

bool has_decays(const Layer& layer) {
    return std::any_of(layer.kernels.begin(), layer.kernels.end(), [](const Kernel& kernel) {
        return kernel.kind == KernelKind::decay;
    });
}

/// Times the common denominator of the parameters counts: n − 1 for decays, whose powers reach
/// γⁿ⁻¹.
Index denominator_power(const Layer& layer, Index n) {
    return has_decays(layer) ? std::max<Index>(n - 1, 1) : 1;
}

/// What an entry of M is multiplied by at most in M (I − β k kᵀ): a sum of K entries of the right
/// factor, which are below twice the larger of 1 and β k kᵀ.
Grid forgetting(const Dataset& data, Index first, Index n) {
    const Grid beta = grid_of(data.columns.beta, first, n);
    const Grid keys = grid_of(data.columns.keys, first, n);
    const Grid step = either(kOne, product(beta, power(keys, 2)));
    return product(step, {0, length_bits(data.columns.keys.rows()) + 1});
}

/// Weights κ(δ), or products of gates and of what keys forget, in a sequence of n tokens.
Grid weights(const Dataset& data, Index first, Index n) {
    const Layer& layer = data.layer;
    const bool delta = layer.form == TokenForm::delta;
    if (layer.gates != GateForm::none || delta) {
        Grid step = delta ? forgetting(data, first, n) : Grid{};
        if (layer.gates != GateForm::none) {
            const Grid gate = either(kOne, grid_of(data.columns.gates, first, n));
            const bool fade = data.columns.gates.middleCols(first, n).cwiseAbs().maxCoeff() <= 1.0;
            step = product(step, {gate.low, fade ? 0 : gate.high});
        }
        return power(step, n - 1);
    }
    Index high = 0;
    for (const Kernel& kernel : layer.kernels) {
        const Rational largest = largest_value(kernel);
        const Integer ceiling = Integer(numerator(largest)) / Integer(denominator(largest)) + 1;
        high = std::max(high, largest > 1 ? bit_length(ceiling) : 0);
    }
    const auto twos = static_cast<Index>(lsb(common_denominator(layer)));
    return {-twos * denominator_power(layer, n), high};
}

/// What one token adds to a sum: z zᵀ, z φᵀ or z (β k)ᵀ.
Grid summand_of(const Dataset& data, const Grid& token, Index first, Index n) {
    switch (data.layer.form) {
        case TokenForm::mapped:
            return product(token, grid_of(data.columns.phi, first, n));
        case TokenForm::delta:
            return product(token,
                           product(grid_of(data.columns.keys, first, n),
                                   grid_of(data.columns.beta, first, n)));
        default:
            return product(token, token);
    }
}

/// The features of sequence i's examples, of another layer than the paper's.
Grid grid_of_features(const Dataset& data, Index i) {
    const Layer& layer = data.layer;
    const Index first = data.first_token(i);
    const Index n = data.length(i);
    const Index first_example = data.first_example(i);
    const Index examples = data.first_example(i + 1) - first_example;
    if (layer.form == TokenForm::supplied) {
        return product(grid_of(data.columns.s, first_example, examples),
                       grid_of(data.columns.u, first_example, examples));
    }
    const auto with_one = [&](const Grid& a) { return layer.affine ? either(kOne, a) : a; };
    const Grid token = with_one(grid_of(data.tokens.view(), first, n));
    const Grid sums{0, length_bits(n)};
    if (layer.form == TokenForm::degree) {
        return product(either(power(token, 2 * layer.highest_degree + 1),
                              power(token, 2 * layer.lowest_degree + 1)),
                       sums);
    }
    const Grid summand = summand_of(data, token, first, n);
    const Grid state = with_one(product(product(summand, weights(data, first, n)), sums));
    if (layer.form == TokenForm::mapped) {
        return product(state, grid_of(data.columns.phi, first, n));
    }
    return product(
        state, layer.cross ? with_one(grid_of(data.columns.x, first_example, examples)) : token);
}

}  // namespace

Integer odd_base(const Layer& layer) {
    const Integer common = common_denominator(layer);
    return common >> static_cast<unsigned>(lsb(common));
}

Modulus usable_modulus(const Integer& odd_base, std::uint64_t prime) {
    while (odd_base % prime == 0) {
        prime = previous_prime(prime);
    }
    return Modulus(prime);
}

RowScale scale_of_tokens(const DyadicRange& tokens, Index n) {
    const Grid features = product(power(grid_of(tokens), 3), {0, length_bits(n)});
    return {static_cast<int>(-features.low), 0, features.high - features.low};
}

RowScale scale_of_sequence(const Dataset& data, Index i) {
    const Grid features = grid_of_features(data, i);
    const Integer base = odd_base(data.layer);
    RowScale scale;
    scale.exponent = static_cast<int>(-features.low);
    scale.odd_power = base == 1 ? 0 : denominator_power(data.layer, data.length(i));
    scale.bits = std::max<Index>(features.high - features.low, 0) +
                 (base == 1 ? 0 : scale.odd_power * bit_length(base));
    return scale;
}

}  // namespace attest
