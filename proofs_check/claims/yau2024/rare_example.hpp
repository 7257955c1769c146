#pragma once

#include "proofs_check/exact/exact_problem.hpp"

namespace attest::yau2024 {

/// d = n = 1, the features are Z³: Z = common, y = 1 with probability 1 − η, else Z = rare, y = 0.
/// A layer is one number p, its output p Z³.
struct RareExample {
    Rational common;
    Rational rare;
    Rational eta;

    [[nodiscard]] static Rational cube(const Rational& z) { return z * z * z; }

    [[nodiscard]] Rational risk(const Rational& p) const {
        const Rational miss = p * cube(common) - 1;
        const Rational hit = p * cube(rare);
        return (1 - eta) * miss * miss + eta * hit * hit;
    }

    [[nodiscard]] Rational second_moment() const {
        return (1 - eta) * cube(common) * cube(common) + eta * cube(rare) * cube(rare);
    }

    /// The layer of least risk, by the normal equation.
    [[nodiscard]] Rational best() const { return (1 - eta) * cube(common) / second_moment(); }

    [[nodiscard]] Rational excess(const Rational& p) const { return risk(p) - risk(best()); }

    /// What least squares learns from so many copies of each, through the features of Algorithm 2;
    /// 0 of least norm where there is none.
    [[nodiscard]] Rational learned(Index num_common, Index num_rare) const {
        std::vector<RationalMatrix> Z(static_cast<std::size_t>(num_common),
                                      RationalMatrix::Constant(1, 1, common));
        Z.resize(static_cast<std::size_t>(num_common + num_rare),
                 RationalMatrix::Constant(1, 1, rare));
        RationalMatrix y = RationalMatrix::Zero(num_common + num_rare, 1);
        y.topRows(num_common).setOnes();
        return least_squares({feature_rows(Z), y})(0, 0);
    }
};

/// base^exponent, exponent ≥ 0.
[[nodiscard]] inline Rational power(const Rational& base, Index exponent) {
    Rational product = 1;
    for (Index i = 0; i < exponent; ++i) {
        product *= base;
    }
    return product;
}

}  // namespace attest::yau2024
