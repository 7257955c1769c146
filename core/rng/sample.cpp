#include "core/rng/sample.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <numeric>

namespace attest {

namespace {

// Fractions x in [0,1) are stored as ⌊x·2¹²⁸⌋. Integer arithmetic only: every machine builds the
// same tables.
__extension__ using Uint128 = unsigned __int128;

constexpr std::uint64_t kHalf = std::uint64_t{1} << 63U;

/// ⌊a·b·2⁻¹²⁸⌋ from four 64-bit products.
Uint128 times(Uint128 a, Uint128 b) {
    const Uint128 low_mask = ~std::uint64_t{0};
    const Uint128 a0 = a & low_mask;
    const Uint128 a1 = a >> 64U;
    const Uint128 b0 = b & low_mask;
    const Uint128 b1 = b >> 64U;
    const Uint128 middle = a1 * b0 + (a0 * b0 >> 64U);
    const Uint128 other = a0 * b1 + (middle & low_mask);
    return a1 * b1 + (middle >> 64U) + (other >> 64U);
}

/// exp(−2^−s) by its Taylor series, s ≥ 1.
Uint128 exp_minus_power_of_two(unsigned s) {
    Uint128 sum = 0;  // stands for 1 = 2¹²⁸·2⁻¹²⁸
    Uint128 term = Uint128{1} << (128 - s);
    for (unsigned j = 1; term != 0; ++j) {
        sum = j % 2 == 1 ? sum - term : sum + term;
        term = (term >> s) / (j + 1);
    }
    return sum;
}

/// ⌊2⁶³·part/whole⌋ for part < whole < 2¹²⁷, by long division.
std::uint64_t fraction63(Uint128 part, Uint128 whole) {
    std::uint64_t quotient = 0;
    for (int bit = 0; bit < 63; ++bit) {
        part <<= 1U;
        quotient <<= 1U;
        if (part >= whole) {
            part -= whole;
            quotient |= 1U;
        }
    }
    return quotient;
}

/// The symmetric law on k·2^−bits, |k| < masses.size(), with P(k) ∝ masses[|k|]: one bit of the
/// word is the sign, the other 63 choose |k|, so odd moments vanish exactly.
GridLaw symmetric_law(std::string name, Index bits, const std::vector<Uint128>& masses) {
    std::vector<Uint128> cumulative;
    Uint128 total = 0;
    for (const Uint128 mass : masses) {
        const Uint128 scaled = mass >> 16U;  // keeps the sum of up to 2¹⁵ fractions below 2¹²⁷
        total += cumulative.empty() ? scaled : 2 * scaled;
        cumulative.push_back(total);
    }
    const auto largest = static_cast<std::int64_t>(masses.size()) - 1;
    std::vector<GridLaw::Atom> atoms(2 * masses.size() - 1);
    std::uint64_t before = 0;
    for (std::int64_t k = 0; k <= largest; ++k) {
        const Uint128 part = cumulative[static_cast<std::size_t>(k)];
        const std::uint64_t after = k == largest ? kHalf : fraction63(part, total);
        const std::uint64_t weight = k == 0 ? 2 * after : after - before;
        atoms[static_cast<std::size_t>(largest + k)] = {k, weight};
        atoms[static_cast<std::size_t>(largest - k)] = {-k, weight};
        before = after;
    }
    return {std::move(name), bits, atoms};
}

/// exp(−(k/1024)²/2) for k = 0 … 8192: consecutive values have the ratio exp(−(2k+1)·2⁻²¹).
GridLaw make_normal() {
    const Uint128 ratio_step = exp_minus_power_of_two(20);
    Uint128 ratio = exp_minus_power_of_two(21);
    std::vector<Uint128> masses{~Uint128{0}};
    while (masses.size() <= 8192) {
        masses.push_back(times(masses.back(), ratio));
        ratio = times(ratio, ratio_step);
    }
    return symmetric_law("gaussian", 10, masses);
}

/// exp(−k/1024) for k = 0 … 16384.
GridLaw make_laplace() {
    const Uint128 ratio = exp_minus_power_of_two(10);
    std::vector<Uint128> masses{~Uint128{0}};
    while (masses.size() <= 16384) {
        masses.push_back(times(masses.back(), ratio));
    }
    return symmetric_law("laplace", 10, masses);
}

GridLaw make_uniform() {
    std::vector<GridLaw::Atom> atoms;
    for (std::int64_t k = -2047; k <= 2047; k += 2) {
        atoms.push_back({k, std::uint64_t{1} << 53U});
    }
    return {"uniform", 11, atoms};
}

}  // namespace

const GridLaw& grid_normal() {
    static const GridLaw law = make_normal();
    return law;
}

const GridLaw& grid_laplace() {
    static const GridLaw law = make_laplace();
    return law;
}

const GridLaw& grid_uniform() {
    static const GridLaw law = make_uniform();
    return law;
}

GridLaw three_point(std::uint64_t zero_weight) {
    require(zero_weight > 0 && zero_weight % 2 == 0,
            "three_point: got weight {} of 0, expected an even positive number",
            zero_weight);
    const std::uint64_t side = (0 - zero_weight) / 2;
    return {"three-point", 0, {{-1, side}, {0, zero_weight}, {1, side}}};
}

GridLaw rademacher() {
    return {"rademacher", 0, {{-1, kHalf}, {1, kHalf}}};
}

GridLaw bernoulli(std::uint64_t one_weight) {
    require(one_weight > 0, "bernoulli: got weight 0 of 1, expected a positive number");
    return {"bernoulli", 0, {{0, 0 - one_weight}, {1, one_weight}}};
}

std::uint64_t probability_weight(double p) {
    require(p >= 0x1p-64 && p < 1.0,
            "probability: got {}, expected a number between 0 and 1",
            round_trip(p));
    return static_cast<std::uint64_t>(p * 0x1p64);
}

Matrix grid_matrix(const GridLaw& law, Index rows, Index cols, const Stream& stream) {
    Draws draws(stream);
    Matrix A(rows, cols);
    for (Index j = 0; j < cols; ++j) {
        for (Index i = 0; i < rows; ++i) {
            A(i, j) = law.value(draws.word());
        }
    }
    return A;
}

std::vector<Index> random_permutation(Index n, const Stream& stream) {
    require(n >= 0, "random_permutation: got {} elements, expected at least 0", n);
    std::vector<Index> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), Index{0});
    Draws draws(stream);
    for (std::size_t left = order.size(); left > 1; --left) {
        std::swap(order[left - 1], order[draws.below(left)]);
    }
    return order;
}

}  // namespace attest
