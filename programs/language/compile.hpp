#pragma once

#include "core/model/parameters.hpp"
#include "programs/language/ir.hpp"

#include <cstdint>
#include <vector>

namespace attest {

/// One coefficient of P: output `output` gets value·S(b,k)·z(e), b ≤ k.
struct Coefficient {
    Index output = 0;
    Index b = 0;
    Index k = 0;
    Index e = 0;
    std::int64_t value = 0;

    friend bool operator==(const Coefficient&, const Coefficient&) = default;
};

/// Coefficients p_a(Θ) of equations 41 and 42 with the zeros left out, over a common denominator.
/// Sorted by e, then b, k and output; each position once.
struct SparseCoefficients {
    Index d = 0;
    std::int64_t denominator = 1;
    std::vector<Coefficient> entries;
};

/// The matrices V_h and Q_h of the program's heads; o = d.
[[nodiscard]] Parameters dense_parameters(const Program& program);

/// The same program as coefficients: every term V(a,b) of a head meets every term Q(k,e) of it.
/// Throws InvalidInput for a term outside the schema, EnvironmentFailure for lack of memory.
[[nodiscard]] SparseCoefficients sparse_coefficients(const Program& program);

/// Sorted entries, equal positions added up, zeros dropped.
[[nodiscard]] std::vector<Coefficient> collect(std::vector<Coefficient> entries);

}  // namespace attest
