#pragma once

#include "proofs_check/exact/population.hpp"

#include <vector>

namespace attest {

/// Bernoulli(1/4) − 1/4: mean 0, third moment not.
[[nodiscard]] inline std::vector<Atom> quarter() {
    return {{Rational(-1, 4), Rational(3, 4)}, {Rational(3, 4), Rational(1, 4)}};
}

/// −1, 0, 1 with equal weights.
[[nodiscard]] inline std::vector<Atom> three_atoms() {
    return {{-1, Rational(1, 3)}, {0, Rational(1, 3)}, {1, Rational(1, 3)}};
}

/// 0, 1, 3 with weights 1/2, 1/3, 1/6: a mean.
[[nodiscard]] inline std::vector<Atom> shifted_atoms() {
    return {{0, Rational(1, 2)}, {1, Rational(1, 3)}, {3, Rational(1, 6)}};
}

}  // namespace attest
