#include "core/layers/polynomial.hpp"

#include <algorithm>
#include <iterator>

namespace attest {

namespace {

void add_term(Polynomial& to, const std::vector<Index>& monomial, const Rational& coefficient) {
    const auto [at, is_new] = to.try_emplace(monomial, coefficient);
    if (!is_new) {
        at->second += coefficient;
        if (at->second == 0) {
            to.erase(at);
        }
    }
}

}  // namespace

// NOLINTBEGIN(readability-convert-member-functions-to-static): see the header
Polynomial PolynomialArithmetic::add(const Polynomial& a, const Polynomial& b) const {
    Polynomial sum = a;
    for (const auto& [monomial, coefficient] : b) {
        add_term(sum, monomial, coefficient);
    }
    return sum;
}

Polynomial PolynomialArithmetic::multiply(const Polynomial& a, const Polynomial& b) const {
    Polynomial product;
    for (const auto& [left, x] : a) {
        for (const auto& [right, y] : b) {
            std::vector<Index> monomial;
            std::merge(
                left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(monomial));
            add_term(product, monomial, x * y);
        }
    }
    return product;
}

// NOLINTEND(readability-convert-member-functions-to-static)

std::vector<Index> packed_multiplicity(Index d) {
    std::vector<Index> multiplicity(static_cast<std::size_t>(packed_dim(d) - d), 2);
    multiplicity.resize(static_cast<std::size_t>(packed_dim(d)), 1);
    return multiplicity;
}

std::vector<std::vector<Index>> monomials(Index d, Index degree) {
    std::vector<std::vector<Index>> found{{}};
    for (Index k = 0; k < degree; ++k) {
        std::vector<std::vector<Index>> longer;
        for (const std::vector<Index>& factors : found) {
            for (Index j = factors.empty() ? 0 : factors.back(); j < d; ++j) {
                longer.push_back(factors);
                longer.back().push_back(j);
            }
        }
        found = std::move(longer);
    }
    return found;
}

Index orders(const std::vector<Index>& factors) {
    // Multiplying by k and dividing by the length of the run so far stays integral: the quotient is
    // the number of orders of the first k factors.
    Index count = 1;
    Index run = 0;
    for (std::size_t k = 0; k < factors.size(); ++k) {
        run = k > 0 && factors[k] == factors[k - 1] ? run + 1 : 1;
        count = count * static_cast<Index>(k + 1) / run;
    }
    return count;
}

}  // namespace attest
