#pragma once

#include <boost/multiprecision/gmp.hpp>

#include <cstddef>
#include <vector>

/// Implementations straight from the definitions, over Q, in plain loops. They include nothing of
/// core, so that an agreement with core is evidence.
namespace attest::reference {

using Rational = boost::multiprecision::number<boost::multiprecision::gmp_rational,
                                               boost::multiprecision::et_off>;
using Row = std::vector<Rational>;
/// matrix[i][j]: row i, column j, counted from 0.
using Rows = std::vector<Row>;

[[nodiscard]] inline Rows zeros(std::size_t rows, std::size_t cols) {
    return Rows(rows, Row(cols, Rational(0)));
}

}  // namespace attest::reference
