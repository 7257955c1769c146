#pragma once

#include <boost/multiprecision/gmp.hpp>

#include <cstddef>
#include <vector>

/// Implementations straight from the definitions, over Q, in plain loops. They include nothing of
/// core, of proofs_check or of Eigen, so that an agreement with those is evidence. That is why some
/// of them have a twin in proofs_check/exact, which runs on Eigen and core's features: the tests of
/// proofs_check/exact compare the two, and neither may call the other.
namespace attest::reference {

using Rational = boost::multiprecision::number<boost::multiprecision::gmp_rational,
                                               boost::multiprecision::et_off>;
using Row = std::vector<Rational>;
/// matrix[i][j]: row i, column j, counted from 0.
using Rows = std::vector<Row>;

[[nodiscard]] inline Rows zeros(std::size_t rows, std::size_t cols) {
    // NOLINTNEXTLINE(modernize-return-braced-init-list): braces would read as a list of rows
    return Rows(rows, Row(cols, Rational(0)));
}

}  // namespace attest::reference
