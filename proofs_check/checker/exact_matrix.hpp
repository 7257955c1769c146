#pragma once
#include "proofs_check/checker/npz.hpp"

#include <boost/multiprecision/gmp.hpp>

#include <functional>

namespace attest::checker {
using Integer = boost::multiprecision::mpz_int;
using Rational = boost::multiprecision::mpq_rational;
using Terms = std::vector<std::pair<Index, Integer>>;  ///< sparse vector: (index, coefficient)

/// A row of the table: packed S (pairs a < b, then squares), query column z, labels; all integers.
struct Row {
    std::vector<Integer> S, z, y;
    /// Entry k < ψ of the cubic features; entry ψ + a is the label of output a.
    [[nodiscard]] Integer entry(Index column) const;
    [[nodiscard]] Integer dot(const Terms& v) const;
};

using Visitor = std::function<void(Index, const Row&)>;

/// The table of FORMAT.md §3, divided by 2^(3·exponent): examples, then queries without labels.
struct Table {
    const Dataset& data;
    const Dataset& queries;
    Index exponent = common_exponent();
    Index psi = data.d * data.d * (data.d + 1) / 2;
    Index num_examples = data.num_examples;
    /// visit(i, row) for first ≤ i < last, all of them examples or all queries.
    void visit(Index first, Index last, const Visitor& visit) const;
    [[nodiscard]] Row row(Index i) const;
    [[nodiscard]] Index common_exponent() const;
};

/// Is the r×r matrix of residues modulo the prime p < 2^62, row after row, nonsingular?
[[nodiscard]] bool nonsingular(std::vector<std::uint64_t> matrix, Index r, std::uint64_t p);
}  // namespace attest::checker
