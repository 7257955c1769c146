#pragma once

#include "core/certify/consistency.hpp"

#include <optional>
#include <string>
#include <vector>

namespace attest {

/// The least training risk that any coefficients reach, over Q for the doubles given. Every P is
/// some heads' (min(o·d, d(d+1)/2) of them do for the paper's layer), so it is that of all models
/// of the layer with any number of heads.
struct LeastRisk {
    LabelConsistency verdict = LabelConsistency::undecided;  ///< consistent iff `risk` is 0
    Rational risk = 0;     ///< min over P of (1/N) Σ ‖PᵀH_i − y_i‖², unless undecided
    Rational power = 0;    ///< (1/N) Σ ‖y_i‖², the risk of P = 0
    Index rank = 0;        ///< of the features: P is 0 but for so many of them
    MatrixOf<Rational> P;  ///< ψ×o, attains it; empty where undecided or above 2²² entries
    std::vector<IntegerVector>
        duals;  ///< λ of each output: λᵀH = 0 over Z and λᵀy_a ≠ 0, or λ = 0 where the output fits
    std::string reason;  ///< one line for people
};

/// Least squares on exact features with exact labels. Normal equations on independent columns are
/// solved modulo primes and lifted; what proves the answer is that the residuals y − HP, integers
/// after scaling, are orthogonal to every column of H over Z: then no P does better, and each
/// residual is a λ. O(N r²) integer operations and a lifting of r×r; for the paper's layer by
/// groups of examples that share no nonzero feature, as those of different one-hot queries, and
/// without features that are always zero. Undecided where the lifting exceeds its budget. Throws
/// InvalidInput without labels, EnvironmentFailure when the integers of a group do not fit into
/// memory.
[[nodiscard]] LeastRisk least_risk(const Dataset& data, const LiftOptions& options = {});

/// What it is estimated to take at most, in nominal seconds: the liftings of all groups, each up to
/// its budget. Finds the groups.
[[nodiscard]] double least_risk_seconds(const Dataset& data, const LiftOptions& options = {});

/// The proof `inexpressible`, that no P has a smaller risk; nothing where the risk is 0 or
/// undecided.
[[nodiscard]] std::optional<std::string> inexpressible_proof(const Dataset& data,
                                                             const LeastRisk& found);

}  // namespace attest
