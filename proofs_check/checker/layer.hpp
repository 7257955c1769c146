#pragma once
#include "proofs_check/checker/npz.hpp"

#include <boost/multiprecision/gmp.hpp>

#include <optional>

namespace attest::checker {
using Integer = boost::multiprecision::mpz_int;
using Rational = boost::multiprecision::mpq_rational;

/// The weight κ(δ) of a token δ before the last: values[δ], 0 beyond them; without values rate^δ
/// for from ≤ δ < to, else 0.
struct Kernel {
    static constexpr Index kNever = 1LL << 40;
    Rational rate = 1;
    Index from = 0;
    Index to = kNever;
    std::vector<Rational> values{};

    /// Σ_t κ(δ) x_t follows from the sum before by a product with `rate`.
    [[nodiscard]] bool recurrent() const { return values.empty() && from == 0 && to == kNever; }
};

/// What makes features of an example (FORMAT.md §6); the paper's layer as it stands here.
struct Layer {
    bool moments = false;
    bool mapped = false;
    bool delta = false;
    bool graded = false;  ///< degree=first..last
    Index first_degree = 1;
    Index last_degree = 1;
    bool gated = false;
    bool vector_gates = false;
    std::vector<Kernel> kernels{Kernel{}};
    bool cross = false;
    bool affine = false;
    Integer rate_denominator = 1;   ///< least common one of the decays
    Integer table_denominator = 1;  ///< of the entries of tables
    bool plain = true;              ///< the paper's: there is no line `layer`
};

/// The layer of this canonical text; nothing for any other text.
[[nodiscard]] std::optional<Layer> parse_layer(std::string_view text);
}  // namespace attest::checker
