#include "proofs_check/checker/exact_matrix.hpp"

#include "proofs_check/checker/sums.hpp"

#include <algorithm>

namespace attest::checker {
namespace {
__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t kSmallPrime = 1ULL << 26;

/// For p < 2^26: sums of 2048 products of residues fit in 64 bits and are reduced only then. Eight
/// rows pass over the pivot rows together, which a large matrix has to fetch from memory.
bool nonsingular_small(std::vector<std::uint64_t>& matrix, Index r, std::uint64_t p) {
    constexpr Index kRows = 8;
    constexpr Index kProducts = 2048;
    std::vector<std::uint32_t> pivots(matrix.size());  // row after row, 1 at its first entry not 0
    std::vector<Index> column(r);                      // of that entry
    const auto reduce = [&](std::uint64_t* row) {
        std::for_each(row, row + r, [&](std::uint64_t& x) { x %= p; });
    };
    const auto eliminate = [&](std::uint64_t* row, Index i) {
        if (const std::uint64_t factor = row[column[i]] % p; factor != 0) {
            for (Index k = column[i]; k < r; ++k) {
                row[k] += (p - factor) * pivots[i * r + k];
            }
        }
        if (i % kProducts == kProducts - 1) {
            reduce(row);
        }
    };
    for (Index first = 0; first < r; first += kRows) {
        const Index last = std::min(first + kRows, r);
        for (Index i = 0; i < first; ++i) {
            for (Index row = first; row < last; ++row) {
                eliminate(&matrix[row * r], i);
            }
        }
        for (Index row = first; row < last; ++row) {
            std::uint64_t* const entries = &matrix[row * r];
            for (Index i = first; i < row; ++i) {
                eliminate(entries, i);
            }
            reduce(entries);
            const auto* const pivot =
                std::find_if(entries, entries + r, [](std::uint64_t x) { return x != 0; });
            if (pivot == entries + r) {
                return false;
            }
            column[row] = pivot - entries;
            const auto inverse =
                static_cast<std::uint64_t>(powm(Integer(*pivot), Integer(p - 2), p));
            std::transform(entries, entries + r, &pivots[row * r], [&](std::uint64_t x) {
                return static_cast<std::uint32_t>(x * inverse % p);
            });
        }
    }
    return true;
}
}  // namespace

Integer Row::entry(Index column) const {
    for (const Block& block : *blocks) {
        if (const Index size = block.q * block.m; column >= size) {
            column -= size;
            continue;
        }
        const Integer& left = s[block.first_s + column / block.m];
        const Integer& right = u[block.first_u + column % block.m];
        return right.is_zero() ? right : Integer(left * right);
    }
    return y[column];
}

Integer Row::dot(const Terms& v) const {
    Integer sum = 0;
    for (const auto& [column, coefficient] : v) {
        sum += coefficient * entry(column);
    }
    return sum;
}

Integer Table::common_denominator() const {
    const auto power = static_cast<unsigned>(weights.longest - 1);
    return (pow(layer.rate_denominator, power) * layer.table_denominator)
           << weights.step_bits() * (weights.longest - 1);
}

/// The largest e ≤ 0 such that what the layer reads consists of multiples of 2^e, and the labels of
/// 2^(degree·e).
Index Table::common_exponent() const {
    Index bits = 0;
    const auto include = [&](const std::vector<double>& values, Index degree) {
        for (const double value : values) {
            const Index needed = msb(boost::multiprecision::denominator(Rational(value)));
            bits = std::max(bits, (needed + degree - 1) / degree);
        }
    };
    for (const Dataset* set : {&data, &queries}) {
        include(set->tokens, 1);
        include(layer.mapped ? set->phi.values : std::vector<double>(), 1);
        include(layer.cross ? set->x.values : std::vector<double>(), 1);
        include(layer.delta ? set->keys.values : std::vector<double>(), 1);
        include(layer.delta ? set->beta.values : std::vector<double>(), 1);
        include(set->s.values, 1);
        include(set->u.values, 1);
    }
    include(data.y, layout.degree);
    return -bits;
}

Integer Table::scale() const {
    return denominator << -layout.degree * exponent;
}

void Table::visit(Index first, Index last, const Visitor& visit) const {
    const Index shift = first < num_examples ? 0 : num_examples;
    const Dataset& set = shift == 0 ? data : queries;
    const std::vector<Index>& starts = set.offsets;
    const auto next = std::upper_bound(starts.begin(), starts.end(), first - shift);
    Index s = set.prefixes ? next - starts.begin() - 1 : first - shift;
    for (Index i = first - shift; i < last - shift; ++s) {
        const Index end = starts[s + 1] - 1;
        Sums sums(*this, set, starts[s]);
        for (Index t = starts[s]; t <= end && i < last - shift; ++t) {
            sums.add();
            if (t != (set.prefixes ? i : end)) {
                continue;
            }
            const Index query = set.query.empty() ? t : starts[s] + set.query[s];
            Row row{sums.state(i), sums.query(i, query), {}, &layout.blocks};
            for (Index a = i * set.o; a < (i + 1) * set.o && shift == 0; ++a) {
                row.y.push_back(quotient(set.y[a], layout.degree * exponent) * denominator);
            }
            visit(shift + i++, row);
        }
    }
}

Row Table::row(Index i) const {
    Row result{};
    visit(i, i + 1, [&](Index, const Row& row) { result = row; });
    return result;
}

bool nonsingular(std::vector<std::uint64_t> matrix, Index r, std::uint64_t p) {
    if (p < kSmallPrime) {
        return nonsingular_small(matrix, r, p);
    }
    for (Index c = 0; c < r; ++c) {
        std::uint64_t* const pivot = &matrix[c * r + c];
        Index row = c;
        while (matrix[row * r + c] == 0) {
            if (++row == r) {
                return false;
            }
        }
        std::swap_ranges(pivot, pivot + r - c, &matrix[row * r + c]);
        const auto inverse = static_cast<std::uint64_t>(powm(Integer(*pivot), Integer(p - 2), p));
        for (row = c + 1; row < r; ++row) {
            std::uint64_t* const target = &matrix[row * r + c];
            const auto factor = static_cast<std::uint64_t>(Wide{*target} * inverse % p);
            // Shoup: floor(factor·2^64 / p) gives factor·x mod p, up to one p, without a division.
            const auto shoup = static_cast<std::uint64_t>((Wide{factor} << 64) / p);
            for (Index k = 0; factor != 0 && k < r - c; ++k) {
                const auto times = static_cast<std::uint64_t>(Wide{shoup} * pivot[k] >> 64);
                const std::uint64_t value = target[k] + 2 * p - (factor * pivot[k] - times * p);
                target[k] = std::min(value - p, std::min(value, value - 2 * p));
            }
        }
    }
    return true;
}
}  // namespace attest::checker
