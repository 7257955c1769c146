#include "proofs_check/checker/minor.hpp"

namespace attest::checker {
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
