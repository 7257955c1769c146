#pragma once

#include "core/exact/integer_rows.hpp"
#include "core/exact/lift.hpp"

#include <vector>

namespace attest {

/// For every row, the first vector v (a position in `vectors`) with row·v ≠ 0, or −1 when all
/// products vanish over Z. A proof, not a test: |row·v| is bounded, and the product is zero modulo
/// primes whose product exceeds twice the bound.
[[nodiscard]] std::vector<Index> first_nonzero_product(const IntegerRows& rows,
                                                       const std::vector<IntegerVector>& vectors);

/// For every vector, whether row·v = 0 over Z for every row. Proved in the same way.
[[nodiscard]] std::vector<bool> annihilates_all(const IntegerRows& rows,
                                                const std::vector<IntegerVector>& vectors);

}  // namespace attest
