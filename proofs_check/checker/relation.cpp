#include "proofs_check/checker/relation.hpp"

#include <algorithm>

namespace attest::checker {

namespace {

bool zero(const Integer& entry) {
    return entry.is_zero();
}

}  // namespace

bool Relation::breaks() const {
    return !std::all_of(labels.begin(), labels.end(), zero);
}

Relation read_relation(Reader& in, const Table& table, Terms terms) {
    const Terms more = in.vector(table.num_examples).terms;
    Relation relation;
    for (const auto& term : more) {
        relation.norm += term.second * term.second;
    }
    terms.insert(terms.end(), more.begin(), more.end());
    std::vector<Integer> sum(table.psi + table.data.o);
    for (const auto& [i, coefficient] : terms) {
        const Row row = table.row(i);
        for (Index k = 0; k < table.psi + Index(row.y.size()); ++k) {
            sum[k] += coefficient * row.entry(k);
        }
    }
    const auto labels = sum.begin() + table.psi;
    in.require(std::all_of(sum.begin(), labels, zero), "the features do not cancel");
    relation.labels.assign(labels, sum.end());
    return relation;
}

void check_inexpressible(Reader& in, const Table& table) {
    const Integer numerator = in.integer(" ");
    const Integer denominator = in.integer("\n");
    in.require(numerator > 0 && denominator > 0 && gcd(numerator, denominator) == 1,
               "not a positive fraction in lowest terms");
    in.require(table.data.o > 0, "there are no labels");
    Rational total = 0;  // of ⟨v, y⟩²/⟨v, v⟩
    for (Index a = 0; a < table.data.o; ++a) {
        in.expect("relation");
        const Relation relation = read_relation(in, table);
        if (relation.norm > 0) {
            total += Rational(relation.labels[a] * relation.labels[a], relation.norm);
        }
    }
    const Integer unit = table.scale() * table.scale() * table.num_examples;
    in.require(total * denominator >= Rational(numerator * unit), "the risk may be smaller");
}

std::uint64_t read_prime(Reader& in, const Table& table, Index size) {
    in.expect("prime ");
    const Integer p = in.integer("\n");
    // GMP ≥ 6.2 begins with the Baillie-PSW test, which is exact below 2^64.
    const bool prime = p > 2 && msb(p) < 62 && mpz_probab_prime_p(p.backend().data(), 32) > 0;
    in.require(prime && size <= 16384, "not an odd prime below 2^62, or too large a minor");
    const Integer denominators = table.layer.rate_denominator * table.layer.table_denominator;
    in.require(denominators % p != 0, "the prime divides a denominator of the layer");
    return std::uint64_t(p);
}

std::vector<Index> read_list(Reader& in, const char* word, Index limit, Index count) {
    in.expect(word);
    std::vector<Index> list = in.indices(limit);
    in.require(Index(list.size()) == count, "a wrong number of them");
    return list;
}

std::vector<Vector> read_nulls(Reader& in, Index count, Index column_limit) {
    std::vector<Vector> null;
    for (Index least = 0; count > 0; --count) {
        in.expect("null");
        null.push_back(in.vector(column_limit));
        const Index end = null.back().terms.empty() ? -1 : null.back().terms.back().first;
        in.require(least <= end, "the vector is empty or ends too far left");
        least = end + 1;
    }
    return null;
}

}  // namespace attest::checker
