#include "core/rng/grid_law.hpp"

#include "core/base/bitwise.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace attest {

namespace {

constexpr unsigned kGuideBits = 12;
constexpr std::int64_t kLargestNumerator = std::int64_t{1} << 53U;
constexpr Index kFinestBits = 40;

/// 2^bits for 0 ≤ bits ≤ 40.
double power_of_two(Index bits) {
    return static_cast<double>(std::uint64_t{1} << static_cast<std::uint64_t>(bits));
}

bool is_integer(double x) {
    return std::abs(x) <= 0x1p53 && is_zero(x - static_cast<double>(static_cast<std::int64_t>(x)));
}

}  // namespace

GridLaw::GridLaw(std::string name, Index bits, const std::vector<Atom>& atoms)
    : name_(std::move(name)), bits_(bits) {
    require(bits >= 0 && bits <= kFinestBits,
            "grid law {}: got 2^-{}, expected a grid of 2^0 to 2^-40",
            name_,
            bits);
    unit_ = 1.0 / power_of_two(bits);
    std::uint64_t total = 0;  // reaches 2⁶⁴, that is 0, with the last atom and only then
    bool complete = false;
    for (const Atom& atom : atoms) {
        if (atom.weight == 0) {
            continue;
        }
        // Thousands of atoms: the message is made only when it is needed.
        if (!numerators_.empty() && atom.numerator <= numerators_.back()) {
            throw InvalidInput(formatted("grid law {}: the atoms are not ascending", name_));
        }
        if (atom.numerator > kLargestNumerator || atom.numerator < -kLargestNumerator) {
            throw InvalidInput(formatted(
                "grid law {}: got numerator {}, expected at most 2^53", name_, atom.numerator));
        }
        if (complete || (total + atom.weight != 0 && total + atom.weight <= total)) {
            throw InvalidInput(formatted("grid law {}: the weights exceed 2^64", name_));
        }
        total += atom.weight;
        complete = total == 0;
        numerators_.push_back(atom.numerator);
        last_words_.push_back(total - 1);
    }
    require(complete && numerators_.size() >= 2,
            "grid law {}: the weights do not sum to 2^64 over two or more atoms",
            name_);
    for (std::uint64_t g = 0; g <= std::uint64_t{1} << kGuideBits; ++g) {
        const std::uint64_t word = (g << (64 - kGuideBits)) - (g >> kGuideBits);
        const auto at = std::lower_bound(last_words_.begin(), last_words_.end(), word);
        guide_.push_back(static_cast<std::uint32_t>(at - last_words_.begin()));
    }
}

double GridLaw::value(std::uint64_t word) const {
    const std::uint64_t g = word >> (64 - kGuideBits);
    const auto first = last_words_.begin() + guide_[g];
    const auto last = last_words_.begin() + guide_[g + 1];
    const auto at = std::lower_bound(first, last, word) - last_words_.begin();
    return static_cast<double>(numerators_[static_cast<std::size_t>(at)]) * unit_;
}

GridLaw GridLaw::shifted(double shift) const {
    const auto numerator = [&](Index bits) { return shift * power_of_two(bits); };
    Index finer = bits_;
    while (finer < kFinestBits && !is_integer(numerator(finer))) {
        ++finer;
    }
    require(is_integer(numerator(finer)),
            "grid law {}: got shift {}, expected a multiple of 2^-40",
            name_,
            round_trip(shift));
    const auto growth = static_cast<std::int64_t>(power_of_two(finer - bits_));
    std::vector<Atom> moved = atoms();
    for (Atom& atom : moved) {
        atom.numerator = atom.numerator * growth + static_cast<std::int64_t>(numerator(finer));
    }
    return {name_ + "+" + round_trip(shift), finer, moved};
}

GridLaw GridLaw::scaled(double factor) const {
    require(factor > 0.0 && factor <= 0x1p40,
            "grid law {}: got factor {}, expected 0 to 2^40",
            name_,
            round_trip(factor));
    double growth = factor;  // of the numerators: at least 1, so that atoms stay distinct
    Index finer = bits_;
    for (; growth >= 2.0 && finer > 0; --finer) {
        growth /= 2.0;
    }
    for (; growth < 1.0; ++finer) {
        growth *= 2.0;
    }
    std::vector<Atom> stretched = atoms();
    for (Atom& atom : stretched) {
        const double exact = static_cast<double>(atom.numerator) * growth;
        atom.numerator = static_cast<std::int64_t>(exact < 0.0 ? exact - 0.5 : exact + 0.5);
    }
    return {name_ + "*" + round_trip(factor), finer, stretched};
}

std::vector<GridLaw::Atom> GridLaw::atoms() const {
    std::vector<Atom> all;
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < numerators_.size(); ++i) {
        const std::uint64_t after = last_words_[i] + 1;
        all.push_back({numerators_[i], after - before});
        before = after;
    }
    return all;
}

std::int64_t GridLaw::largest() const {
    return std::max(std::abs(numerators_.front()), std::abs(numerators_.back()));
}

Index GridLaw::exact_feature_length() const {
    const std::int64_t most = std::int64_t{1} << 53U;
    return most / largest() / largest() / largest();
}

}  // namespace attest
