#include "proofs_check/checker/exact_matrix.hpp"

#include <algorithm>
#include <cmath>

namespace attest::checker {
namespace {
__extension__ using Wide = unsigned __int128;

/// value / 2^e, an integer.
Integer quotient(double value, Index e) {
    int exponent = 0;
    const Integer mantissa(std::ldexp(std::frexp(value, &exponent), 53));
    const Index shift = exponent - 53 - e;
    return shift >= 0 ? Integer(mantissa << shift) : Integer(mantissa >> -shift);
}

/// Adds a token, divided by 2^e, to S and returns it.
std::vector<Integer> add_token(std::vector<Integer>& S, const double* token, Index d, Index e) {
    std::vector<Integer> x(d);
    std::transform(token, token + d, x.begin(), [e](double v) { return quotient(v, e); });
    S.resize(d * (d + 1) / 2);
    auto entry = S.begin();
    for (auto a = x.begin(); a != x.end(); ++a) {
        for (auto b = a + 1; b != x.end(); ++b, ++entry) {
            *entry += *a * *b;
        }
    }
    for (const Integer& value : x) {
        *entry++ += value * value;
    }
    return x;
}
}  // namespace

Integer Row::entry(Index column) const {
    const std::size_t pair = column / z.size();
    const Integer& x = pair < S.size() ? z[column % z.size()] : y[column - S.size() * z.size()];
    return pair >= S.size() || x.is_zero() ? x : Integer(S[pair] * x);
}

Integer Row::dot(const Terms& v) const {
    Integer sum = 0;
    for (const auto& [column, coefficient] : v) {
        sum += coefficient * entry(column);
    }
    return sum;
}

/// The largest e ≤ 0 such that the tokens are multiples of 2^e and the labels of 2^(3e).
Index Table::common_exponent() const {
    Index bits = 0;
    for (const auto* values : {&data.tokens, &queries.tokens, &data.y}) {
        for (const double value : *values) {
            const Index needed = msb(denominator(Rational(value)));
            bits = std::max(bits, values == &data.y ? (needed + 2) / 3 : needed);
        }
    }
    return -bits;
}

void Table::visit(Index first, Index last, const Visitor& visit) const {
    const Index shift = first < num_examples ? 0 : num_examples;
    const Dataset& set = shift == 0 ? data : queries;
    const std::vector<Index>& starts = set.offsets;
    const auto next = std::upper_bound(starts.begin(), starts.end(), first - shift);
    Index s = set.prefixes ? next - starts.begin() - 1 : first - shift;
    for (Index i = first - shift; i < last - shift; ++s) {
        const Index end = starts[s + 1] - 1;
        const Index query = set.query.empty() ? end : starts[s] + set.query[s];
        Row row;
        for (Index t = starts[s]; t <= end && i < last - shift; ++t) {
            std::vector<Integer> x = add_token(row.S, &set.tokens[t * set.d], set.d, exponent);
            if (set.prefixes || t == query) {
                row.z = std::move(x);
            }
            if (t == (set.prefixes ? i : end)) {
                row.y.clear();
                for (Index a = i * set.o; a < (i + 1) * set.o && shift == 0; ++a) {
                    row.y.push_back(quotient(set.y[a], 3 * exponent));
                }
                visit(shift + i++, row);
            }
        }
    }
}

Row Table::row(Index i) const {
    Row result;
    visit(i, i + 1, [&](Index, const Row& row) { result = row; });
    return result;
}

bool nonsingular(std::vector<std::uint64_t> matrix, Index r, std::uint64_t p) {
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
