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

/// One entry of a vector that is not zero.
struct Term {
    Index column;
    Integer value;
};

using Terms = std::vector<Term>;

std::vector<Terms> terms_of(const std::vector<IntegerVector>& vectors) {
    std::vector<Terms> all(vectors.size());
    for (std::size_t j = 0; j < vectors.size(); ++j) {
        for (Index i = 0; i < vectors[j].size(); ++i) {
            if (vectors[j](i) != 0) {
                all[j].push_back({i, vectors[j](i)});
            }
        }
    }
    return all;
}

/// A multiply-add of a sparse row takes as long as so many of a product of matrices.
constexpr std::size_t kSparseCost = 8;

/// Whether most entries are zero, so that sums over the others are quicker than a product.
bool are_sparse(const std::vector<Terms>& vectors, Index n) {
    std::size_t terms = 0;
    for (const Terms& v : vectors) {
        terms += v.size();
    }
    return kSparseCost * terms <= vectors.size() * static_cast<std::size_t>(n);
}

/// Primes whose product certainly exceeds 2·max|row·v|.
Index primes_for_products(const IntegerRows& rows, const std::vector<Terms>& vectors) {
    Index bits = 0;
    for (const Terms& v : vectors) {
        Integer norm = 0;
        for (const Term& term : v) {
            norm += abs(term.value);
        }
        bits = std::max(bits, bit_length(norm));
    }
    return (bits + rows.entry_bits() + 1) / kPrimeBits + 1;
}

/// The products of a block of rows with all vectors modulo one prime.
class Products {
public:
    Products(const Modulus& p, const std::vector<Terms>& vectors, Index n)
        : p_(p), sparse_(are_sparse(vectors, n)), V_(sparse_ ? 0 : n, std::ssize(vectors)) {
        for (std::size_t j = 0; j < vectors.size(); ++j) {
            std::vector<SparseEntry> entries;
            for (const Term& term : vectors[j]) {
                const Residue value = p.reduce(term.value);
                if (sparse_) {
                    entries.push_back({term.column, value});
                } else {
                    V_(term.column, static_cast<Index>(j)) = value;
                }
            }
            entries_.push_back(std::move(entries));
        }
    }

    [[nodiscard]] ModularMatrix with(const ModularMatrix& block) const {
        if (!sparse_) {
            return multiply(p_, block, V_);
        }
        ModularMatrix found(block.rows(), std::ssize(entries_));
        for (Index i = 0; i < found.rows(); ++i) {
            for (Index j = 0; j < found.cols(); ++j) {
                found(i, j) = p_.dot(entries_[static_cast<std::size_t>(j)], block.row(i));
            }
        }
        return found;
    }

private:
    Modulus p_;
    bool sparse_;
    ModularMatrix V_;
    std::vector<std::vector<SparseEntry>> entries_;
};

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
    std::vector<Terms> vectors;
};

PrimeGroup next_group(std::uint64_t bound, Index count, const std::vector<Terms>& vectors) {
    PrimeGroup group{{}, vectors};
    Integer product = 1;
    for (Index k = 0; k < count; ++k) {
        bound = previous_prime(bound);
        group.primes.push_back(bound);
        product *= Integer(bound);
    }
    for (Terms& v : group.vectors) {
        for (Term& term : v) {
            term.value %= product;
        }
    }
    return group;
}

/// Calls visit(row, vector) for every product row·v that is nonzero modulo one of enough primes; a
/// pair may be visited more than once. A pair that is never visited has row·v = 0 over Z.
void visit_nonzero_products(const IntegerRows& rows,
                            const std::vector<IntegerVector>& dense,
                            const std::function<void(Index, Index)>& visit) {
    const std::vector<Terms> vectors = terms_of(dense);
    Index needed = vectors.empty() ? 0 : primes_for_products(rows, vectors);
    std::uint64_t bound = kDefaultPrime + 1;
    while (needed > 0) {
        const PrimeGroup group = next_group(bound, std::min(needed, kGroupPrimes), vectors);
        for (const std::uint64_t prime : group.primes) {
            const Modulus p(prime);
            const Products products(p, group.vectors, rows.num_columns());
            for (Index b = 0; b < rows.num_blocks(); ++b) {
                throw_if_stopped("annihilation");
                visit_nonzero(products.with(rows.block(p, b)), rows.first_row(b), visit);
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
