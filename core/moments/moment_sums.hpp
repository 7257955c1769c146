#pragma once

#include "core/data/sources/moments.hpp"
#include "core/moments/structured_gram.hpp"

namespace attest {

/// Second and cross moment of a source. Λ is uncentred and in Algorithm 2's unscaled features.
struct Moments {
    Matrix Lambda;             ///< ψ×ψ, (1/N) Σ H Hᵀ, both triangles
    Matrix cross;              ///< ψ×o, (1/N) Σ H yᵀ
    double label_power = 0.0;  ///< (1/N) Σ ‖y_i‖²
    Index num_examples = 0;
};

/// Accumulates the moments block by block through explicit features of one block; never N×ψ. Nψ²
/// flops, 8ψ² bytes and a block. Rounding: |fl(Λ) − Λ| ≤ γ_{N+1} (1/N) Σ |H||H|ᵀ entrywise, plus
/// the features' own.
[[nodiscard]] Moments explicit_moments(const MomentSource& source);

struct GramOptions {
    int threads = 1;
    Isa isa = Isa::automatic;
};

/// What least squares needs of a source, as sums over its examples. The Gram is in Scalar, the rest
/// always in double.
template <class Scalar>
struct MomentSumsOf {
    StructuredGramOf<Scalar> gram;  ///< Σ H Hᵀ
    Matrix cross;                   ///< Σ H yᵀ, ψ×o
    double label_power = 0.0;       ///< Σ ‖y‖²
    Index num_examples = 0;
};

using MomentSums = MomentSumsOf<double>;

/// Both moments in one pass over the source, in bounded memory: no features, nothing of size N.
/// Nψ²/2 + 2Nψo flops. The bits depend on the examples and their order alone, not on threads or
/// blocks. Rounding: |fl(G) − G| ≤ (u + γ_m + γ²_{N/w+1}) Σ |H||H|ᵀ entrywise for the given s, z,
/// with m = moment_sums_operations (about 150), w the window; u = 2⁻⁵³, for float 2⁻²⁴. Throws
/// InvalidInput without examples, EnvironmentFailure when moment_sums_bytes does not fit.
template <class Scalar>
[[nodiscard]] MomentSumsOf<Scalar> moment_sums(const MomentSource& source,
                                               const GramOptions& options);

/// Bytes moment_sums allocates: the distinct entries with their compensation (ψ²/2 scalars, half of
/// which are freed at its end), a window of examples, and a block for each thread.
template <class Scalar>
[[nodiscard]] double moment_sums_bytes(const SourceShape& shape, const GramOptions& options);

/// The m of the rounding bound of moment_sums.
[[nodiscard]] Index moment_sums_operations(const SourceShape& shape);

/// Σ H Hᵀ, lower triangle, ψ×ψ. As moment_sums, then StructuredGramOf::lower_triangle.
[[nodiscard]] Matrix second_moment_sum(const MomentSource& source, const GramOptions& options);

/// explicit_moments by the structured Gram: the same Λ and cross moment, at half the flops or less.
[[nodiscard]] Moments structured_moments(const MomentSource& source, const GramOptions& options);

extern template MomentSumsOf<double> moment_sums<double>(const MomentSource&, const GramOptions&);
extern template MomentSumsOf<float> moment_sums<float>(const MomentSource&, const GramOptions&);
extern template double moment_sums_bytes<double>(const SourceShape&, const GramOptions&);
extern template double moment_sums_bytes<float>(const SourceShape&, const GramOptions&);

}  // namespace attest
