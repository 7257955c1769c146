#pragma once

#include "core/exact/modular_matrix.hpp"

namespace attest {

/// Primes below 2²² allow products through dgemm (core/exact/float_residues.hpp).
inline constexpr std::uint64_t kFloatPrimeBound = std::uint64_t{1} << 22U;

/// 2²² − 3, the largest such prime: the fastest one for rank questions.
inline constexpr std::uint64_t kFloatPrime = kFloatPrimeBound - 3;

/// C − A·B modulo p < 2²² by dgemm. Exact. A is m×k, B is k×n.
[[nodiscard]] ModularMatrix float_subtract_product(const Modulus& p,
                                                   ModularMatrix C,
                                                   const ModularMatrix& A,
                                                   const ModularMatrix& B);

}  // namespace attest
