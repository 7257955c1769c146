#include "core/rng/grid_law.hpp"

#include "core/base/error.hpp"
#include "core/base/text.hpp"

#include <algorithm>

namespace attest {

namespace {

constexpr unsigned kGuideBits = 12;
constexpr std::int64_t kLargestNumerator = std::int64_t{1} << 53U;

}  // namespace

GridLaw::GridLaw(std::string name, Index bits, const std::vector<Atom>& atoms)
    : name_(std::move(name)), bits_(bits) {
    require(bits >= 0 && bits <= 40,
            concat("grid law ", name_, ": got 2^-", bits, ", expected a grid of 2^0 to 2^-40"));
    unit_ = 1.0 / static_cast<double>(std::uint64_t{1} << static_cast<std::uint64_t>(bits));
    std::uint64_t total = 0;  // reaches 2⁶⁴, that is 0, with the last atom and only then
    bool complete = false;
    for (const Atom& atom : atoms) {
        if (atom.weight == 0) {
            continue;
        }
        require(numerators_.empty() || atom.numerator > numerators_.back(),
                concat("grid law ", name_, ": the atoms are not ascending"));
        require(
            atom.numerator <= kLargestNumerator && atom.numerator >= -kLargestNumerator,
            concat(
                "grid law ", name_, ": got numerator ", atom.numerator, ", expected at most 2^53"));
        require(!complete && (total + atom.weight == 0 || total + atom.weight > total),
                concat("grid law ", name_, ": the weights exceed 2^64"));
        total += atom.weight;
        complete = total == 0;
        numerators_.push_back(atom.numerator);
        last_words_.push_back(total - 1);
    }
    require(complete && numerators_.size() >= 2,
            concat("grid law ", name_, ": the weights do not sum to 2^64 over two or more atoms"));
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

GridLaw GridLaw::shifted(std::int64_t numerator) const {
    std::vector<Atom> moved = atoms();
    for (Atom& atom : moved) {
        atom.numerator += numerator;
    }
    return {name_ + "+" + round_trip(static_cast<double>(numerator) * unit_), bits_, moved};
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
