#include "core/exact/annihilation.hpp"

#include "core/base/interrupt.hpp"
#include "core/exact/dyadic.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace attest {

MatrixRows::MatrixRows(MatrixOf<Integer> A, Index block_rows)
    : A_(std::move(A)), block_rows_(block_rows) {
    for (Index i = 0; i < A_.rows(); ++i) {
        for (Index j = 0; j < A_.cols(); ++j) {
            bits_ = std::max(bits_, bit_length(A_(i, j)));
        }
    }
}

Index MatrixRows::num_blocks() const {
    return (A_.rows() + block_rows_ - 1) / block_rows_;
}

Index MatrixRows::first_row(Index b) const {
    return std::min(b * block_rows_, A_.rows());
}

ModularMatrix MatrixRows::block(const Modulus& p, Index b) const {
    ModularMatrix rows(first_row(b + 1) - first_row(b), A_.cols());
    for (Index i = 0; i < rows.rows(); ++i) {
        for (Index j = 0; j < rows.cols(); ++j) {
            rows(i, j) = p.reduce(A_(first_row(b) + i, j));
        }
    }
    return rows;
}

namespace {

constexpr Index kGroupPrimes = 16;

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

void visit_nonzero(const ModularMatrix& products,
                   Index first_row,
                   const std::function<void(Index, Index)>& visit) {
    for (Index i = 0; i < products.rows(); ++i) {
        for (Index j = 0; j < products.cols(); ++j) {
            if (products(i, j) != 0) {
                visit(first_row + i, j);
            }
        }
    }
}

/// The next `count` primes below `bound`, with the vectors modulo their product: long entries are
/// shortened once for the group, then reduced by each prime.
struct PrimeGroup {
    std::vector<std::uint64_t> primes;
    std::vector<IntegerVector> vectors;
};

PrimeGroup next_group(std::uint64_t bound, Index count, const std::vector<IntegerVector>& vectors) {
    PrimeGroup group{{}, vectors};
    Integer product = 1;
    for (Index k = 0; k < count; ++k) {
        bound = previous_prime(bound);
        group.primes.push_back(bound);
        product *= Integer(bound);
    }
    for (IntegerVector& v : group.vectors) {
        for (Index i = 0; i < v.size(); ++i) {
            v(i) %= product;
        }
    }
    return group;
}

/// Calls visit(row, vector) for every product row·v that is nonzero modulo one of enough primes; a
/// pair may be visited more than once. A pair that is never visited has row·v = 0 over Z.
void visit_nonzero_products(const IntegerRows& rows,
                            const std::vector<IntegerVector>& vectors,
                            const std::function<void(Index, Index)>& visit) {
    Index needed = vectors.empty() ? 0 : primes_for_products(rows, vectors);
    std::uint64_t bound = kDefaultPrime + 1;
    while (needed > 0) {
        const PrimeGroup group = next_group(bound, std::min(needed, kGroupPrimes), vectors);
        for (const std::uint64_t prime : group.primes) {
            const Modulus p(prime);
            const ModularMatrix V = columns_modulo(p, group.vectors, rows.num_columns());
            for (Index b = 0; b < rows.num_blocks(); ++b) {
                throw_if_stopped("annihilation");
                visit_nonzero(multiply(p, rows.block(p, b), V), rows.first_row(b), visit);
            }
        }
        needed -= static_cast<Index>(group.primes.size());
        bound = group.primes.back();
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
