#include "core/exact/annihilation.hpp"

#include "core/exact/dyadic.hpp"

#include <algorithm>
#include <functional>

namespace attest {

namespace {

constexpr Index kPrimeBits = 60;  // every prime used here exceeds 2^60

ModularMatrix columns_modulo(const Modulus& p, const std::vector<IntegerVector>& vectors, Index n) {
    ModularMatrix V(n, static_cast<Index>(vectors.size()));
    for (Index j = 0; j < V.cols(); ++j) {
        for (Index i = 0; i < n; ++i) {
            V(i, j) = p.reduce(vectors[static_cast<std::size_t>(j)](i));
        }
    }
    return V;
}

/// Primes whose product certainly exceeds 2·max|row·v|.
Index primes_for_products(const IntegerRows& rows, const std::vector<IntegerVector>& vectors) {
    Index bits = 0;
    for (const IntegerVector& v : vectors) {
        Integer norm = 0;
        for (Index i = 0; i < v.size(); ++i) {
            norm += abs(v(i));
        }
        bits = std::max(bits, bit_length(norm));
    }
    return (bits + rows.entry_bits() + 1) / kPrimeBits + 1;
}

/// Calls visit(row, vector) for every product row·v that is nonzero modulo one of enough primes; a
/// pair may be visited more than once. A pair that is never visited has row·v = 0 over Z.
void visit_nonzero_products(const IntegerRows& rows,
                            const std::vector<IntegerVector>& vectors,
                            const std::function<void(Index, Index)>& visit) {
    std::uint64_t prime = kDefaultPrime;
    for (Index k = primes_for_products(rows, vectors); k > 0; --k) {
        const Modulus p(prime);
        const ModularMatrix V = columns_modulo(p, vectors, rows.num_columns());
        for (Index b = 0; b < rows.num_blocks(); ++b) {
            const ModularMatrix products = multiply(p, rows.block(p, b), V);
            for (Index i = 0; i < products.rows(); ++i) {
                for (Index j = 0; j < products.cols(); ++j) {
                    if (products(i, j) != 0) {
                        visit(rows.first_row(b) + i, j);
                    }
                }
            }
        }
        prime = previous_prime(prime);
    }
}

}  // namespace

std::vector<Index> first_nonzero_product(const IntegerRows& rows,
                                         const std::vector<IntegerVector>& vectors) {
    std::vector<Index> first(static_cast<std::size_t>(rows.num_rows()), -1);
    visit_nonzero_products(rows, vectors, [&](Index row, Index vector) {
        Index& known = first[static_cast<std::size_t>(row)];
        known = known < 0 ? vector : std::min(known, vector);
    });
    return first;
}

std::vector<bool> annihilates_all(const IntegerRows& rows,
                                  const std::vector<IntegerVector>& vectors) {
    std::vector<bool> all_zero(vectors.size(), true);
    visit_nonzero_products(rows, vectors, [&](Index /*row*/, Index vector) {
        all_zero[static_cast<std::size_t>(vector)] = false;
    });
    return all_zero;
}

}  // namespace attest
