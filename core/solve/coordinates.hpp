#pragma once

#include "core/solve/problem.hpp"

#include <memory>

namespace attest {

/// The examples in the coordinates a solver works in: tokens z~ = L⁻¹ z, L from whitening, else
/// c·I with the power of two c that brings the queries near size 1 (exact; keeps single precision
/// in range and the solve equivariant to scale).
struct SolveCoordinates {
    std::unique_ptr<const MomentSource> source;
    Matrix L;                      ///< d×d, lower triangular
    double token_condition = 1.0;  ///< cond(L): the rounding of z~ is about that many u
    double scale = 0.0;            ///< c where L = c·I, so that H = c³ H~; 0 when whitened
};

/// Moments are kept in memory where they take at most half of memory_limit(), else computed anew in
/// every pass. `source` must outlive the result.
[[nodiscard]] SolveCoordinates solve_coordinates(const MomentSource& source,
                                                 const SolveOptions& options);

/// Those of tokens z~ = L⁻¹ z, without a source.
[[nodiscard]] SolveCoordinates whitened_coordinates(const Matrix& L);

/// Those of scaled tokens, without a source: of m query features with Σ ‖u‖² = query_power over N
/// examples.
[[nodiscard]] SolveCoordinates scaled_coordinates(double query_power, Index m, Index N);

/// Bytes of the stored moments, or of the blocks in flight where they are not stored.
[[nodiscard]] double stored_moments_bytes(const SourceShape& shape);

/// P of P~ᵀ H(z~) = Pᵀ H(z).
[[nodiscard]] Matrix back_to_tokens(const Matrix& P, const SolveCoordinates& coordinates);

/// What a relative error of P~ becomes in P: ‖L⁻¹‖³ ‖P~‖/‖P‖ times as much at most.
[[nodiscard]] double error_growth(const Matrix& whitened_P,
                                  const Matrix& P,
                                  const SolveCoordinates& coordinates);

}  // namespace attest
