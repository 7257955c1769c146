#include "programs/learning/null_words.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/exact/modulus.hpp"

namespace attest {

namespace {

/// Counters of split_mix for the primes; weights count from 1.
constexpr std::uint64_t kPrimeDraws = std::uint64_t{1} << 62U;

Modulus draw_modulus(std::uint64_t counter) {
    constexpr std::uint64_t kHalf = std::uint64_t{1} << 60U;
    return Modulus(previous_prime(2 * kHalf - split_mix(counter) % kHalf));
}

}  // namespace

const std::array<Modulus, 2>& word_moduli() {
    static const std::array<Modulus, 2> moduli{draw_modulus(kPrimeDraws),
                                               draw_modulus(kPrimeDraws + 1)};
    return moduli;
}

Words random_words(std::uint64_t n) {
    Words words{};
    for (std::size_t w = 0; w < words.size(); ++w) {
        words[w] = split_mix(2 * n + w + 1) % word_moduli()[w].prime();
    }
    return words;
}

std::vector<Words> null_words(const RowSpan& span) {
    // An entry of a row and the number of columns take 64 bits each at most.
    if (span.entry_bits() + 128 >= kWordBits) {
        throw NotAvailable(formatted("null_words: entries of {} bits, at most {} are judged",
                                     span.entry_bits(),
                                     kWordBits - 129));
    }
    const ColumnClasses& classes = span.classes();
    std::vector<Words> functional(static_cast<std::size_t>(classes.num_columns()), Words{});
    std::uint64_t draws = 0;
    std::vector<Words> weights;
    for (Index i = 0; i < span.num_null_vectors(); ++i) {
        weights.push_back(random_words(draws++));
    }
    for (std::size_t w = 0; w < Words{}.size(); ++w) {
        const Modulus& p = word_moduli()[w];
        span.visit_residues(p, [&](Index vector, Index number, Residue value) {
            Residue& to = functional[static_cast<std::size_t>(classes.representative(number))][w];
            to = p.add(to, p.multiply(value, weights[static_cast<std::size_t>(vector)][w]));
        });
    }
    for (Index j = 0; j < classes.num_columns(); ++j) {
        const Index number = classes.class_of(j);
        if (number >= 0 && classes.representative(number) == j) {
            continue;
        }
        const Words weight = random_words(draws++);
        for (std::size_t w = 0; w < weight.size(); ++w) {
            const Modulus& p = word_moduli()[w];
            Residue& own = functional[static_cast<std::size_t>(j)][w];
            own = p.add(own, weight[w]);
            if (number >= 0) {
                const Index first = classes.representative(number);
                Residue& to = functional[static_cast<std::size_t>(first)][w];
                to = classes.sign(j) > 0 ? p.subtract(to, weight[w]) : p.add(to, weight[w]);
            }
        }
    }
    return functional;
}

bool vanishes(const std::vector<Words>& functional, std::span<const IntegerEntry> row) {
    Words sum{};
    for (const IntegerEntry& entry : row) {
        const Words& words = functional[static_cast<std::size_t>(entry.column)];
        for (std::size_t w = 0; w < sum.size(); ++w) {
            const Modulus& p = word_moduli()[w];
            sum[w] = p.add(sum[w], p.multiply(words[w], p.reduce(entry.value)));
        }
    }
    return sum == Words{};
}

}  // namespace attest
