#include "bench/experiments/text/count_span.hpp"

#include <algorithm>

namespace attest {

namespace {

bool is_nonzero(Residue residue) {
    return residue != 0;
}

/// a − factor·b, where b may be shorter.
std::vector<Residue> minus(const Modulus& p,
                           std::vector<Residue> a,
                           Residue factor,
                           const std::vector<Residue>& b) {
    for (std::size_t j = 0; j < b.size(); ++j) {
        a[j] = p.subtract(a[j], p.multiply(factor, b[j]));
    }
    return a;
}

}  // namespace

CountSpan::Reduction CountSpan::reduce(const std::vector<Index>& row) const {
    Reduction found;
    for (Index j = 0; j < columns_; ++j) {
        found.rest.push_back(p_.reduce(std::int64_t{row[static_cast<std::size_t>(j)]}));
    }
    for (const EchelonRow& known : echelon_) {
        const Residue factor = found.rest[static_cast<std::size_t>(known.pivot)];
        found.factors.push_back(factor);
        if (factor != 0) {
            found.rest = minus(p_, std::move(found.rest), factor, known.entries);
        }
    }
    return found;
}

bool CountSpan::contains(const std::vector<Index>& row) const {
    const Residues rest = reduce(row).rest;
    return std::none_of(rest.begin(), rest.end(), is_nonzero);
}

void CountSpan::add(const std::vector<Index>& row) {
    Reduction found = reduce(row);
    // The row, or what is left of it, as a combination of the independent rows: 1 at its own place.
    Residues combination(echelon_.size() + 1, 0);
    combination.back() = 1;
    for (std::size_t k = 0; k < echelon_.size(); ++k) {
        combination = minus(p_, std::move(combination), found.factors[k], echelon_[k].combination);
    }
    const auto pivot = std::find_if(found.rest.begin(), found.rest.end(), is_nonzero);
    if (pivot == found.rest.end()) {
        for (std::size_t k = 0; k < echelon_.size(); ++k) {
            is_combination_[k] = is_combination_[k] || combination[k] != 0;
        }
        return;
    }
    const Residue scale = p_.inverse(*pivot);
    EchelonRow fresh{pivot - found.rest.begin(), std::move(found.rest), std::move(combination)};
    for (Residue& entry : fresh.entries) {
        entry = p_.multiply(scale, entry);
    }
    for (Residue& entry : fresh.combination) {
        entry = p_.multiply(scale, entry);
    }
    echelon_.push_back(std::move(fresh));
    is_combination_.push_back(false);
}

Index CountSpan::outside() const {
    return std::count(is_combination_.begin(), is_combination_.end(), false);
}

}  // namespace attest
